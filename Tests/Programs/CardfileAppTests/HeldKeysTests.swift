import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// Keys that are typed ahead of the rows they are meant for.
@MainActor @Suite struct HeldKeysTests {
  /// A stage whose fetches wait, with keys typed.
  private func waiting(_ typed: String, _ keys: Key...) throws -> Stage {
    let stage = try Stage()
    stage.gate.isOpen = false
    stage.type(typed)
    for key in keys { stage.press(key) }
    return stage
  }

  @Test func `rows of before are not counted as what a filter finds`() throws {
    let stage = try waiting("/kim", .enter)
    #expect(stage.title.contains("filter: kim") && stage.title.contains("counting …"))
    stage.gate.isOpen = true
    stage.settle()
    stage.draw()
    #expect(stage.title.contains("1 of 20"), "\(stage.title)")
  }

  @Test func `Enter waits for the rows of a filter, and opens the first of them`() throws {
    let stage = try waiting("/kim", .enter, .enter)
    #expect(stage.status.contains("waits for the rows"))
    #expect(stage.app.screens.count == 1)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.app.screens.count == 2)
    #expect(stage.title.contains("Kim"))
    #expect(!stage.status.contains("waits"))
  }

  @Test func `the keys after one that waits act in their order`() throws {
    let stage = try waiting("/kim", .enter, .character("d"), .character("W"))
    #expect(stage.app.session.marks.isEmpty && stage.app.overlays.isEmpty)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.app.session.marks.count == 1)
    #expect(stage.app.session.marks.allSatisfy { $0.entityName == "Person" })
    #expect(stage.text.contains("1 Person deleted"), "\(stage.text)")
    #expect(stage.text.contains("Kim"))
  }

  @Test func `a key that waited does not answer a dialog that was not drawn yet`() throws {
    let stage = try waiting("/kim", .enter, .character("d"), .character("W"), .character("y"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.text.contains("Save changes?"), "\(stage.text)")
    #expect(stage.app.session.marks.count == 1)
    #expect(stage.keys(of: "Person").count == 20)
  }

  @Test func `a count waits with its key`() throws {
    let stage = try waiting("sborn", .enter, .character("3"), .character(" "))
    #expect(stage.app.session.marks.isEmpty)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.status.contains("3 selected"))
  }

  @Test func `Esc drops what waits, and cancels what it waits for`() throws {
    let stage = try waiting("sborn", .enter, .character("d"), .enter, .escape)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.app.session.marks.isEmpty && stage.app.screens.count == 1)
    #expect(stage.title.contains("by name"))
  }

  @Test func `motions among the old rows do not wait`() throws {
    let stage = try waiting("sborn", .enter, .down, .down)
    #expect(!stage.status.contains("waits"))
    #expect(stage.app.redrawDelay != nil)
  }

  @Test func `Enter after a motion to the end waits for the end`() throws {
    let stage = try Stage.partialList()
    stage.type("G")
    stage.press(.enter)
    #expect(stage.app.screens.count == 2)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.app.screens.count == 3)
    #expect(stage.title.contains("300 of 300"))
  }

  @Test func `the keys of an object's page act before it was drawn`() throws {
    let stage = try Stage()
    for key in [Key.enter, .character("]")] { stage.app.handle(.key(key)) }
    stage.settle()
    let line = stage.cursorLine
    #expect(line.contains("→") || line.contains("⇉"), "\(line)")
  }

  @Test func `text that comes at once is filtered by once`() throws {
    let stage = try Stage()
    stage.type("/")
    stage.gate.resetCounts()
    stage.pressAtOnce("ab ab ab ab ab ab ab ab".map { Key.character($0) })
    #expect(stage.gate.counts.fetches <= 2)
    #expect(stage.text.contains("ab ab ab ab"))
    stage.press(.escape)
    stage.pressAtOnce([.character("/"), .character("a"), .character("n"), .enter])
    #expect(stage.title.contains("filter: an"))
    stage.press(.escape)
    // The completion of a name that came with it.
    stage.pressAtOnce("/nam".map { Key.character($0) } + [.tab])
    #expect(stage.text.contains("name"))
  }
}
