import Foundation
import TestSupport
import Testing

/// Random keys on random databases: `CARDFILE_SESSIONS=N` for N sessions, `CARDFILE_SESSION=SEED` for
/// one of them.
@MainActor @Suite struct RandomSessionTests {
  private nonisolated static let environment = ProcessInfo.processInfo.environment
  private nonisolated static let count = environment["CARDFILE_SESSIONS"].flatMap { Int($0) } ?? 12
  private nonisolated static let only = environment["CARDFILE_SESSION"].flatMap { UInt64($0) }
  /// The sessions are divided among so many test cases.
  nonisolated static let cases = min(count, 16)

  @Test(arguments: 0..<RandomSessionTests.cases)
  func `random keys crash nothing, write nothing and leave the screen as drawn anew`(
    _ part: Int
  ) throws {
    if let only = Self.only {
      if part == 0 { try RandomSession(seed: only).run() }
      return
    }
    for seed in stride(from: part, to: Self.count, by: Self.cases) {
      note(seed, in: part)
      try RandomSession(seed: UInt64(seed)).run()
    }
  }

  /// Writes the seed to `.build/sessions`, where it is found after a crash of a long run.
  private func note(_ seed: Int, in part: Int) {
    guard Self.environment["CARDFILE_SESSIONS"] != nil else { return }
    let folder = Repository.root.appending(path: ".build/sessions")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data("\(seed)\n".utf8).write(to: folder.appending(path: "\(part)"))
  }
}
