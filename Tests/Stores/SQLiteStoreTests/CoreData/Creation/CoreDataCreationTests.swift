import Foundation
import GRDB
import ObjectModel
import SQLQueries
import SQLiteStore
import TestSupport
import Testing

@Suite struct CoreDataCreationTests {
  /// A real store, and the differences of a store created from its model.
  struct Original: CustomTestStringConvertible, Sendable {
    let name: String
    /// The tables that differ, with the reason.
    var tables: [String: String] = [:]
    /// The indexes that only the created store has, with the reason.
    var ours: [String: String] = [:]
    /// Why only the real store has some indexes and triggers; nil if it has none of its own.
    var moreOfTheirs: String?

    var testDescription: String { name }
  }

  private static let oldConstraint =
    "older frameworks declare uniqueness in the table, or not at all"
  static let originals = [
    Original(name: "accounts.sqlite"), Original(name: "data-usage.sqlite"),
    Original(name: "bookmarks-v1.sqlite"), Original(name: "posts-v1.sqlite"),
    Original(name: "posts-v3.sqlite"), Original(name: "sample-v1.sqlite"),
    Original(name: "sample-v2.sqlite"), Original(name: "cart-swiftdata.sqlite"),
    Original(name: "library-history.sqlite"),
    Original(name: "bookmarks-v5.sqlite"),
    Original(
      name: "knowledge.db",
      tables: [
        "ATRANSACTION": "the history of macOS 10.13 has no table of texts",
        "ATRANSACTIONSTRING": "as above",
      ],
      ours: [
        "Z_StructuredMetadata_UNIQUE_metadataHash": oldConstraint,
        "ATRANSACTION_ZAUTHORTS_INDEX": "as above", "ATRANSACTION_ZBUNDLEIDTS_INDEX": "as above",
        "ATRANSACTION_ZCONTEXTNAMETS_INDEX": "as above",
        "ATRANSACTION_ZPROCESSIDTS_INDEX": "as above",
        "Z_TRANSACTIONSTRING_UNIQUE_NAME": "as above",
      ]),
    Original(
      name: "moody-v1.moody",
      ours: ["Z_GeographicRegion_UNIQUE_numericISO3166Code_uniquenessDummy": oldConstraint]),
    Original(
      name: "moody-v5.moody",
      ours: ["Z_Country_UNIQUE_numericISO3166Code_uniquenessDummy": oldConstraint]),
    Original(
      name: "photos.sqlite",
      moreOfTheirs: "migrated many times: indexes of older versions, and some of the app's own"),
  ]

  @Test(
    .needsRealStores,
    arguments: originals)
  func `a store created from a real store's model has its tables, indexes and triggers`(
    _ original: Original
  ) throws {
    let copy = try StoreCopy(original.name)
    let folder = try TemporaryDatabase()
    let created = try SQLiteStore.create(
      path: folder.path, model: copy.store.model,
      layout: .coreData(CoreDataCreation(keepsHistory: copy.store.keepsHistory)))
    #expect(created.model == copy.store.model)
    #expect(try created.check() == [])

    let theirs = try SchemaPicture(path: copy.database.path)
    let ours = try SchemaPicture(path: folder.path)
    for name in Set(theirs.tables.keys).union(ours.tables.keys).sorted() {
      let isSame = theirs.tables[name] == ours.tables[name]
      #expect(isSame == (original.tables[name] == nil), "the table \(name)")
    }
    for (name, index) in ours.indexes where original.ours[name] == nil {
      #expect(theirs.indexes[name] == index)
    }
    for (name, trigger) in ours.triggers { #expect(theirs.triggers[name] == trigger) }
    if original.moreOfTheirs == nil {
      #expect(Set(theirs.indexes.keys).subtracting(ours.indexes.keys) == [])
      #expect(Set(theirs.triggers.keys).subtracting(ours.triggers.keys) == [])
    }
  }

  @Test func `a new store has its model, entity numbers and metadata`() throws {
    let folder = try TemporaryDatabase()
    let identifier = try #require(UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"))
    let store = try SQLiteStore.create(
      path: folder.path, model: CreatedModel.model,
      layout: .coreData(CoreDataCreation(identifier: identifier, keepsHistory: true)))
    #expect(store.identifier == identifier.uuidString)
    #expect(store.keepsHistory)
    #expect(store.summary.notes == [])
    #expect(store.model.entities.map(\.name) == ["Band", "Item", "Album", "Song"])
    #expect(try store.check() == [])
    let queue = try folder.connect()
    try queue.read { (database: Database) throws in
      #expect(
        try Row.fetchAll(database, sql: "SELECT * FROM Z_PRIMARYKEY").map { row in
          row.databaseValues.map { "\($0)" }.joined(separator: " ")
        } == [
          #"1 "Band" 0 0"#, #"2 "Item" 0 0"#, #"3 "Album" 2 0"#, #"4 "Song" 2 0"#,
          #"16001 "CHANGE" 0 0"#, #"16002 "TRANSACTION" 0 0"#, #"16003 "TRANSACTIONSTRING" 0 0"#,
        ])
      #expect(try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") == 2)
      #expect(try Int.fetchOne(database, sql: "PRAGMA page_size") == 4096)
      #expect(try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal")
    }
    try queue.close()
  }

  @Test func `triggers update derived attributes and R-tree tables`() throws {
    let folder = try TemporaryDatabase()
    let created = try SQLiteStore.create(
      path: folder.path, model: CreatedModel.model, layout: .coreData(CoreDataCreation()))
    let queue = try folder.connect()
    try queue.writeWithoutTransaction { (database: Database) throws in
      CreatedModel.addTriggerFunctions(to: database)
      func counts() throws -> [Int] {
        try Int.fetchAll(
          database, sql: "SELECT ZSONGCOUNT FROM ZITEM WHERE Z_ENT = 3 ORDER BY Z_PK")
      }
      try database.execute(
        sql: """
          INSERT INTO ZBAND (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLATITUDE, ZLONGITUDE) VALUES (1, 1, 1,
            'Can', 50, 7);
          INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBAND) VALUES (1, 3, 1, 'Ege', 1), (2,
            3, 1, 'Soon', NULL);
          INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZALBUM, Z_FOK_ALBUM, ZSEQUENCE)
              VALUES (3, 4, 1, 'One', 1, 1024, 1), (4, 4, 1, 'Two', 1, 2048, 2);
          """)
      #expect(try counts() == [2, 0])
      try database.execute(sql: "UPDATE ZITEM SET ZALBUM = 2 WHERE Z_PK = 4")
      #expect(try counts() == [1, 1])
      try database.execute(sql: "DELETE FROM ZITEM WHERE Z_PK = 3")
      #expect(try counts() == [0, 1])
      #expect(
        try String.fetchOne(database, sql: "SELECT ZBANDNAME FROM ZITEM WHERE Z_PK = 1") == "Can")
      try database.execute(sql: "UPDATE ZBAND SET ZNAME = 'Neu'")
      #expect(
        try String.fetchOne(database, sql: "SELECT ZBANDNAME FROM ZITEM WHERE Z_PK = 1") == "Neu")
      try database.execute(sql: "INSERT INTO Z_1FANS (Z_1IDOLS, Z_1FANS) VALUES (1, 1)")
      #expect(try Int.fetchOne(database, sql: "SELECT ZFANCOUNT FROM ZBAND") == 1)
      try database.execute(sql: "UPDATE ZBAND SET ZLATITUDE = 51")
      #expect(
        try Double.fetchOne(database, sql: "SELECT ZLATITUDE_MIN FROM Z_RT_Band_byPlace") == 51)
      try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 9")
    }
    try queue.close()
    #expect(try created.check() == [])
  }

  @Test func `a derivation that cannot be computed is refused, and no file is left behind`() throws
  {
    let folder = try TemporaryDatabase()
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Note",
        attributes: [
          AttributeDescription("title", .string),
          AttributeDescription(
            "folded", .string,
            details: AttributeDetails(derivation: .init("canonical(author.title)"))),
        ])
    ])
    #expect(throws: StoreError.self) {
      try SQLiteStore.create(
        path: folder.path, model: model, layout: .coreData(CoreDataCreation()))
    }
    #expect(try folder.files == [])
  }

  @Test(arguments: [
    ["Note", "NOTE"], ["_PRIMARYKEY"], ["_MetaData"],
  ])
  func `names of the same table are refused`(_ names: [String]) throws {
    let folder = try TemporaryDatabase()
    let model = ManagedObjectModel(
      entities: names.map {
        EntityDescription(name: $0, attributes: [AttributeDescription("title", .string)])
      })
    #expect(throws: StoreError.self) {
      try SQLiteStore.create(
        path: folder.path, model: model, layout: .coreData(CoreDataCreation()))
    }
  }
}
