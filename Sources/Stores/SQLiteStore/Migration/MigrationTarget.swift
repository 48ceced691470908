import Foundation
import GRDB
import ObjectModel
import SQLQueries

/// What a new, empty store of a model has: its layout, and the statements of its schema.
///
/// It is made in memory and read there, so that a migrated store is what a new one would be.
struct MigrationTarget {
  /// A table, an index or a trigger of the schema.
  struct Item: Hashable {
    enum Kind: String { case table, index, trigger }

    let kind: Kind
    let name: String
    /// The table of an index or a trigger.
    let table: String
    let statement: String

    /// Whether it is an R-tree: core-data-stores 4.5.
    var isSpatialIndex: Bool { kind == .table && name.hasPrefix("Z_RT_") }
  }

  /// A column of a table.
  struct Column: Hashable {
    let name: String
    let declaredType: String
    var isRequired = false
  }

  /// A row of Z_PRIMARYKEY without its last key.
  struct EntityNumber: Hashable {
    let number: Int64
    let name: String
    let superNumber: Int64
  }

  let layout: StoreLayout
  /// In the order in which they are created.
  let items: [Item]
  /// The columns of tables, in order.
  let columns: [String: [Column]]
  /// Empty unless the layout is Core Data's.
  let numbers: [EntityNumber]

  /// Plans a store of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - source: The store that is migrated: its kind of tables is kept, and which of two
  ///     relationships of an entity to itself names their table.
  /// - Throws: ``StoreError`` if the model is invalid or cannot be stored.
  init(_ model: ManagedObjectModel, from source: StoreLayout) throws(StoreError) {
    let isCoreData = source.coreData != nil
    var options = CoreDataCreation()
    options.namers = Self.namers(in: model, from: source)
    let contents = try NewContents(model, isCoreData ? .coreData(options) : .plain)
    do {
      let database = try DatabaseQueue()
      (layout, items, columns, numbers) = try database.writeWithoutTransaction { database in
        try contents.write(to: database)
        let items = try Self.items(in: database)
        var columns: [String: [Column]] = [:]
        for item in items where item.kind == .table {
          columns[item.name] = try Self.columns(of: item.name, in: database)
        }
        return (
          try contents.layout(in: database), items, columns,
          isCoreData ? try Self.numbers(in: database) : []
        )
      }
    } catch {
      throw StoreError(error, doing: StoreMigration.doing, subject: "")
    }
  }

  /// The relationships that are the same as one that names its table in the source.
  private static func namers(in model: ManagedObjectModel, from source: StoreLayout)
    -> Set<RelationshipName>
  {
    var namers: Set<RelationshipName> = []
    for case let (before?, after?) in VersionPairs<EntityDescription>(
      from: source.model, to: model
    ).pairs {
      for case let (old?, new?) in VersionPairs<RelationshipDescription>(
        from: before, to: after
      ).pairs {
        guard case .join(let join)? = source.tables[before.name]?.toMany[old.name] else { continue }
        let name = join.name.drop { !$0.isNumber }.drop(while: \.isNumber)
        if name == old.name.uppercased() {
          namers.insert(RelationshipName(new.name, of: after.name))
        }
      }
    }
    return namers
  }

  /// The columns of a table that are NOT NULL.
  func requiredColumns(of table: String) -> Set<String> {
    Set((columns[table] ?? []).filter(\.isRequired).map(\.name))
  }

  /// The item with a name; nil if there is none.
  func item(_ name: String) -> Item? { items.first { $0.name == name } }

  /// The tables, indexes and triggers of a database, without those that belong to the store as a
  /// whole and those that SQLite makes by itself.
  static func items(in database: Database) throws -> [Item] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT m.type, m.name, m.tbl_name, m.sql FROM main.sqlite_schema AS m
        WHERE m.sql IS NOT NULL ORDER BY m.rowid
        """)
    let items = rows.compactMap { row -> Item? in
      guard let type = String.fromDatabaseValue(row[0]), let kind = Item.Kind(rawValue: type),
        let name = String.fromDatabaseValue(row[1]), let table = String.fromDatabaseValue(row[2]),
        let statement = String.fromDatabaseValue(row[3])
      else { return nil }
      return Item(kind: kind, name: name, table: table, statement: statement)
    }
    let own: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", StoredModel.tableName]
    let shadows = items.filter(\.isSpatialIndex).flatMap { index in
      ["node", "rowid", "parent"].map { "\(index.name)_\($0)" }
    }
    return items.filter {
      !own.contains($0.name) && !shadows.contains($0.name) && !$0.name.hasPrefix("sqlite_")
    }
  }

  private static func columns(of table: String, in database: Database) throws -> [Column] {
    try Row.fetchAll(
      database, sql: "SELECT c.name, c.type, c.\"notnull\" FROM pragma_table_info(?) AS c",
      arguments: [table]
    ).map { row in
      Column(
        name: String.fromDatabaseValue(row[0]) ?? "",
        declaredType: String.fromDatabaseValue(row[1]) ?? "",
        isRequired: Bool.fromDatabaseValue(row[2]) ?? false)
    }
  }

  private static func numbers(in database: Database) throws -> [EntityNumber] {
    try Row.fetchAll(
      database,
      sql: "SELECT p.Z_ENT, p.Z_NAME, p.Z_SUPER FROM Z_PRIMARYKEY AS p ORDER BY p.Z_ENT"
    ).map { row in
      EntityNumber(
        number: Int64.fromDatabaseValue(row[0]) ?? 0,
        name: String.fromDatabaseValue(row[1]) ?? "",
        superNumber: Int64.fromDatabaseValue(row[2]) ?? 0)
    }
  }
}
