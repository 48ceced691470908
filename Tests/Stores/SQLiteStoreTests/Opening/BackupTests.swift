import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLiteStore

/// Tests of the backup made before the first save, and of the warnings before it.
struct BackupTests {
  /// The time of the backup, for its name.
  private let moment = Date(timeIntervalSince1970: 1_700_000_000)

  private func opened(_ database: TemporaryDatabase) throws -> FileGuard {
    FileGuard(
      path: database.path, subject: database.path,
      identity: try #require(FileIdentity(path: database.path)))
  }

  private func backUp(_ database: TemporaryDatabase) throws -> StoreBackup {
    var backup = try StoreBackup(of: opened(database), date: moment)
    let store = try database.open()
    try store.pool.read(doing: "backing up") { connection throws(StoreError) in
      try backup.write(from: connection.database)
    }
    return backup
  }

  @Test(arguments: StoreAtRest.allCases)
  func `a backup has all the rows a reader sees and leaves the store unchanged`(_ rest: StoreAtRest)
    throws
  {
    let database = try rest.make()
    let before = try FolderSnapshot(database.folder)
    let backup = try backUp(database)
    let name = URL(fileURLWithPath: backup.path).lastPathComponent
    #expect(name.wholeMatch(of: #/test\.backup-\d{8}-\d{6}\.sqlite/#) != nil)
    var after = try FolderSnapshot(database.folder).files
    #expect(after.removeValue(forKey: name) != nil)
    #expect(after == before.files)
    let copy = try SQLiteStore.open(path: backup.path)
    #expect(try copy.count(FetchPlan(entityName: "t"), control: nil) == rest.rowCount)
  }

  @Test func `a backup has its name only when it is complete`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    var backup = try StoreBackup(of: opened(database), date: moment)
    #expect(try database.files.allSatisfy { $0 == "test.sqlite" || $0.hasSuffix(".part") })
    let store = try database.open()
    try store.pool.read(doing: "backing up") { connection throws(StoreError) in
      try backup.write(from: connection.database)
    }
    #expect(try database.files.count == 2)
    #expect(try !database.files.contains { $0.hasSuffix(".part") })
    backup.remove()
    #expect(try database.files == ["test.sqlite"])
  }

  @Test func `a backup never overwrites an existing file`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)", name: "store")
    let paths = try (0..<3).map { _ in try backUp(database).path }
    #expect(Set(paths).count == 3)
    #expect(paths[1] == paths[0] + "-2")
    #expect(try database.files.count == 4)
  }

  @Test func `a backup whose name is taken meanwhile leaves that file alone`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    var backup = try StoreBackup(of: opened(database), date: moment)
    let other = Data("of another program".utf8)
    try other.write(to: URL(fileURLWithPath: backup.path))
    #expect(throws: StoreError.self) {
      try database.open().pool.read(doing: "backing up") { connection throws(StoreError) in
        try backup.write(from: connection.database)
      }
    }
    backup.remove()
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup.path)) == other)
    #expect(try database.files.count == 2)
  }

  @Test func `saves at the same time wait for one backup`() async throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open()
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try store.backUp()
          return store.backupPath
        }
      }
      for try await path in group { #expect(path == store.backupPath && path != nil) }
    }
    #expect(try database.files.count { $0.contains("backup") } == 1)
  }

  @Test func `a backup includes the files of external binary data`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let files = FileManager.default
    let support = database.folder.appendingPathComponent(".test_SUPPORT/_EXTERNAL_DATA")
    try files.createDirectory(at: support, withIntermediateDirectories: true)
    try Data([1, 2, 3]).write(to: support.appendingPathComponent("ABC"))
    let stem = URL(fileURLWithPath: try backUp(database).path).deletingPathExtension()
      .lastPathComponent
    let copy = database.folder.appendingPathComponent(".\(stem)_SUPPORT/_EXTERNAL_DATA/ABC")
    #expect(try Data(contentsOf: copy) == Data([1, 2, 3]))
  }

  @Test func `a failed backup leaves no file and suggests --no-backup`() throws {
    // The name of the backup would be longer than file systems allow.
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a)", name: String(repeating: "x", count: 240))
    let before = try database.files
    #expect { try backUp(database) } throws: { error in
      (error as? StoreError)?.remedy.contains("--no-backup") == true
    }
    #expect(try database.files == before)
  }

  @Test func `a warning names the program that has the store open`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open()
    #expect(store.warningsBeforeWriting() == [])
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "exec 3<\"$0\"; echo ready; read line", database.path]
    let (input, output) = (Pipe(), Pipe())
    (shell.standardInput, shell.standardOutput) = (input, output)
    try shell.run()
    _ = output.fileHandleForReading.availableData
    let warnings = store.warningsBeforeWriting()
    #expect(warnings == ["The store is open in sh (process \(shell.processIdentifier))."])
    try input.fileHandleForWriting.close()
    shell.waitUntilExit()
    #expect(store.warningsBeforeWriting() == [])
  }
}
