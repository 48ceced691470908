import ManagedObjects
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct PreviewTests {
  /// A wide list with the preview on, and a clock that stands still.
  private func stage() throws -> Stage {
    let stage = try Stage(width: 160, height: 30)
    stage.app.clock = { 0 }
    stage.type("/þór")
    stage.press(.enter)
    stage.type("p")
    return stage
  }

  @Test func `the object under the cursor is drawn without a query, the rest when it rests`() throws
  {
    let stage = try stage()
    stage.press(.escape)
    stage.gate.resetCounts()
    stage.type("jjjj")
    #expect(stage.gate.counts.fetches == 0)
    #expect(stage.gate.counts.snapshots == 0)
    let list = try #require(stage.app.screen as? ListScreen)
    let id = try #require(list.cursorID)
    #expect(stage.text.contains("│  \(stage.app.session.context.displayName(of: id))"))
    #expect(stage.app.redrawDelay == 150)
  }

  @Test func `numbers of objects come when the cursor has rested`() throws {
    let stage = try stage()
    #expect(stage.text.contains("pets        ⇉ Pet       …"), "\(stage.text)")
    stage.app.clock = { 200 }
    stage.draw()
    stage.wait {
      stage.settle()
      return stage.text.contains("pets        ⇉ Pet       2")
    }
    #expect(stage.app.redrawDelay == nil)
  }

  @Test func `p turns it off, and says when the screen is too small for it`() throws {
    let stage = try stage()
    let wide = stage.text
    stage.type("p")
    #expect(stage.text != wide)
    #expect(!stage.text.contains("│"))
    stage.resize(width: 99, height: 18)
    stage.draw()
    let small = stage.lines.dropLast(2)
    stage.type("p")
    #expect(stage.status.contains("The preview needs 100 columns or 19 lines"))
    #expect(stage.lines.dropLast(2) == small)
  }

  @Test func `it is beside the list from 100 columns on, and below it at 80 by 24`() throws {
    let stage = try stage()
    stage.resize(width: 100, height: 30)
    #expect(stage.draw().lines[3].contains("│"))
    stage.resize(width: 80, height: 24)
    let lines = stage.draw().lines
    let top = try #require(lines.firstIndex { $0.hasPrefix("─ Jónsdóttir, Þór ─") })
    #expect(lines[top + 1].contains("Jónsdóttir, Þór"))
    #expect(lines[1..<top].contains { $0.hasPrefix("▌  Jónsdóttir, Þór") })
    #expect(lines[top...].contains { $0.contains("city") && $0.contains("Reykjavík") })
  }

  @Test func `the pane has no room for what is said of hidden properties, nor for foreign keys`()
    throws
  {
    let stage = try stage()
    #expect(!stage.text.contains("hidden —") && !stage.text.contains("─ Identity"))
    stage.press(.enter)
    stage.type(".")
    #expect(stage.text.contains("hidden —") && stage.text.contains("─ Identity"))
  }

  @Test func `a tiny list uses its width, and says in whole words that it is empty`() throws {
    let stage = try Stage(width: 20, height: 5)
    stage.type("/hansen")
    stage.press(.enter)
    #expect(stage.cursorLine.contains("Hansen, Ingrid"), "\(stage.text)")
    let empty = try Stage("Tag", width: 20, height: 5, store: Contacts.store(tagCount: 0))
    let text = empty.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("There are no Tag objects"), "\(empty.text)")
  }
}
