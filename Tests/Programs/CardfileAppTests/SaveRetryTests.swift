import ManagedObjects
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// A save that waits for another program to release its lock.
@MainActor @Suite struct SaveRetryTests {
  /// A stage whose store is locked and whose clock stands at 0, after `y` on the deletion of a
  /// person.
  private func waitingStage() throws -> Stage {
    let stage = try Stage()
    stage.type("/kim")
    stage.press(.enter)
    stage.app.clock = { 0 }
    stage.gate.isLocked = true
    stage.type("dWy")
    return stage
  }

  private func pass(_ milliseconds: Int, _ stage: Stage) {
    stage.app.clock = { milliseconds }
    stage.app.retryIfDue()
  }

  @Test func `a locked store is tried again until it can be written`() throws {
    let stage = try waitingStage()
    #expect(stage.status.contains("Saving: locked by another program – retrying, 30s, Esc stops"))
    #expect(stage.app.redrawDelay != nil)
    #expect(stage.person("Kim, José") != nil)
    pass(999, stage)
    #expect(stage.gate.refusedSaves == 1)
    pass(1_000, stage)
    #expect(stage.gate.refusedSaves == 2)
    stage.gate.isLocked = false
    pass(2_000, stage)
    #expect(stage.app.retry == nil && stage.app.redrawDelay == nil)
    #expect(stage.status.hasPrefix(" Saved: 6 deleted, 2 set to ∅"))
    #expect(stage.person("Kim, José") == nil)
    stage.type("uW")
    #expect(stage.person("Kim, José") != nil)
  }

  @Test func `it is given up after thirty seconds, and the mark stays`() throws {
    let stage = try waitingStage()
    for second in 1..<30 { pass(second * 1_000, stage) }
    #expect(stage.app.retry != nil)
    pass(30_000, stage)
    #expect(stage.app.retry == nil)
    #expect(stage.status.contains("Nothing was written: locked by another program"))
    #expect(stage.person("Kim, José") != nil)
    #expect(stage.app.session.marks.count == 1 && !stage.app.session.context.hasChanges)
  }

  @Test func `Esc gives up at once, other keys do nothing`() throws {
    let stage = try waitingStage()
    stage.type("jx")
    #expect(stage.app.retry != nil && stage.app.session.marks.count == 1)
    stage.press(.escape)
    #expect(stage.app.retry == nil)
    #expect(stage.status.contains("Nothing was written"))
    #expect(stage.person("Kim, José") != nil)
    #expect(stage.app.session.marks.count == 1 && !stage.app.session.context.hasChanges)
  }
}
