import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLiteStore

/// The copy that is made before the first save, and what is said before it.
struct BackupTests {
  /// A moment whose name does not depend on the time zone of the machine.
  private let moment = Date(timeIntervalSince1970: 1_700_000_000)

  private func backUp(_ database: TemporaryDatabase) throws -> StoreBackup {
    let backup = try StoreBackup(of: database.path, subject: database.path, date: moment)
    let store = try database.open()
    try store.pool.read(doing: "backing up") { connection throws(StoreError) in
      try backup.write(from: connection)
    }
    return backup
  }

  @Test(arguments: StoreAtRest.allCases)
  func `a backup holds what a reader sees, and the store stays as it is`(_ rest: StoreAtRest) throws
  {
    let database = try rest.make()
    let before = try FolderPicture(database.folder)
    let backup = try backUp(database)
    let name = URL(fileURLWithPath: backup.path).lastPathComponent
    #expect(name.wholeMatch(of: #/test\.backup-\d{8}-\d{6}\.sqlite/#) != nil)
    var after = try FolderPicture(database.folder).files
    #expect(after.removeValue(forKey: name) != nil)
    #expect(after == before.files)
    let copy = try SQLiteStore.open(path: backup.path)
    #expect(try copy.count(FetchPlan(entityName: "t"), control: nil) == rest.rowCount)
  }

  @Test func `a backup never takes a name that is taken`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)", name: "store")
    let paths = try (0..<3).map { _ in try backUp(database).path }
    #expect(Set(paths).count == 3)
    #expect(paths[1] == paths[0] + "-2")
    #expect(try database.files.count == 4)
  }

  @Test func `the files of external values go with the backup`() throws {
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

  @Test func `a backup that fails leaves nothing and says how to go on`() throws {
    // The name of a copy would be longer than the system allows.
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a)", name: String(repeating: "x", count: 240))
    let before = try database.files
    #expect { try backUp(database) } throws: { error in
      (error as? StoreError)?.remedy.contains("--no-backup") == true
    }
    #expect(try database.files == before)
  }

  @Test func `a program that has the store open is named`() throws {
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
