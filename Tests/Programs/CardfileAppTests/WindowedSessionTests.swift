import FetchedResults
import Foundation
import GRDB
import ListProviders
import ObjectModel
import PostgreSQLStore
import SQLiteStore
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp
@testable import TerminalApplications

/// The same keys on the same data, once with a list that holds all rows and once with one that holds
/// those around what is looked at, give the same screens: `CARDFILE_WINDOWS=N` for N sessions,
/// `CARDFILE_WINDOW=SEED` for one of them.
@MainActor @Suite struct WindowedSessionTests {
  private nonisolated static let environment = ProcessInfo.processInfo.environment
  nonisolated static let count = environment["CARDFILE_WINDOWS"].flatMap { Int($0) } ?? 8
  private nonisolated static let only = environment["CARDFILE_WINDOW"].flatMap { UInt64($0) }

  @Test(arguments: 0..<min(WindowedSessionTests.count, 8))
  func `a windowed list shows the same screens as a whole one`(_ part: Int) throws {
    if let only = Self.only {
      if part == 0 { try WindowedSession(seed: only).run() }
      return
    }
    for seed in stride(from: part, to: Self.count, by: 8) {
      guard try WindowedSession(seed: UInt64(seed)).run() else { return }
    }
    // One in fifty must be centred, not more.
    let counts = (WindowedSession.centeredCount, WindowedSession.comparisonCount)
    print("\(counts.0) of \(counts.1) screens were compared with the cursor in the middle")
    #expect(counts.0 * 10 < counts.1)
  }

  /// 31: a filter of a long list whose first rows have none that is near the cursor; 71: a
  /// percentage of a filter whose matches are not counted, because of unsaved changes; 270: letters
  /// where the order is that of numbers; 486: the cursor on an object whose deletion was undone,
  /// once all are shown again; 626: a filter with as many matches as are read first; 668: another
  /// program moves the object under the cursor to where no row is held.
  @Test(arguments: [31, 71, 270, 486, 626, 668])
  func `sessions that failed once show the same screens`(seed: UInt64) throws {
    try WindowedSession(seed: seed).run()
  }

  /// Two databases of a server: every eighth session.
  @Test(.enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
  func `a windowed list of a server shows the same screens as a whole one`() throws {
    for seed in Self.only.map({ [$0] }) ?? (0..<max(UInt64(Self.count / 8), 2)).map({ $0 }) {
      guard try WindowedSession(seed: seed, isOnServer: true).run() else { return }
    }
  }
}
