import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLQueries
import SQLiteStore
import Testing

/// Tests of opening files of all kinds, and of the errors for those that cannot be opened.
struct OpeningTests {
  private static let isRoot = geteuid() == 0

  private func refusal(opening path: String) -> StoreError? {
    do {
      _ = try SQLiteStore.open(path: path, options: .init(busyTimeout: 0.05))
      return nil
    } catch {
      return error
    }
  }

  private func write(_ bytes: Data, to database: TemporaryDatabase) throws {
    try bytes.write(to: URL(fileURLWithPath: database.path))
  }

  @Test func `a missing file, an invalid path, a directory and a pipe have their own errors`()
    throws
  {
    let database = try TemporaryDatabase()
    #expect(refusal(opening: database.path)?.reason == .notFound)
    #expect(refusal(opening: database.path)?.subject == database.path)
    #expect(refusal(opening: database.path + "/below")?.reason == .notFound)
    #expect(refusal(opening: "")?.reason == .notFound)
    #expect(refusal(opening: "a\0b")?.reason == .notFound)
    #expect(refusal(opening: database.folder.path)?.reason == .notAFile)
    #expect(refusal(opening: database.folder.path)?.detail == "it is a directory")
    #expect(refusal(opening: "/dev/null")?.detail == "it is a device")
    try #require(mkfifo(database.path, 0o600) == 0)
    #expect(refusal(opening: database.path)?.detail == "it is a pipe")
    #expect(try database.files == ["test.sqlite"])
  }

  @Test(arguments: [
    ("", "the file is empty", StoreError.Reason.notADatabase),
    (
      "Dear reader,\nhello", "it begins with \"Dear reader,\"",
      .notADatabase
    ),
    ("\u{1}\u{2}", "it does not have the header of a SQLite database", .notADatabase),
    ("SQLite format 3\0", "it is truncated after 16 bytes", .corrupt),
  ])
  func `the error for another file quotes its beginning`(
    _ text: String, _ detail: String, _ reason: StoreError.Reason
  ) throws {
    let database = try TemporaryDatabase()
    try write(Data(text.utf8), to: database)
    let error = try #require(refusal(opening: database.path))
    #expect(error.detail == detail)
    #expect(error.reason == reason)
    #expect(!error.remedy.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: database.path)) == Data(text.utf8))
  }

  @Test func `random bytes are reported as possibly encrypted`() throws {
    let database = try TemporaryDatabase()
    try write(Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 200) }), to: database)
    #expect(refusal(opening: database.path)?.detail.contains("encrypted") == true)
  }

  @Test func `a truncated or damaged database is corrupt`() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(20000))")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: database.path))
    try write(bytes.prefix(8192), to: database)
    let short = try #require(refusal(opening: database.path))
    #expect(short.reason == .corrupt)
    #expect(short.detail == "it is truncated: 8192 of \(bytes.count) bytes are left")
    bytes.replaceSubrange(100..<200, with: Data(repeating: 0xEE, count: 100))
    try write(bytes, to: database)
    #expect(refusal(opening: database.path)?.reason == .corrupt)
  }

  @Test func `a malformed schema is corrupt`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a); CREATE INDEX i ON t (a)")
    try database.run(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (' WHERE name = 't'
      """)
    let error = try #require(refusal(opening: database.path))
    #expect(error.reason == .corrupt)
    #expect(error.detail.contains("malformed"))
  }

  @Test func `a locked database throws after the busy timeout`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let other = try database.connect()
    try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    let error = try #require(refusal(opening: database.path))
    #expect(error.reason == .locked)
    #expect(error.remedy.contains("close the other program"))
    try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(refusal(opening: database.path) == nil)
  }

  @Test(arguments: [
    "a?b.db", "a#b.db", "100%41.db", "with blank .db", "file:x.db", "ä😀.db", "a'b\"c.db", "-x",
  ])
  func `a database can have any path`(_ name: String) throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a); INSERT INTO t VALUES (1)", name: name)
    let store = try database.open()
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    #expect(store.summary.name == name)
    #expect(try database.files == [name])
  }

  @Test(arguments: [
    "PRAGMA encoding = 'UTF-16le'", "PRAGMA encoding = 'UTF-16be'", "PRAGMA page_size = 512",
    "PRAGMA page_size = 65536", "PRAGMA auto_vacuum = 1",
  ])
  func `every text encoding and page size can be opened`(_ pragma: String) throws {
    let database = try TemporaryDatabase(
      "\(pragma); CREATE TABLE t (grüße TEXT); INSERT INTO t VALUES ('žluť')")
    let store = try database.open()
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    #expect(try store.snapshots(of: ids).values.map(\.values) == [["žluť"]])
  }

  @Test(arguments: ["DELETE", "WAL", "TRUNCATE"])
  func `opening and reading leave the directory unchanged`(_ mode: String) throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = \(mode); CREATE TABLE t (a DATE); INSERT INTO t VALUES (1)")
    let files = try database.files
    let before = try Data(contentsOf: URL(fileURLWithPath: database.path))
    do {
      let store = try database.open()
      #expect(store.summary.journalMode == (mode == "WAL" ? "WAL" : "DELETE"))
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    }
    #expect(try database.files == files)
    #expect(try Data(contentsOf: URL(fileURLWithPath: database.path)) == before)
  }

  @Test func `an existing write-ahead log is left unchanged`() throws {
    let copy = try databaseWithLog()
    let before = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: copy.path + $0)) }
    do {
      let store = try copy.open()
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    }
    let after = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: copy.path + $0)) }
    #expect(after == before)
  }

  /// Creates a database whose only row is in its write-ahead log.
  private func databaseWithLog() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let copy = try TemporaryDatabase()
    let other = try database.connect()
    try other.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: database.path + suffix, toPath: copy.path + suffix)
    }
    try other.close()
    return copy
  }

  @Test func `a hot journal is rolled back by the first save`() throws {
    let crashed = try crashedDatabase()
    let store = try crashed.open()
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    #expect(store.summary.readOnlyReason == nil)
    #expect(try crashed.files == ["test.sqlite", "test.sqlite-journal"])
    let id = ObjectID(storeIdentifier: "", entityName: "t", key: .temporary(1))
    _ = try store.save(SaveRequest(inserted: [RowChange(id: id)]))
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 2)
    #expect(try crashed.files == ["test.sqlite"])
  }

  @Test func `a read-only store rolls back a hot journal in a private copy`()
    throws
  {
    let crashed = try crashedDatabase()
    let before = try Data(contentsOf: URL(fileURLWithPath: crashed.path))
    let store = try crashed.open(.init(isReadOnly: true))
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    #expect(store.summary.readOnlyReason == "it was opened read-only")
    #expect(try Data(contentsOf: URL(fileURLWithPath: crashed.path)) == before)
    #expect(try crashed.files == ["test.sqlite", "test.sqlite-journal"])
  }

  /// Creates a database with one row and a hot journal, as a crash during a large change leaves it.
  private func crashedDatabase() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(9000))")
    let crashed = try TemporaryDatabase()
    let other = try database.connect()
    try other.writeWithoutTransaction { connection in
      try connection.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE t SET a = 1")
      try connection.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
          INSERT INTO t SELECT zeroblob(9000) FROM n
          """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: database.path + suffix, toPath: crashed.path + suffix)
      }
      try connection.execute(sql: "ROLLBACK")
    }
    return crashed
  }

  @Test func `a store opened read-only refuses to save`() throws {
    let store = try TemporaryDatabase("CREATE TABLE t (a)").open(.init(isReadOnly: true))
    #expect(store.summary.readOnlyReason == "it was opened read-only")
    #expect { try store.save(SaveRequest()) } throws: { ($0 as? StoreError)?.reason == .readOnly }
  }

  @Test(.disabled(if: isRoot, "root bypasses file permissions"), arguments: ["DELETE", "WAL"])
  func `files that are not writable or in such a directory are opened read-only`(_ mode: String)
    throws
  {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = \(mode); CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    for (file, folder) in [(0o444, 0o755), (0o644, 0o555), (0o444, 0o555)] as [(mode_t, mode_t)] {
      chmod(database.path, file)
      chmod(database.folder.path, folder)
      defer { chmod(database.folder.path, 0o755) }
      let store = try database.open()
      #expect(store.summary.readOnlyReason?.contains("writing") == true)
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
      #expect(try database.files == ["test.sqlite"])
    }
  }

  @Test(
    .disabled(if: isRoot, "root bypasses file permissions"), arguments: ["DELETE", "WAL"],
    [true, false])
  func `a store is saved once permission has come, and after it came back`(
    _ mode: String, _ isFile: Bool
  ) throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = \(mode); CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let path = isFile ? database.path : database.folder.path
    func forbid() { chmod(path, isFile ? 0o444 : 0o555) }
    func allow() { chmod(path, isFile ? 0o644 : 0o755) }
    forbid()
    defer { allow() }
    let store = try database.open()
    let observation = store.observeForeignChanges {}
    defer { observation.cancel() }
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    #expect(throws: ManagedObjectError.self) { try context.insert(entityName: "t") }
    for count in 2...4 {
      allow()
      #expect(store.summary.readOnlyReason == nil)
      try context.insert(entityName: "t")["a"] = .integer(Int64(count))
      forbid()
      #expect(throws: ManagedObjectError.self) { try context.save() }
      #expect(store.summary.readOnlyReason?.contains("writing") == true)
      allow()
      try context.save()
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == count)
      forbid()
    }
  }

  @Test(.disabled(if: isRoot, "root bypasses file permissions"))
  func `a store whose write-ahead log could not be written is saved once it can`() throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let other = try database.connect()
    try other.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    chmod(database.path + "-wal", 0o444)
    let store = try database.open()
    let id = ObjectID(storeIdentifier: "", entityName: "t", key: .temporary(1))
    let request = SaveRequest(inserted: [RowChange(id: id)])
    #expect(throws: StoreError.self) { try store.save(request) }
    chmod(database.path + "-wal", 0o644)
    _ = try store.save(request)
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 2)
    try other.close()
  }

  @Test(.disabled(if: isRoot, "root bypasses file permissions"))
  func `a write-ahead log in a read-only directory is read`() throws {
    let copy = try databaseWithLog()
    chmod(copy.folder.path, 0o555)
    defer { chmod(copy.folder.path, 0o755) }
    let store = try copy.open()
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
    #expect(store.summary.readOnlyReason?.contains("directory") == true)
  }

  @Test(.disabled(if: isRoot, "root bypasses file permissions"))
  func `a file without read permission throws permissionDenied`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    chmod(database.path, 0)
    #expect(refusal(opening: database.path)?.reason == .permissionDenied)
  }

  @Test func `reading and saving throw once the file was replaced or deleted`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try database.open()
    try FileManager.default.removeItem(atPath: database.path)
    #expect { try store.count(FetchPlan(entityName: "t"), control: nil) } throws: {
      ($0 as? StoreError)?.reason == .replaced
    }
    try database.run("CREATE TABLE t (a)")
    #expect { try store.save(SaveRequest()) } throws: { ($0 as? StoreError)?.reason == .replaced }
  }

  @Test func `a schema changed by another program throws`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
    let store = try database.open()
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    try database.run("ALTER TABLE t DROP COLUMN b")
    #expect { try store.snapshots(of: ids) } throws: {
      ($0 as? StoreError)?.detail.contains("changed its tables") == true
    }
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == 1)
  }

  @Test func `the identifier of a plain database depends on its canonical path`() throws {
    let one = try TemporaryDatabase("CREATE TABLE t (a)")
    let two = try TemporaryDatabase("CREATE TABLE t (a)")
    #expect(try one.open().identifier == one.open().identifier)
    #expect(try one.open().identifier != two.open().identifier)
    let link = two.folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: one.path)
    #expect(try SQLiteStore.open(path: link).identifier == one.open().identifier)
  }

  @Test func `a store whose file was deleted does not blame its permissions`() throws {
    let folder = try TemporaryDatabase("CREATE TABLE t (a)")
    let store = try folder.open()
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(store.summary.readOnlyReason == "its file was deleted")
  }
}
