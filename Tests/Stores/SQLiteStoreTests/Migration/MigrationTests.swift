import Foundation
import GRDB
import ModelFiles
import ObjectModel
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

/// What a migration keeps beside the objects, and what it refuses because of them.
struct MigrationTests {
  private typealias Details = AttributeDetails

  private static func entity(
    _ name: String, _ attributes: [AttributeDescription],
    _ relationships: [RelationshipDescription] = [], unique: [[String]] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name, attributes: attributes, relationships: relationships,
      uniquenessConstraints: unique)
  }

  private static func renamed(_ name: String, from former: String, _ type: AttributeType)
    -> AttributeDescription
  {
    AttributeDescription(
      name, type, details: Details(property: PropertyDetails(renamingIdentifier: former)))
  }

  private static let person = ManagedObjectModel(entities: [
    entity("Person", [AttributeDescription("name", .string)])
  ])
  /// A new entity comes before, so that the number of the other one changes.
  private static let renamedPerson = ManagedObjectModel(entities: [
    entity("Album", [AttributeDescription("title", .string)]),
    entity("Person", [renamed("fullName", from: "name", .string)]),
  ])

  private func make(
    _ model: ManagedObjectModel, _ sql: String = "", history: Bool = false, isPlain: Bool = false
  ) throws -> TemporaryDatabase {
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(
      path: database.path, model: model,
      layout: isPlain ? .plain : .coreData(CoreDataCreation(keepsHistory: history)))
    if !sql.isEmpty { try database.run(sql) }
    return database
  }

  private func migrate(
    _ database: TemporaryDatabase, to model: ManagedObjectModel, hashes: [String: Data] = [:],
    isMapped: Bool = false
  ) throws {
    let store = try database.open(.init(makesBackup: false))
    let mapping = isMapped ? MappingModel(inferredFrom: store.model, to: model) : nil
    try store.migrate(
      try store.migration(to: model, versionHashes: hashes, mapping: mapping))
  }

  private func texts(_ database: TemporaryDatabase, _ sql: String) throws -> [String] {
    try database.connect().read { try Row.fetchAll($0, sql: sql) }.map { row in
      row.databaseValues.map { value in
        if case .blob(let data) = value.storage {
          return data.map { String($0) }.joined(separator: ".")
        }
        return String.fromDatabaseValue(value) ?? "\(value)"
      }.joined(separator: " ")
    }
  }

  @Test func `history has the numbers and slots of the new model`() throws {
    let kept = Details(preservesValueInHistoryOnDeletion: true)
    let before = ManagedObjectModel(entities: [
      Self.entity("Gone", [AttributeDescription("text", .string)]),
      Self.entity(
        "Person",
        [
          AttributeDescription("name", .string, details: kept),
          AttributeDescription("year", .integer16),
        ]),
    ])
    let after = ManagedObjectModel(entities: [
      Self.entity("A", [AttributeDescription("text", .string)]),
      Self.entity("B", [AttributeDescription("text", .string)]),
      Self.entity(
        "Person",
        [
          AttributeDescription("born", .date, details: kept),
          AttributeDescription("name", .string, details: kept),
          AttributeDescription("year", .integer16),
        ]),
    ])
    let database = try make(
      before,
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS,
        ZTOMBSTONE0) VALUES (1, 16001, 1, 1, 1, 1, x'80', NULL), (2, 16001, 1, 2, 1, 1, x'40', NULL),
        (3, 16001, 1, 2, 1, 1, x'80', NULL), (4, 16001, 2, 2, 2, 1, NULL, 'Ada');
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 100.5);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_ENT = 16001;
      """, history: true)
    try migrate(database, to: after)
    // The slots were name, year; they are born, name, year.
    #expect(
      try texts(
        database, "SELECT Z_PK, ZENTITY, ZCOLUMNS, ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE")
        == ["2 3 32 NULL NULL", "3 3 64 NULL NULL", "4 3 NULL NULL Ada"])
    #expect(
      try texts(database, "SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY").suffix(4) == [
        "3 Person 0", "16001 CHANGE 4", "16002 TRANSACTION 0", "16003 TRANSACTIONSTRING 0",
      ])
  }

  @Test(arguments: [false, true])
  func `files of a removed attribute go, those of a renamed one stay`(isMapped: Bool) throws {
    let external = Details(allowsExternalBinaryDataStorage: true)
    let before = ManagedObjectModel(entities: [
      Self.entity(
        "Photo",
        [
          AttributeDescription("big", .binaryData, details: external),
          AttributeDescription("old", .binaryData, details: external),
          AttributeDescription("into", .binaryData, details: external),
          AttributeDescription("outer", .binaryData),
        ])
    ])
    var property = external
    property.property = PropertyDetails(renamingIdentifier: "big")
    let after = ManagedObjectModel(entities: [
      Self.entity(
        "Photo",
        [
          AttributeDescription("image", .binaryData, details: property),
          AttributeDescription("into", .binaryData),
          AttributeDescription("outer", .binaryData, details: external),
        ])
    ])
    let names = (0..<3).map { _ in UUID().uuidString }
    func reference(_ name: String) -> String {
      "x'02" + name.utf8.map { String($0, radix: 16) }.joined() + "00'"
    }
    let database = try make(
      before,
      """
      INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZBIG, ZOLD, ZINTO, ZOUTER) VALUES
        (1, 1, 1, \(reference(names[0])), \(reference(names[1])), \(reference(names[2])), x'0500');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
      """)
    let folder = URL(filePath: ExternalFolder(storePath: database.path).path)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in names { try Data(name.utf8).write(to: folder.appending(path: name)) }
    let store = try database.open(.init(makesBackup: false))
    let mapping = isMapped ? MappingModel(inferredFrom: before, to: after) : nil
    let migration = try store.migration(to: after, mapping: mapping)
    #expect(migration.losses.map(\.phrase) == ["1 value of Photo.old"])
    try store.migrate(migration)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [names[0]])
    #expect(
      try texts(database, "SELECT CAST(ZINTO AS TEXT), ZOUTER FROM ZPHOTO") == [
        "\(names[2]) 1.5.0"
      ])
    #expect(try database.open().check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func `indexes and triggers of an app stay where their columns do`() throws {
    let database = try make(
      Self.person,
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ada');
      CREATE INDEX RADAR_1 ON ZPERSON (Z_OPT);
      CREATE INDEX RADAR_2 ON ZPERSON (ZNAME);
      CREATE TABLE log (text);
      CREATE TRIGGER logged AFTER UPDATE ON ZPERSON BEGIN INSERT INTO log VALUES (new.Z_PK); END;
      """)
    try migrate(database, to: Self.renamedPerson)
    #expect(
      try texts(
        database,
        "SELECT name FROM sqlite_schema WHERE name LIKE 'RADAR%' OR type = 'trigger'")
        == ["RADAR_1", "logged"])
    // It has not seen the migration.
    #expect(try texts(database, "SELECT * FROM log").isEmpty)
    try database.run("UPDATE ZPERSON SET Z_OPT = 2")
    #expect(try texts(database, "SELECT * FROM log") == ["1"])
  }

  @Test func `metadata of an app stay, and those of the model are new`() throws {
    let database = try make(Self.person)
    let old = PropertyListValue.dictionary([
      "NSStoreModelVersionHashes": ["Person": .data(Data([1]))],
      "NSStoreModelVersionHashesDigest": "old", "NSStoreModelVersionChecksumKey": "old",
      "AppKey": "kept", "NSPersistenceFrameworkVersion": 1244,
    ]).binaryPropertyList()
    let digits = old.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try database.run("UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'")
    let hashes = ["Album": Data(repeating: 7, count: 32), "Person": Data(repeating: 9, count: 32)]
    try migrate(database, to: Self.renamedPerson, hashes: hashes)
    let data = try database.connect().read {
      try Data.fetchOne($0, sql: "SELECT Z_PLIST FROM Z_METADATA")
    }
    let list = try PropertyListValue.read(try #require(data))
    #expect(list["AppKey"] == "kept" && list["NSPersistenceFrameworkVersion"] == 1244)
    #expect(list["NSStoreModelVersionHashes"]?["Album"]?.data == hashes["Album"])
    // Made with another implementation of SHA-256.
    #expect(
      list["NSStoreModelVersionChecksumKey"] == "SUQPpGSxccB0YrsiQiqsCtAIbV8jGtPgUHH/Xogm11Q=")
    #expect(try database.open().check().filter { $0.severity == .error }.isEmpty)
    // Without hashes nothing old is left.
    try migrate(database, to: Self.person)
    let bare = try database.connect().read {
      try Data.fetchOne($0, sql: "SELECT Z_PLIST FROM Z_METADATA")
    }
    let rest = try PropertyListValue.read(try #require(bare)).dictionary ?? [:]
    #expect(!rest.keys.contains { $0.hasPrefix("NSStoreModelVersionHashesD") })
    #expect(rest["NSStoreModelVersionHashes"] == nil && rest["AppKey"] == "kept")
  }

  @Test(arguments: [false, true], [false, true])
  func `derived values are computed anew`(isPlain: Bool, isMapped: Bool) throws {
    func model(_ expression: String?) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        Self.entity(
          "Book",
          [AttributeDescription("title", .string)]
            + (expression.map {
              [
                AttributeDescription(
                  "derived", .integer64, details: Details(derivation: .init($0)))
              ]
            } ?? []),
          [RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true)]),
        Self.entity(
          "Page", [AttributeDescription("number", .integer64)],
          [RelationshipDescription("book", to: "Book", inverse: "pages")]),
      ])
    }
    let database = try make(
      model(nil),
      isPlain
        ? """
        INSERT INTO Book (id, title) VALUES (1, 'a'), (2, 'b');
        INSERT INTO Page (id, number, book) VALUES (1, 5, 1), (2, 6, 1);
        """
        : """
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
        INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZBOOK) VALUES (1, 2, 1, 5, 1), (2, 2, 1, 6, 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2;
        """, isPlain: isPlain)
    let query = isPlain ? "SELECT derived FROM Book" : "SELECT ZDERIVED FROM ZBOOK"
    try migrate(database, to: model("pages.@count"), isMapped: isMapped)
    #expect(try texts(database, query) == ["2", "0"])
    try migrate(database, to: model("sum(pages.number)"), isMapped: isMapped)
    #expect(try texts(database, query).first == "11")
    #expect(try database.open().check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func `values that must be unique and are not are counted, and nothing is migrated`() throws
  {
    let unique = ManagedObjectModel(entities: [
      Self.entity("Person", [AttributeDescription("name", .string)], unique: [["name"]])
    ])
    let rows = "VALUES (1, 'Ada'), (2, 'Ada'), (3, NULL), (4, NULL)"
    for isPlain in [false, true] {
      let database = try make(
        Self.person,
        isPlain
          ? "INSERT INTO Person (id, name) \(rows)" : "INSERT INTO ZPERSON (Z_PK, ZNAME) \(rows)",
        isPlain: isPlain)
      let store = try database.open(.init(makesBackup: false))
      let migration = try store.migration(to: unique)
      #expect(migration.refusals == ["Person.name must be unique, and 1 value is not"])
      #expect(throws: StoreError.self) { try store.migrate(migration) }
      try database.run(
        isPlain ? "DELETE FROM Person WHERE id = 2" : "DELETE FROM ZPERSON WHERE Z_PK = 2")
      try migrate(database, to: unique)
    }
  }

  @Test func `a plan that another program has made wrong is not carried out`() throws {
    let database = try make(
      Self.person, "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ada')")
    let without = ManagedObjectModel(entities: [
      Self.entity("Person", [AttributeDescription("other", .string)])
    ])
    let store = try database.open(.init(makesBackup: false))
    let migration = try store.migration(to: without)
    try database.run("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 1, 1, 'Bob')")
    let error = #expect(throws: StoreError.self) { try store.migrate(migration) }
    #expect(error?.reason == .conflict)
    let second = try database.open(.init(makesBackup: false))
    let again = try store.migration(to: without)
    try second.migrate(try second.migration(to: without))
    let late = #expect(throws: StoreError.self) { try store.migrate(again) }
    #expect(late?.reason == .conflict)
    #expect(
      try SQLiteStore.openMigrating(
        path: database.path, options: .init(expectedModel: without)
      ).model.differences(from: without).isEmpty)
  }

  @Test func `a cancelled migration leaves the store as it was`() throws {
    let database = try make(
      Self.person,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'person ' || i FROM n
      """)
    let dump = try texts(database, "SELECT sql FROM sqlite_schema")
    let store = try database.open(.init(makesBackup: false))
    let migration = try store.migration(to: Self.renamedPerson)
    for checks in [1, 3, 20, 100] {
      let countdown = Countdown(checks)
      let holder = Mutex<FetchControl?>(nil)
      let control = FetchControl { if countdown.isOver() { holder.withLock { $0?.cancel() } } }
      holder.withLock { $0 = control }
      let error = #expect(throws: StoreError.self) {
        try FetchControl.$current.withValue(control) { try store.migrate(migration) }
      }
      holder.withLock { $0 = nil }
      #expect(error?.reason == .cancelled)
      #expect(try texts(database, "SELECT sql FROM sqlite_schema") == dump)
      #expect(try texts(database, "SELECT count(*) FROM ZPERSON") == ["20000"])
    }
  }
}

/// Counts how often work asks whether it must stop.
private final class Countdown: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  /// Whether it has been called as often as it was told.
  func isOver() -> Bool {
    left.withLock { left in
      left -= 1
      return left <= 0
    }
  }
}
