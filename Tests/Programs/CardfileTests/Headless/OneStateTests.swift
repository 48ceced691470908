import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

/// Tests that what a command prints is of one state of the store while another program writes.
@Suite(.hangs(afterMinutes: 5))
struct OneStateTests {
  /// How another program writes.
  enum Writer: String, CaseIterable, Sendable {
    case staying, comingAndGoing
  }

  /// Stops a writer.
  private final class Switch: Sendable {
    let isOff = Mutex(false)
  }

  private func run(
    _ mode: String, _ writer: Writer, width: Int, rounds: Int,
    _ check: (String, Writer) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let store = try folder.database(
      "states.sqlite",
      """
      PRAGMA journal_mode = \(mode);
      CREATE TABLE t (id INTEGER PRIMARY KEY, state INTEGER, filling TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, 0, hex(zeroblob(\(width))) FROM n;
      """)
    let (power, group) = (Switch(), DispatchGroup())
    // From the beginning: its wal-index is shared by every export.
    let staying = writer == .staying ? try DatabaseQueue(path: store) : nil
    DispatchQueue.global().async(group: group) {
      while !power.isOff.withLock({ $0 }) {
        let start = ContinuousClock.now
        try? Database.write(store, "UPDATE t SET state = state + 1")
        // Let readers in: without a log they would starve. On a busy machine a write takes long.
        let pause = max(ContinuousClock.now - start, .milliseconds(20))
        usleep(UInt32(pause / .microseconds(1)))
      }
    }
    defer {
      power.isOff.withLock { $0 = true }
      group.wait()
      try? staying?.close()
    }
    for _ in 0..<rounds { try check(store, writer) }
  }

  @Test(arguments: ["WAL", "DELETE"], Writer.allCases)
  func `an export has the rows of one state`(_ mode: String, _ writer: Writer) throws {
    var exported = 0
    try run(mode, writer, width: 10, rounds: 12) { store, _ in
      let outcome = try Program.run(
        "fetch", store, "t", "--columns", "state", "--format", "csv")
      // Without a log, a commit to a busy disk may take longer than a command waits.
      if mode == "DELETE", outcome.status == 3 {
        #expect(outcome.errors.contains("holds the database's lock") && outcome.output.isEmpty)
        return
      }
      exported += 1
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines.count == 5001)
      #expect(Set(outcome.lines.dropFirst()).count == 1)
    }
    #expect(exported > 6)
  }

  @Test(arguments: Writer.allCases)
  func `a long export has the rows of one state or fails`(_ writer: Writer) throws {
    try run("WAL", writer, width: 600, rounds: 6) { store, writer in
      let outcome = try Program.run(
        "fetch", store, "t", "--columns", "state,filling", "--format", "csv")
      if outcome.status == 0 {
        #expect(outcome.lines.count == 5001)
        #expect(Set(outcome.lines.dropFirst().map { $0.prefix { $0 != "," } }).count == 1)
      } else {
        #expect(writer == .comingAndGoing)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("changed the store while it was printed"))
      }
    }
  }
}
