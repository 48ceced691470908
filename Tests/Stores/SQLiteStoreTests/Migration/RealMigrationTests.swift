import Foundation
import GRDB
import ModelFiles
import ObjectModel
import SQLQueries
import TestSupport
import Testing

@testable import SQLiteStore

/// Real stores, migrated to each later version of their models, are looked at with SQL alone.
@Suite(.needsRealStores) struct RealMigrationTests {
  /// A family of stores and the versions of its model.
  struct Family: Sendable {
    let model: String
    /// The names of versions; the first is that of the first store.
    let versions: [String]
    /// The stores by version, from 0.
    let stores: [Int: String]
    /// What must be equal before and after, by the version from which on a query is valid.
    let facts: [[Int: String]]
    /// Versions that cannot be inferred, by the version that follows, with a reason.
    var refused: [Int: String] = [:]
  }

  static let families: [Family] = [
    Family(
      model: "duckduckgo/BookmarksModel.xcdatamodeld",
      versions: ["BookmarksModel"] + (2...6).map { "BookmarksModel \($0)" },
      stores: Dictionary(
        uniqueKeysWithValues: (0..<5).map { ($0, "duckduckgo/Bookmarks_V\($0 + 1).sqlite") }),
      facts: [
        [
          0: """
          SELECT Z_PK, Z_OPT, ZISFOLDER, ZPARENT, Z_FOK_PARENT, ZTITLE, ZURL, ZUUID
          FROM ZBOOKMARKENTITY ORDER BY 1
          """
        ],
        [
          0: """
          SELECT ZFAVORITEFOLDER, Z_PK, Z_FOK_FAVORITEFOLDER FROM ZBOOKMARKENTITY
          WHERE ZFAVORITEFOLDER IS NOT NULL ORDER BY 1, 2
          """,
          3: """
          SELECT Z_1FAVORITEFOLDERS, Z_1FAVORITES, Z_FOK_1FAVORITES FROM Z_1FAVORITES ORDER BY 1, 2
          """,
        ],
      ]),
    Family(
      model: "duckduckgo/SyncMetadata.xcdatamodeld",
      versions: ["SyncMetadata 3", "SyncMetadata 4"],
      stores: [0: "duckduckgo/SyncMetadata_V3.sqlite"],
      facts: [
        [0: "SELECT Z_PK, Z_OPT, ZNAME FROM ZSYNCFEATUREENTITY ORDER BY 1"],
        [0: "SELECT * FROM ZSYNCABLESETTINGSMETADATA ORDER BY 1"],
      ]),
    Family(
      model: "coredataplus/Fixtures/SampleModel.momd",
      versions: ["SampleModel", "SampleModel2", "SampleModel3"],
      stores: [0: "coredataplus/SampleModel_V1.sqlite", 1: "coredataplus/SampleModel_V2.sqlite"],
      facts: [
        [
          0: """
          SELECT Z_PK, Z_OPT, Z_ENT, ZOWNER, ZMODEL, ZNUMBERPLATE, ZISLIMITEDEDITION,
          ZMARKEDFORDELETIONASOF FROM ZCAR ORDER BY 1
          """
        ], [0: "SELECT Z_PK, Z_OPT, ZFIRSTNAME, ZLASTNAME, ZUPDATEDAT FROM ZPERSON ORDER BY 1"],
      ]),
    Family(
      model: "coredataplus/Fixtures/SampleModel3.momd",
      versions: ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"],
      stores: [0: "coredataplus/SampleModel3_V1.sqlite"],
      facts: [[0: "SELECT Z_PK, Z_OPT, ZNAME FROM ZUSER ORDER BY 1"]]),
    Family(
      model: "wibosco/CoreDataMigration_Example.xcdatamodeld",
      versions: ["CoreDataMigration_Example"]
        + (2...4).map { "CoreDataMigration_Example \($0)" },
      stores: [
        0: "wibosco/CoreDataMigration_Example_1.sqlite",
        1: "wibosco/CoreDataMigration_Example_2.sqlite",
        2: "wibosco/CoreDataMigration_Example_3.sqlite",
      ],
      facts: [
        [0: "SELECT Z_PK, Z_OPT, ZDATE, ZPOSTID FROM ZPOST ORDER BY 1"],
        [
          0: "SELECT Z_PK, ZCOLOR FROM ZPOST ORDER BY 1",
          1: "SELECT Z_PK, ZHEXCOLOR FROM ZPOST ORDER BY 1",
        ], [2: "SELECT * FROM ZSECTION ORDER BY 1"],
      ], refused: [2: "Post.sections is required, and no object has one"]),
  ]

  /// Each store with each later version of its model.
  static let pairs: [(family: Int, from: Int, to: Int)] = families.indices.flatMap { family in
    families[family].stores.keys.sorted().flatMap { from in
      families[family].versions.indices.filter { $0 > from }.map { (family, from, $0) }
    }
  }

  @Test(arguments: pairs)
  func `a real store keeps its objects`(family: Int, from: Int, to: Int) throws {
    let all = Self.families[family]
    let copy = try copy(all, from)
    let store = try copy.open()
    let path = try RealStores.file("migration/" + all.model).path
    let model = try ModelFile.read(path: path, version: all.versions[to]).model
    let hashes = try ModelFile.versions(path: path).hashes[all.versions[to]] ?? [:]
    let before = try facts(copy, all, version: from)
    let (identity, lastKeys) = (try identity(copy), try lastKeys(copy))
    let errors = try store.check().map(\.message)
    let migration = try store.migration(to: model, versionHashes: hashes)
    if let refused = all.refused.first(where: { from < $0.key && to >= $0.key }) {
      #expect(migration.refusals == [refused.value])
      return
    }
    #expect(migration.refusals.isEmpty)
    try store.migrate(migration)

    let migrated = try copy.open()
    #expect(migrated.model.differences(from: model).isEmpty)
    #expect(try migrated.check().filter { !errors.contains($0.message) }.isEmpty)
    let after = try facts(copy, all, version: to)
    #expect(before.count == after.count)
    for (before, after) in zip(before, after) where before != nil { #expect(before == after) }
    #expect(try self.identity(copy) == identity)
    #expect(try self.lastKeys(copy).merging(lastKeys) { $1 } == self.lastKeys(copy))
    #expect(try store.backupPath.map { try SQLiteStore.open(path: $0).check().count } != nil)
    #expect(try migrated.migration(to: model, versionHashes: hashes).isEmpty)
  }

  @Test(arguments: pairs.filter { families[$0.family].stores[$0.to] != nil })
  func `its tables are those of the real later store`(family: Int, from: Int, to: Int) throws {
    let all = Self.families[family]
    let (copy, later) = (try copy(all, from), try copy(all, to))
    let store = try copy.open()
    let migration = try store.migration(to: try later.open().model)
    guard migration.refusals.isEmpty else { return }
    try store.migrate(migration)
    let (tables, expected) = (try schema(copy), try schema(later))
    #expect(tables == expected)
  }

  /// All entities get other numbers and a new attribute, so that every table is made anew.
  @Test(arguments: RealStores.coreDataNames)
  func `any real store keeps its objects in a model that has more`(name: String) throws {
    let copy = try StoreCopy(name, options: .init(makesBackup: false, forcesWriting: true))
    guard copy.store.layout.coreData?.hasDerivedModel == false else { return }
    let model = copy.store.model
    let extra = AttributeDescription("cardfileExtra", .string, defaultValue: "new")
    let larger = ManagedObjectModel(
      entities: model.entities.map { entity in
        entity.changed(attributes: entity.attributes + [extra])
      } + [EntityDescription(name: "AAAA", attributes: [AttributeDescription("text", .string)])],
      details: model.details)
    let errors = try copy.store.check().map(\.kind)
    let before = try rows(copy.store)
    let migration = try copy.store.migration(to: larger)
    guard migration.refusals.isEmpty else {
      #expect(
        migration.refusals.allSatisfy {
          $0.contains("of no entity of its model") || $0.contains("iCloud")
        }, "\(migration.refusals)")
      return
    }
    try copy.store.migrate(migration)
    let migrated = try copy.database.open()
    #expect(try migrated.check().filter { !errors.contains($0.kind) }.map(\.message) == [])
    let after = try rows(migrated)
    #expect(before.count == after.count)
    for (id, row) in before {
      let new = after[id]
      #expect(new.map { Array($0.dropLast()) } == row, "\(id)")
      #expect(new?.last == ["new"], "\(id)")
    }
  }

  /// The values of each object, with the keys of the destinations of its relationships.
  private func rows(_ store: SQLiteStore) throws -> [String: [[String]]] {
    var rows: [String: [[String]]] = [:]
    for entity in store.model.entities {
      let plan = FetchPlan(entityName: entity.name, includesSubentities: false)
      let ids = Array(try store.fetch(plan, control: nil).ids.prefix(300))
      for (id, snapshot) in try store.snapshots(of: ids) {
        var values = zip(entity.attributes, snapshot.values).filter {
          $0.0.name != "cardfileExtra" && $0.0.details.derivation == nil
        }.map { ["\($0.0.name)=\($0.1)"] }.sorted { $0[0] < $1[0] }
        for relationship in entity.relationships {
          let found = try store.destinations(of: relationship.name, from: [id])[id] ?? []
          let keys = found.map(\.description)
          values.append([relationship.name] + (relationship.isOrdered ? keys : keys.sorted()))
        }
        if let index = entity.attributeIndex("cardfileExtra") {
          values.append([snapshot.values[index].description])
        }
        rows["\(entity.name)/\(id.key)"] = values
      }
    }
    return rows
  }

  // MARK: Reading with SQL

  private func copy(_ family: Family, _ version: Int) throws -> TemporaryDatabase {
    let name = try #require(family.stores[version])
    let database = try TemporaryDatabase()
    for suffix in ["", "-wal"] {
      let original = try RealStores.file("migration/" + name + suffix)
      guard FileManager.default.fileExists(atPath: original.path) else { continue }
      let path = database.path + suffix
      try FileManager.default.copyItem(atPath: original.path, toPath: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }
    return database
  }

  private func facts(_ database: TemporaryDatabase, _ family: Family, version: Int) throws
    -> [[[DatabaseValue]]?]
  {
    let queue = try database.connect()
    return try queue.read { database in
      return try family.facts.map { queries in
        guard let key = queries.keys.filter({ $0 <= version }).max(), let query = queries[key]
        else {
          return nil
        }
        return try Row.fetchAll(database, sql: query).map { Array($0.databaseValues) }
      }
    }
  }

  private func identity(_ database: TemporaryDatabase) throws -> String? {
    try database.connect().read { try String.fetchOne($0, sql: "SELECT Z_UUID FROM Z_METADATA") }
  }

  private func lastKeys(_ database: TemporaryDatabase) throws -> [String: Int] {
    try database.connect().read {
      let rows = try Row.fetchAll(
        $0, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }

  /// The columns of each table in order, the statements of indexes and the numbers of entities.
  private func schema(_ database: TemporaryDatabase) throws -> [String] {
    try database.connect().read { database in
      let statements = try String.fetchAll(
        database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
      let numbers = try Row.fetchAll(
        database, sql: "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1")
      return Set(statements).sorted()
        + numbers.map {
          // A subentity keeps its former name in a store that Core Data has migrated.
          "\($0)".replacingOccurrences(of: "ExpensiveSportCar", with: "LuxuryCar")
        }
    }
  }
}
