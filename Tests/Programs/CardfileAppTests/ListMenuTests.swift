import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// The columns menu, sections by, and the overview of sections.
@MainActor @Suite struct ListMenuTests {
  @Test func `the overview counts sections, narrows and goes to one`() throws {
    let stage = try Stage()
    stage.type("#")
    #expect(stage.text.contains("10 sections"))
    #expect(stage.lines.contains { $0.contains("J") && $0.contains("4  █") })
    stage.type("/k")
    stage.press(.enter, .enter)
    #expect(stage.cursorLine.contains("Kim, José"))
    stage.type("''")
    #expect(stage.cursorLine.contains("4711"))
  }

  @Test func `sections are made by any attribute, and the order in them stays`() throws {
    let stage = try Stage()
    stage.type("bborn")
    #expect(stage.text.contains("year"))
    stage.press(.down, .enter)
    #expect(stage.lines.contains { $0.contains("── 1792-10 ─") }, "\(stage.text)")
    stage.type("bnone")
    stage.press(.enter)
    #expect(!stage.text.contains("── "))
    #expect(stage.title.contains("by name"))
    stage.type("#")
    #expect(stage.status.contains("This list has no sections — b makes some"))
  }

  @Test func `sections by another attribute keep the order of the rows in them`() throws {
    let stage = try Stage()
    stage.type("bemployer")
    stage.press(.enter)
    let names = stage.lines.filter { $0.contains("Nordic Fish") && !$0.hasPrefix("──") }.map {
      $0.dropFirst(3).prefix(12)
    }
    #expect(stage.text.contains("── ∅ ─"))
    #expect(names == names.sorted())
  }

  @Test func `columns are hidden, shown, moved and widened, for this run and the next`() throws {
    let stage = try Stage()
    stage.type("c")
    #expect(stage.text.contains("[x] name") && stage.text.contains("[ ] photo"))
    stage.type("j ")
    stage.press(.escape)
    #expect(!stage.lines[1].contains("city"))
    stage.type("c")
    stage.type("J")
    stage.press(.escape)
    #expect(stage.lines[1].hasPrefix("   email"), "\(stage.lines[1])")
    stage.type("c<<<<")
    stage.press(.escape)
    let chosen = stage.app.session.preferences(for: "Person").columns
    #expect(chosen?.first == .init("email", width: 3))
    #expect(stage.lines[1].hasPrefix("   em…  name"), "\(stage.lines[1])")
    stage.type("c0")
    #expect(stage.lines[1].hasPrefix("   name ↑"))
    #expect(stage.app.session.preferences(for: "Person").columns == nil)
  }

  @Test func `the last column cannot be hidden`() throws {
    let stage = try Stage("Tag")
    stage.type("c ")
    stage.press(.escape)
    #expect(stage.lines[1].contains("name"))
  }
}
