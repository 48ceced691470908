import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteStore

/// Whether a file is a Core Data store, by its first pages.
struct StoreFileKindTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("store")
  }

  private static let metadata =
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"

  private func make(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      for sql in sql { try database.execute(sql: sql) }
    }
    try queue.close()
  }

  @Test func `a plain database is none, whatever its rows say`() throws {
    try make(
      "CREATE TABLE t(x)", "INSERT INTO t VALUES ('\(Self.metadata)')",
      "CREATE TABLE Z_METADATAS(x)")
    let kind = try #require(StoreFileKind(path: path))
    #expect(kind.name == "SQLite database" && kind.byteCount > 0)
  }

  @Test(arguments: [512, 4096, 65536])
  func `the table may be the last of a schema of a thousand pages`(pageSize: Int) throws {
    try make("PRAGMA page_size = \(pageSize)")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA page_size = \(pageSize); BEGIN")
      for number in 0..<600 {
        let columns = (0..<40).map { "column_\($0)_of_\(number)" }.joined(separator: ", ")
        try database.execute(sql: "CREATE TABLE t\(number)(\(columns))")
      }
      try database.execute(sql: "COMMIT")
    }
    try queue.close()
    #expect(StoreFileKind(path: path)?.isCoreData == false)
    try make(Self.metadata)
    #expect(StoreFileKind(path: path)?.isCoreData == true)
  }

  @Test func `a new store may have it in its log alone`() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(x)")
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      try database.execute(sql: Self.metadata)
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    #expect(log.range(of: Data(Self.metadata.utf8)) != nil)
    #expect(StoreFileKind(path: path)?.isCoreData == true)
    try queue.close()
  }

  @Test func `damaged pages end the search`() throws {
    try make("CREATE TABLE t(x)", Self.metadata)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      var bytes = whole.prefix(Int.random(in: 100...whole.count, using: &random))
      // An inner page whose children are anywhere, itself too.
      bytes[100] = 5
      for _ in 0..<40 {
        bytes[Int.random(in: 100..<bytes.count, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      #expect(StoreFileKind(path: path)?.byteCount == bytes.count)
    }
  }
}
