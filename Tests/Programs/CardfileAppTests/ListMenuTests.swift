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

  @Test func `the bars of the overview keep their scale when it is narrowed`() throws {
    let stage = try Stage()
    stage.type("#")
    func bars(_ title: String) -> Int? {
      // The strip of the list is beside the overview.
      let rows = stage.lines.compactMap { $0.split(separator: "│").dropFirst().first }
      return rows.first { $0.split(separator: " ").first { $0 != "▌" } == title[...] }?
        .count { $0 == "█" }
    }
    let (most, few) = (bars("J"), bars("Z"))
    #expect(try #require(most) > 3 * #require(few))
    stage.type("/z")
    stage.press(.enter)
    #expect(bars("Z") == few)
  }

  @Test func `sections by the title of another object are offered while its column is hidden`()
    throws
  {
    let stage = try Stage()
    let list = try #require(stage.app.screen as? ListScreen)
    list.setColumns(ListColumn(named: "name", of: list.defaults).map { [$0] })
    stage.draw()
    stage.type("bempl")
    #expect(stage.text.contains("employer.name"))
    stage.press(.enter)
    #expect(stage.lines.contains { $0.contains("── Nordic Fish ehf. ─") }, "\(stage.text)")
  }

  @Test func `sections are made by any attribute, and the order in them stays`() throws {
    let stage = try Stage()
    stage.type("bborn")
    #expect(stage.text.contains("year"))
    let transforms = SectionKey.Transform.ofDates.reversed()
    for transform in transforms.prefix(while: { $0 != .month }) {
      #expect(stage.text.contains(transform.rawValue))
      stage.press(.down)
    }
    stage.press(.enter)
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
    #expect(!stage.lines[1].contains("born"))
    stage.type("c")
    stage.type("J")
    stage.press(.escape)
    #expect(stage.lines[1].hasPrefix("   employer"), "\(stage.lines[1])")
    stage.type("c<<<<")
    stage.press(.escape)
    let chosen = stage.app.session.preferences(for: "Person").columns
    #expect(chosen?.first == .init("employer", width: 3))
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

  @Test func `a menu in which nothing matches says so`() throws {
    let stage = try Stage("Tag")
    stage.type("byear")
    #expect(stage.text.contains("Nothing matches year — Esc shows all"), "\(stage.text)")
  }
}
