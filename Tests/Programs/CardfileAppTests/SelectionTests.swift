import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// The selection, marks and the cursor stay on their objects through filter, sort and refresh.
@MainActor @Suite struct SelectionTests {
  private func marked(_ stage: Stage) -> [String] {
    stage.app.session.marks.map { stage.app.session.context.displayName(of: $0) }.sorted()
  }

  @Test func `what was selected is deleted after the order is reversed`() throws {
    let stage = try Stage()
    stage.type("4j  Sd")
    #expect(marked(stage) == ["Horváth, Noah", "Ibrahim, Yasmin"])
    #expect(stage.status.contains("2 Person marked"))
  }

  @Test func `the selection survives a sort whose rows come later`() throws {
    let stage = try Stage("Tag", store: Contacts.store(tagCount: 900))
    stage.type("  S")
    #expect(stage.status.contains("2 selected"))
    #expect(!stage.status.contains("not shown"))
    stage.type("d")
    #expect(marked(stage) == ["tag 1", "tag 2"])
  }

  @Test func `what a filter hides stays selected, and an action asks whether it is meant`() throws {
    let stage = try Stage()
    stage.type("   /kim")
    stage.press(.enter)
    stage.type(" ")
    #expect(stage.status.contains("4 selected, 3 not shown"))
    stage.type("d")
    #expect(stage.text.contains("3 of the 4 selected are not shown"))
    #expect(stage.app.session.marks.isEmpty)
    stage.press(.escape)
    #expect(stage.app.session.marks.isEmpty)
    stage.type("ds")
    #expect(marked(stage) == ["Kim, José"])
    stage.press(.escape)
    #expect(!stage.status.contains("selected"))
  }

  @Test func `all are marked if that is the answer, and the filter's end selects them again`()
    throws
  {
    let stage = try Stage()
    stage.type("  /kim")
    stage.press(.enter)
    #expect(stage.status.contains("2 selected, 2 not shown"))
    stage.type("da")
    #expect(marked(stage) == ["4711", "Abe, 👩‍👩‍👧"])
    let other = try Stage()
    other.type("  /kim")
    other.press(.enter)
    other.press(.escape, .escape)
    other.type("/kim")
    other.press(.escape)
    #expect(!other.status.contains("selected"))
  }

  @Test func `all objects of a filter are not all objects of the list`() throws {
    let stage = try Stage()
    stage.type("/jensen")
    stage.press(.enter)
    stage.type("*/")
    stage.press(.control("u"), .enter)
    #expect(stage.title.contains("20 objects"))
    #expect(stage.status.contains("2 selected"))
  }

  @Test func `an object that another program deletes is no longer selected`() throws {
    let stage = try Stage()
    stage.type("  ")
    let abe = try #require(stage.person("4711"))
    try stage.changeOutside { try $0.delete([abe]) }
    stage.type("j")
    #expect(stage.status.contains("1 selected"))
    #expect(!stage.status.contains("not shown"))
  }

  @Test func `a range is what lies between its beginning and the cursor`() throws {
    let stage = try Stage()
    stage.type("jv3jk")
    #expect(stage.status.contains("3 selected — v ends the range"))
    stage.type("vj")
    #expect(stage.status.contains("3 selected"))
    stage.type("vG")
    stage.press(.escape)
    #expect(stage.status.contains("3 selected"))
    stage.press(.escape)
    #expect(!stage.status.contains("selected"))
  }

  @Test func `a count chooses as many rows from the cursor on`() throws {
    let stage = try Stage()
    stage.type("3d")
    #expect(stage.app.session.marks.count == 3)
    #expect(stage.cursorLine.contains("Hansen"))
    stage.type("4 ")
    #expect(stage.status.contains("4 selected"))
    stage.press(.escape)
    stage.type("g2x")
    #expect(stage.app.session.marks.count == 1)
  }

  @Test func `the cursor goes to the ends of the screen, and the screen to the cursor`() throws {
    let stage = try Stage(height: 14)
    stage.type("8jH")
    let top = stage.cursorLine
    stage.type("L")
    #expect(top != stage.cursorLine)
    // Columns are as wide as the rows on the screen need.
    let bottom = stage.cursorLine.prefix(20)
    #expect(stage.lines[11].hasPrefix(bottom) || stage.lines[10].hasPrefix(bottom), "\(stage.text)")
    stage.type("zt")
    #expect(stage.lines[3].hasPrefix(bottom), "\(stage.text)")
    stage.type("zb")
    #expect(stage.lines[11].hasPrefix(bottom), "\(stage.text)")
    stage.type("zz")
    let line = stage.lines.firstIndex { $0.hasPrefix(bottom) }
    #expect((6...8).contains(line ?? 0), "\(stage.text)")
    stage.type("zj")
    #expect(stage.status.contains("z is followed by t, z or b"))
    stage.type("M")
    #expect((5...9).contains(stage.lines.firstIndex { $0.hasPrefix("▌") } ?? 0))
  }
}
