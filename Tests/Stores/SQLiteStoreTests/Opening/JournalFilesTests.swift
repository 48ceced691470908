import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Tests that a journal that cannot be opened or read is an error, never an empty journal, and that
/// nothing waits for one that is not a regular file.
@Suite(.hangs(afterMinutes: 2))
struct JournalFilesTests {
  /// What lies in the place of a journal.
  enum Obstacle: String, CaseIterable, Sendable {
    case link, danglingLink, linkToDevice, directory, pipe

    /// Puts it in the place of a file; the file is moved to another name.
    func replace(_ path: String) throws {
      let files = FileManager.default
      try files.moveItem(atPath: path, toPath: path + ".moved")
      switch self {
      case .link:
        try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
      case .danglingLink:
        try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".none")
      case .linkToDevice:
        try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
      case .directory:
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .pipe: try #require(mkfifo(path, 0o600) == 0)
      }
    }
  }

  private func refusal(opening database: TemporaryDatabase) -> StoreError? {
    do {
      let store = try database.open()
      _ = try store.count(FetchPlan(entityName: "t"), control: nil)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: Obstacle.allCases, [StoreAtRest.logFilled, .logFilledWithIndex, .hotJournal])
  func `a journal that is not a regular file is named`(_ obstacle: Obstacle, _ rest: StoreAtRest)
    throws
  {
    let database = try rest.make()
    let journal = database.path + (rest == .hotJournal ? "-journal" : "-wal")
    try obstacle.replace(journal)
    let before = try database.files
    let error = try #require(refusal(opening: database))
    #expect(error.reason == .notAFile)
    #expect(error.subject.hasSuffix(URL(fileURLWithPath: journal).lastPathComponent))
    #expect(try database.files == before)
    #expect(throws: StoreError.self) { try database.open(.init(isReadOnly: true)) }
  }

  @Test(arguments: Obstacle.allCases)
  func `the wal-index is read only if it is a regular file`(_ obstacle: Obstacle) throws {
    let database = try StoreAtRest.logFilledWithIndex.make()
    try obstacle.replace(database.path + "-shm")
    let store = try database.open()
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 3)
  }

  @Test(
    .disabled(if: geteuid() == 0, "root bypasses file permissions"),
    arguments: [StoreAtRest.logFilled, .hotJournal])
  func `a journal without permission to read is named`(_ rest: StoreAtRest) throws {
    let database = try rest.make()
    let journal = database.path + (rest == .hotJournal ? "-journal" : "-wal")
    chmod(journal, 0)
    let error = try #require(refusal(opening: database))
    #expect(error.reason == .permissionDenied)
    #expect(error.subject.hasSuffix(URL(fileURLWithPath: journal).lastPathComponent))
  }

  @Test(arguments: [
    ("open", EACCES, StoreError.Reason.permissionDenied), ("open", EPERM, .permissionDenied),
    ("open", EMFILE, .other), ("open", ENFILE, .other), ("open", EIO, .disk),
    ("open", ENOMEM, .other), ("open", ELOOP, .other), ("pread", EIO, .disk),
  ])
  func `a system call that fails on the write-ahead log is an error`(
    _ call: String, _ code: Int32, _ reason: StoreError.Reason
  ) throws {
    try #require(FailingSystemCalls.areInstalled)
    for rest in [StoreAtRest.logFilled, .logFilledWithIndex] {
      let made = try rest.make()
      let database = try TemporaryDatabase(name: "fails-\(call)-\(code)-x.sqlite")
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.moveItem(
          atPath: made.path + suffix, toPath: database.path + suffix)
      }
      let error = try #require(refusal(opening: database))
      #expect(error.reason == reason, "\(error)")
      #expect(error.description.contains(String(cString: strerror(code))) || reason != .other)
    }
  }

  @Test func `a log that vanishes before it is opened has no rows to miss`() throws {
    let database = try StoreAtRest.logClosed.make()
    #expect(refusal(opening: database) == nil)
    try Data().write(to: URL(fileURLWithPath: database.path + "-wal"))
    #expect(refusal(opening: database) == nil)
  }
}
