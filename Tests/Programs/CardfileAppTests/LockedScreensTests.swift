import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// While another program holds the lock of the store nothing waits for it on the thread that draws.
///
/// That is asserted of the store, which counts how often that thread would have waited, and of the
/// lock, which is still held when the screen has been drawn.
@MainActor @Suite struct LockedScreensTests {
  /// Lets go all rows that were read, so that the screen has to read them again.
  private func forgetRows(_ stage: Stage) { stage.app.session.context.trim(keeping: []) }

  /// Comes to the end of what is waited for, and draws.
  private func wait(_ stage: Stage, until condition: () -> Bool) {
    stage.wait {
      stage.settle()
      stage.app.update()
      return condition()
    }
  }

  @Test(arguments: await KeyWalkTests.steps)
  func `each key of each screen is answered under a lock, and does nothing late`(
    _ step: KeyWalkTests.Step
  ) throws {
    let stage = try KeyWalkTests.stage(step.table)
    let app = stage.app
    forgetRows(stage)
    stage.gate.holdsLock = true
    app.update()
    app.handle(.key(step.key))
    app.update()
    let frames = stage.terminal.frames
    #expect(frames.count >= 2 && stage.gate.mainThreadWaits == 0)
    #expect(frames.allSatisfy { !$0.text.contains("SELECT") })
    guard app.exitStatus == nil else { return }
    // Esc closes what the key has opened, and stops what waits.
    for _ in 0..<4 {
      app.handle(.key(.escape))
      app.update()
    }
    #expect(app.overlays.isEmpty && app.retry == nil)
    #expect(app.lock?.isAwaited != true)
    let before = LateState(app)
    stage.gate.holdsLock = false
    for _ in 0..<3 {
      stage.settle()
      app.update()
    }
    #expect(LateState(app) == before)
    #expect(stage.gate.mainThreadWaits == 0)
  }

  /// What a key could have changed.
  private struct LateState: Equatable {
    let marks: Set<ObjectID>
    let changes: String
    let screenCount: Int
    let overlayCount: Int
    let isEnded: Bool

    @MainActor init(_ app: App) {
      marks = Set(app.session.marks)
      changes = app.session.flagCounters
      screenCount = app.screens.count
      overlayCount = app.overlays.count
      isEnded = app.exitStatus != nil
    }
  }

  @Test func `rows that cannot be read are drawn as waiting, and come by themselves`() throws {
    for capabilities in [
      TerminalCapabilities(colorSupport: .palette),
      TerminalCapabilities(colorSupport: .none, isUnicode: false),
    ] {
      let stage = try Stage(capabilities: capabilities)
      let before = stage.text
      forgetRows(stage)
      stage.gate.holdsLock = true
      stage.app.update()
      let sign = capabilities.isUnicode ? "⋯ waiting" : "... waiting"
      #expect(stage.lines.count { $0.contains(sign) } > 5)
      let dash = capabilities.isUnicode ? "–" : "-"
      #expect(
        stage.status.contains("Locked by another program \(dash) retrying, 30s, Esc stops"))
      #expect(stage.app.redrawDelay.map { $0 <= 100 } == true)
      stage.gate.holdsLock = false
      stage.app.update()
      #expect(stage.text == before && stage.app.lock == nil)
    }
  }

  @Test func `the countdown ends, and R tries again`() throws {
    let stage = try Stage()
    var now = 0
    stage.app.clock = { now }
    forgetRows(stage)
    stage.gate.holdsLock = true
    stage.app.update()
    now = 12_500
    #expect(stage.status.contains("retrying, 18s"))
    now = 30_000
    stage.app.update()
    #expect(stage.status.contains("R tries again"))
    #expect(stage.app.lock?.isAwaited == false)
    stage.type("R")
    #expect(stage.status.contains("retrying, 30s"))
    stage.gate.holdsLock = false
    stage.app.update()
    #expect(stage.app.lock == nil && !stage.text.contains("waiting"))
  }

  @Test(arguments: ["d", "e", "O", "x", "y", " ", "v", "+", "-"])
  func `a key on a row that is not read is dropped with a word`(_ key: String) throws {
    let stage = try Stage()
    forgetRows(stage)
    stage.gate.holdsLock = true
    stage.type(key)
    #expect(stage.status.contains("dropped: its row is not read · locked"))
    #expect(stage.app.session.marks.isEmpty && stage.app.overlays.isEmpty)
    stage.gate.holdsLock = false
    stage.app.update()
    #expect(stage.app.session.marks.isEmpty && stage.app.overlays.isEmpty)
  }

  @Test func `rows that were read can be marked, and are saved once the lock is released`() throws {
    let stage = try Stage()
    var now = 0
    stage.app.clock = { now }
    stage.type("/kim")
    stage.press(.enter)
    stage.gate.holdsLock = true
    stage.type("d")
    #expect(stage.app.session.marks.count == 1)
    stage.type("W")
    #expect(stage.status.contains("Saving: locked by another program – retrying, 30s, Esc stops"))
    #expect(!stage.text.contains("SELECT") && stage.app.overlays.isEmpty)
    stage.type("j")
    #expect(stage.status.contains("j dropped"))
    stage.gate.holdsLock = false
    now = 1_000
    stage.app.update()
    #expect(stage.text.contains("Save changes?"))
  }

  @Test func `a list that is opened under a lock has the columns of its rows afterwards`() throws {
    let stage = try Stage(nil)
    let expected = try Stage("Person")
    while !stage.cursorLine.contains("Person") { stage.type("j") }
    stage.gate.holdsLock = true
    stage.app.handle(.key(.enter))
    stage.app.update()
    #expect(stage.app.screen is ListScreen && stage.gate.mainThreadWaits == 0)
    stage.gate.holdsLock = false
    wait(stage) { stage.app.lock == nil && !stage.text.contains("Loading") }
    #expect(stage.lines[1] == expected.lines[1])
    #expect(stage.lines.dropFirst().dropLast(2) == expected.lines.dropFirst().dropLast(2))
  }

  @Test func `keys that wait for rows are dropped when a lock is met`() throws {
    let stage = try Stage.partialList()
    stage.app.handle(.key("G"))
    stage.app.handle(.key("d"))
    forgetRows(stage)
    stage.gate.holdsLock = true
    stage.app.update()
    #expect(stage.status.contains("1 key dropped"))
    stage.gate.holdsLock = false
    stage.gate.isOpen = true
    stage.settle()
    stage.app.update()
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test func `quitting works under a lock, and while something is tried again`() throws {
    let stage = try Stage()
    forgetRows(stage)
    stage.gate.holdsLock = true
    stage.app.update()
    stage.app.handle(.key("q"))
    #expect(stage.app.exitStatus == 0)
    let other = try Stage()
    other.type("/kim")
    other.press(.enter)
    other.gate.holdsLock = true
    other.type("dWQ")
    #expect(other.text.contains("Quit?"))
    #expect(other.app.retry == nil)
  }

  @Test func `nothing is copied that cannot be read`() throws {
    let stage = try Stage()
    stage.type("y")
    forgetRows(stage)
    stage.gate.holdsLock = true
    stage.type("y")
    #expect(stage.copies.isEmpty && stage.status.contains("Copying: locked"))
    stage.gate.holdsLock = false
    stage.app.clock = { 100_000 }
    stage.app.update()
    #expect(stage.copies.count == 1)
  }

  /// Makes a database of 400 people with a journal mode; another program then has it open.
  private func people(_ path: String, journal mode: String) throws -> DatabaseQueue {
    let other = try DatabaseQueue.ofAnotherProgram(path)
    try other.writeWithoutTransaction {
      _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)")
      try $0.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
          INSERT INTO person (name, city) SELECT 'P' || i, 'C' || (i % 7) FROM n;
          """)
    }
    return other
  }

  @Test(arguments: FileLocks.Kind.allCases)
  func `under a lock on the file each key is drawn while the lock is held`(_ kind: FileLocks.Kind)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("people.sqlite")
    let other = try people(path, journal: kind == .walIndex ? "WAL" : "DELETE")
    let stage = try Stage(
      "person", opened: SQLiteStore.open(path: path, options: .init(busyTimeout: 30)))
    // Rows may still be read in the background.
    var taken: FileLocks?
    stage.wait {
      taken = taken ?? FileLocks(kind, of: path)
      return taken != nil
    }
    let locks = try #require(taken)
    stage.app.session.services.observeLockWaits { [waker = stage.terminal.waker] in waker.wake() }
    for entry in KeyTable.list.entries.flatMap(\.bindings)
    where ![.quit, .quitProgram, .back, .suspend].contains(entry.action) {
      forgetRows(stage)
      let count = stage.terminal.frames.count
      stage.app.handle(.key(entry.key))
      stage.app.update()
      #expect(stage.terminal.frames.count > count && locks.areHeld)
      #expect(stage.app.lock != nil || !(stage.app.screen is ListScreen), "\(entry.key)")
      for _ in 0..<3 {
        stage.app.handle(.key(.escape))
        stage.app.update()
      }
      #expect(stage.app.overlays.isEmpty && stage.app.session.marks.isEmpty)
      while stage.app.screens.count > 1 { stage.app.back() }
      stage.app.handle(.key("R"))
      stage.app.update()
    }
    locks.release()
    wait(stage) { stage.app.lock == nil }
    #expect(stage.text.contains(/P[0-9]/) && !stage.text.contains("waiting"))
    withExtendedLifetime((folder, other)) {}
  }
}
