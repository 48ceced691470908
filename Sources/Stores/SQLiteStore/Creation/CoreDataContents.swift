package import Foundation
import GRDB
import ModelFiles
import ObjectModel
import SQLQueries

/// Creates the tables of a new Core Data store, and writes Z_PRIMARYKEY, Z_METADATA and
/// Z_MODELCACHE.
///
/// See core-data-stores 2, 3 and 4.1.
struct CoreDataContents {
  /// NSPersistenceFrameworkVersion of a new store: that of macOS 11, whose tables are created.
  private static let frameworkVersion: Int64 = 1044

  private let blueprint: CoreDataBlueprint
  private let options: CoreDataCreation
  private let cache: Data

  var model: ManagedObjectModel { blueprint.model }

  /// Prepares a store.
  ///
  /// - Throws: ``StoreError`` if a part of the model cannot be stored.
  init(_ model: ManagedObjectModel, _ options: CoreDataCreation) throws(StoreError) {
    blueprint = try CoreDataBlueprint(
      model, keepsHistory: options.keepsHistory, namers: options.namers)
    self.options = options
    do {
      cache = try ModelCacheWriter.data(of: model)
    } catch {
      throw StoreError(
        .unsupported, doing: "creating a store", subject: error.subject, detail: "\(error)")
    }
  }

  /// Sets the page size and auto-vacuum, before there are tables.
  ///
  /// - Throws: `DatabaseError`.
  func prepare(_ database: Database) throws {
    try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2")
  }

  /// Creates the tables and writes their first rows, inside a transaction.
  ///
  /// - Throws: `DatabaseError`.
  func write(to database: Database) throws {
    for statement in blueprint.statements { try database.execute(sql: statement) }
    for entity in blueprint.entitiesByNumber {
      let number = blueprint.naming.number(of: entity.name)
      let above = entity.superentityName.map { blueprint.naming.number(of: $0) } ?? 0
      try database.execute(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
        arguments: [number, entity.name, above])
    }
    for table in HistoryTable.allCases where options.keepsHistory {
      try database.execute(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
        arguments: [table.entityNumber, table.entityName])
    }
    try database.execute(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      arguments: [options.identifier.uuidString, metadata.binaryPropertyList()])
    try database.execute(
      sql: "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", arguments: [cache])
  }

  private var metadata: PropertyListValue {
    let identifiers = blueprint.model.details.versionIdentifiers
    var values: [String: PropertyListValue] = [
      "NSStoreType": "SQLite", "_NSAutoVacuumLevel": "2",
      "NSPersistenceFrameworkVersion": .integer(Self.frameworkVersion),
      "NSStoreModelVersionHashesVersion": 3,
      "NSStoreModelVersionIdentifiers": .array(
        (identifiers.isEmpty ? [""] : identifiers).map(PropertyListValue.string)),
    ]
    if !options.versionHashes.isEmpty {
      values["NSStoreModelVersionHashes"] = .dictionary(
        options.versionHashes.mapValues(PropertyListValue.data))
    }
    return .dictionary(values)
  }
}

/// The options of a new Core Data store.
package struct CoreDataCreation: Hashable, Sendable {
  /// The store's UUID, a part of its objects' URIs.
  package var identifier: UUID
  /// Whether the store has persistent history, as SwiftData's stores always have.
  package var keepsHistory: Bool
  /// The version hashes by entity name, from a VersionInfo.plist or another store.
  ///
  /// They cannot be computed. Without them an app can open the store only by migrating it.
  package var versionHashes: [String: Data]
  /// Of relationships from an entity to itself, those that name the join table.
  var namers: Set<RelationshipName> = []

  /// Creates options.
  package init(
    identifier: UUID = UUID(), keepsHistory: Bool = false, versionHashes: [String: Data] = [:]
  ) {
    self.identifier = identifier
    self.keepsHistory = keepsHistory
    self.versionHashes = versionHashes
  }
}

extension SQLiteStore {
  /// The layout of a new store's tables.
  package enum CreationLayout: Hashable, Sendable {
    /// Plain tables, named by the model.
    case plain
    /// Core Data's tables.
    case coreData(CoreDataCreation)
  }
}
