import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// `'` and letters go to a section or a row, and never run as commands.
@MainActor @Suite struct TypeAheadTests {
  @Test func `letters beyond the section title go to the first row that begins with them`() throws {
    let stage = try Stage()
    stage.type("'kow")
    #expect(stage.cursorLine.contains("Kowalski, Łukasz"))
    stage.type("alski, q")
    #expect(stage.cursorLine.contains("Kowalski, Quentin"))
    #expect(stage.app.screens.count == 1 && stage.app.overlays.isEmpty)
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test func `a letter that nothing begins with is rejected and runs no command`() throws {
    let stage = try Stage()
    stage.type("'jdsq")
    #expect(stage.cursorLine.contains("Jensen, Søren"))
    #expect(stage.status.contains("Nothing begins with “jq”"))
    #expect(stage.app.session.marks.isEmpty && stage.app.overlays.isEmpty)
    stage.press(.escape)
    stage.type("d")
    #expect(stage.app.session.marks.count == 1)
  }

  @Test func `two quotes return to where the cursor was before any jump, and back again`() throws {
    let stage = try Stage()
    stage.type("4j")
    let before = stage.cursorLine
    for jump in ["G", "50%", "3]", "fzappa\r", "'k"] {
      for character in jump {
        stage.press(character == "\r" ? .enter : .character(character))
      }
      let after = stage.cursorLine
      #expect(after != before, "\(jump)")
      stage.press(.escape)
      stage.type("''")
      #expect(stage.cursorLine == before, "\(jump)")
      stage.type("''")
      // The counts beside the strip make columns narrower while letters are typed.
      #expect(stage.cursorLine.prefix(20) == after.prefix(20), "\(jump)")
      stage.type("''")
    }
  }

  @Test func `other keys leave the mode and act`() throws {
    let stage = try Stage()
    stage.type("'k")
    stage.press(.down)
    #expect(stage.cursorLine.contains("Kowalski, Łukasz"))
    stage.type("d")
    #expect(stage.app.session.marks.count == 1)
  }

  @Test(arguments: [
    ("born", true, "1950-0", "Larsen, Siân"), ("born", false, "1963", "Jónsdóttir, Þór"),
    ("born", false, "1961-0", "Hansen, Ingrid"),
    ("city", true, "zür", "Jónsdóttir-Adams"), ("city", false, "lo", "London"),
    ("employer.name", true, "nordic", "Nordic Fish"),
  ])
  func `rows are found in any order`(
    _ keyPath: String, _ ascending: Bool, _ letters: String, _ found: String
  ) throws {
    let order = FetchSortDescriptor(
      keyPath, ascending: ascending, comparison: keyPath == "born" ? .binary : .localized)
    let stage = try Stage(
      width: 160,
      options: AppOptions(sortDescriptors: [order], section: AppOptions.SectionChoice.none))
    stage.type("'\(letters)")
    #expect(stage.cursorLine.contains(found), "\(stage.text)")
  }

  @Test func `letters typed while the list is loading are followed once it is there`() throws {
    let stage = try Stage("Tag", store: Contacts.store(tagCount: 900))
    stage.gate.isOpen = false
    stage.type("S'tag 77")
    #expect(stage.app.session.marks.isEmpty)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.cursorLine.contains("tag 77"), "\(stage.text)")
  }

  @Test func `the mode has hints of its own, moves no column, and ends by itself`() throws {
    let stage = try Stage()
    var time = 0
    stage.app.clock = { time }
    let before = stage.lines
    stage.type("'a")
    #expect(stage.lines.last?.contains("one letter less") == true)
    #expect(stage.lines[1].prefix(60) == before[1].prefix(60))
    time = 2_999
    stage.app.update()
    #expect(stage.status.contains("' a_   10 sections"))
    time = 3_000
    stage.app.update()
    #expect(!stage.status.contains("a_"))
    #expect(stage.lines.last?.contains("filter") == true)
    stage.type("d")
    #expect(stage.app.session.marks.count == 1)
  }
}
