import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Tests of the form in which values are written into plain databases.
struct StoredFormTests {
  private func context(_ database: TemporaryDatabase) throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: try database.open()))
  }

  private func object(_ entity: String, _ key: Int64, in context: ManagedObjectContext) throws
    -> ManagedObject
  {
    let request = FetchRequest(entityName: entity)
    return try #require(try context.fetch(request).first { $0.objectID.key == .integer(key) })
  }

  /// The values of each row of a query, as SQLite writes them.
  private func rows(_ sql: String, _ database: TemporaryDatabase) throws -> [String] {
    try database.connect().read { connection in
      try Row.fetchAll(connection, sql: sql).map { row in
        row.databaseValues.map { value in
          switch value.storage {
          case .null: "NULL"
          case .int64(let number): "\(number)"
          case .double(let number): "\(number)"
          case .string(let text): text
          case .blob(let data): "\(data.count) bytes"
          }
        }.joined(separator: "|")
      }
    }
  }

  private static let uuid = Value.uuid(
    UUID(uuidString: "AABBCCDD-0000-4000-8000-0000000000FF") ?? UUID())

  @Test func `a new UUID has the form of the others, as a key and as a foreign key too`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE owner(id UUID PRIMARY KEY NOT NULL, name TEXT);
      INSERT INTO owner VALUES('6f9619ff-8b86-d011-b42d-00c04fc964ff','lower');
      CREATE TABLE pet(id INTEGER PRIMARY KEY, owner UUID REFERENCES owner(id), tag UUID, g GUID,
        b UUID);
      INSERT INTO pet VALUES(1, NULL, '6F9619FF8B86D011B42D00C04FC964FF',
        '{6f9619ff-8b86-d011-b42d-00c04fc964ff}', x'6F9619FF8B86D011B42D00C04FC964FF');
      """)
    let context = try context(database)
    let owner = try context.insert(entityName: "owner")
    owner["id"] = Self.uuid
    let pet = try object("pet", 1, in: context)
    let relationship = try #require(pet.entity.toOneRelationships.first)
    try pet.setObject(owner, forKey: relationship.name)
    let other = try context.insert(entityName: "pet")
    for name in ["tag", "g", "b"] { other[name] = Self.uuid }
    try context.save()
    let written = try rows(
      """
      SELECT (SELECT id FROM owner WHERE name IS NULL), (SELECT owner FROM pet WHERE id = 1),
        tag, g, hex(b), typeof(b) FROM pet WHERE id = 2
      """, database)
    #expect(
      written == [
        "aabbccdd-0000-4000-8000-0000000000ff|aabbccdd-0000-4000-8000-0000000000ff"
          + "|AABBCCDD0000400080000000000000FF"
          + "|{aabbccdd-0000-4000-8000-0000000000ff}|AABBCCDD0000400080000000000000FF|blob"
      ])
  }

  @Test(arguments: [
    ("visit_time REAL", "770000000.5), (770000001", "738000060.0|real"),
    ("date_added INTEGER", "13350000000000000", "13360780860000000|integer"),
    ("created_at INTEGER", "1717200000123), (1717200000456", "1716307260000|integer"),
    ("updated_at", "1717200000.5", "1716307260.0|real"),
    ("created DATETIME", "1717200000", "1716307260|integer"),
    ("d DATE", "20240501", "20240521|integer"),
    ("created_at TEXT", "'2024-05-01T10:00:00Z'", "2024-05-21T00:00:00Z|text"),
    ("LastWriteTime INTEGER", "133600000000000000", "133607808600000000|integer"),
  ])
  func `a new date has the epoch, the unit and the storage class of the others`(
    column: String, values: String, stored: String
  ) throws {
    let name = String(column.split(separator: " ")[0])
    let database = try TemporaryDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, \(column)); INSERT INTO t(\(name)) VALUES (\(values))"
    )
    let context = try context(database)
    let isDay = stored.hasPrefix("20240521") || stored.hasPrefix("2024-05-21")
    let date = Value.date(Date(timeIntervalSince1970: isDay ? 1_716_249_600 : 1_716_307_260))
    let object = try context.insert(entityName: "t")
    object[name] = date
    try context.save()
    #expect(object[name] == date)
    #expect(
      try rows("SELECT \(name), typeof(\(name)) FROM t ORDER BY id DESC LIMIT 1", database) == [
        stored
      ])
  }

  @Test func `numbers are stored and found in columns of dates and booleans`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, created INTEGER, day TEXT, flag BOOLEAN, doc BLOB, txt TEXT);
      INSERT INTO t(created, day, flag, doc, txt)
      VALUES (1717200000, NULL, 1, '{}', x'00'), (1717200001, NULL, 0, x'7b7d', 'x');
      CREATE TABLE u(id INTEGER PRIMARY KEY, day DATE); INSERT INTO u VALUES (1, '2024-05-01'), (2, 5);
      """)
    let context = try context(database)
    let first = try object("t", 1, in: context)
    first["created"] = 1_700_000_000
    first["flag"] = 7
    first["doc"] = "[]"
    first["txt"] = .data(Data([1]))
    try context.save()
    #expect(
      try rows("SELECT created, flag, typeof(doc), hex(txt) FROM t WHERE id = 1", database) == [
        "1700000000|7|text|01"
      ])
    #expect(first["created"] == .date(Date(timeIntervalSince1970: 1_700_000_000)))
    #expect(first["flag"] == 7)
    func count(_ entity: String, _ format: String) throws -> Int {
      let predicate = try FetchPredicate(format: format)
      return try context.count(for: FetchRequest(entityName: entity, predicate: predicate))
    }
    #expect(try count("t", "created > 1717200000") == 1)
    #expect(try count("t", "created == 1700000000") == 1)
    #expect(try count("t", "created BETWEEN {1700000000, 1717200000}") == 1)
    #expect(try count("t", "created IN {1700000000, 1717200001}") == 2)
    #expect(try count("t", "flag > 1") == 1)
    #expect(try count("u", "day == 5") == 1)
    #expect(try count("u", "day > '2024-04-01'") == 1)
    #expect(throws: (any Error).self) { try first.setValue("soon", forKey: "created") }
  }
}
