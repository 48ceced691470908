package import GRDB
import GRDBSQLite
import ObjectModel

extension StoreLayout {
  /// Makes a layout of what a database holds: tables and views become entities, columns attributes, foreign keys
  /// relationships.
  ///
  /// A handful of queries read the schema; a few rows are looked at of tables whose declarations leave types open. No
  /// table is read whole.
  ///
  /// - Parameter database: A connection.
  /// - Returns: The layout.
  /// - Throws: `DatabaseError`, when the schema itself cannot be read.
  package static func read(from database: Database) throws -> StoreLayout {
    var catalog = try Catalog(reading: database)
    catalog.separateTwins()
    let tables = catalog.tables
    let keys = try tables.map { try key(of: $0, in: database) }
    let relationships = RelationshipPlan(tables: tables, keys: keys)
    let isCoreData = tables.holdCoreData
    var sampler = ColumnSampler(database)
    var entities: [EntityDescription] = []
    var entityTables: [String: EntityTable] = [:]
    for (place, table) in tables.enumerated() {
      let part = relationships.parts[place]
      let attributes = try AttributePlan(
        table: table, keyColumns: part.keyColumns, isCoreData: isCoreData
      ).attributes(sampler: &sampler)
      let names = Set(attributes.map(\.name))
      entities.append(
        EntityDescription(
          name: table.name, attributes: attributes, relationships: part.descriptions,
          uniquenessConstraints: table.uniqueIndexes.filter { !$0.isPrimaryKey }.map(\.columns),
          keyAttributes: keys[place].columns.filter(names.contains),
          readOnlyReason: readOnlyReason(of: table, key: keys[place])))
      entityTables[table.name] = EntityTable(
        name: table.name, key: keys[place], columns: attributes.map(\.name), toOne: part.toOne,
        toMany: part.toMany)
    }
    return StoreLayout(
      model: ManagedObjectModel(entities: entities), tables: entityTables,
      otherTables: catalog.hidden)
  }

  /// Chooses the key of a table's rows.
  ///
  /// The rowid itself is steady only where it has a column: VACUUM may number others anew. So a declared key comes
  /// first, where none of its values can be NULL, which SQLite allows in a primary key not declared NOT NULL, and where
  /// comparing its columns finds one row alone.
  private static func key(of table: Catalog.Table, in database: Database) throws -> EntityTable.Key
  {
    if let alias = table.rowidAlias { return .rowid(name: alias.name) }
    let declared = table.primaryKey
    let isDistinct = table.keyIsDistinct(in: database)
    if table.isWithoutRowid { return isDistinct ? .columns(declared.map(\.name)) : .none }
    if table.kind == .table, !declared.isEmpty, isDistinct,
      try declared.allSatisfy(\.isNotNull) || hasNoNulls(declared, of: table, in: database)
    {
      return .columns(declared.map(\.name))
    }
    return table.rowidName.map(EntityTable.Key.rowid) ?? .none
  }

  /// Whether a key of one column has no NULL, which its index tells at once; a longer key is not searched.
  private static func hasNoNulls(
    _ key: [Catalog.Column], of table: Catalog.Table, in database: Database
  ) throws -> Bool {
    guard key.count == 1, let column = key.first else { return false }
    return try Row.fetchOne(
      database,
      sql: """
        SELECT 1 FROM \(table.name.quotedDatabaseIdentifier) AS t
        WHERE t.\(column.name.quotedDatabaseIdentifier) IS NULL LIMIT 1
        """) == nil
  }

  private static func readOnlyReason(of table: Catalog.Table, key: EntityTable.Key) -> String? {
    switch table.kind {
    case .view: "\(table.name) is a view"
    case .virtual(let module): "\(table.name) is a virtual table (\(module))"
    case .table where key != .none: nil
    case .table:
      table.isWithoutRowid
        ? "\(table.name) has a key whose columns compare different values as equal"
        : "\(table.name) has no key"
    }
  }
}

extension Catalog.Table {
  /// Whether comparing the columns of the primary key finds one row alone.
  ///
  /// The key's index may tell values apart (BINARY) that the columns themselves compare as equal (NOCASE).
  fileprivate func keyIsDistinct(in database: Database) -> Bool {
    guard let index = uniqueIndexes.first(where: \.isPrimaryKey) else { return true }
    return zip(index.columns, index.collations).allSatisfy { column, collation in
      var own: UnsafePointer<CChar>?
      let code = sqlite3_table_column_metadata(
        database.sqliteConnection, "main", name, column, nil, &own, nil, nil, nil)
      guard code == SQLITE_OK, let own else { return false }
      let ownCollation = String(cString: own)
      return ownCollation.isSameName(as: "BINARY") || ownCollation.isSameName(as: collation)
    }
  }
}

extension [Catalog.Table] {
  /// Whether these are the tables of a Core Data store.
  var holdCoreData: Bool {
    contains { $0.name == "Z_METADATA" } && contains { $0.name == "Z_PRIMARYKEY" }
  }
}

extension Catalog {
  /// Hides tables and columns whose names differ from others' only in how their characters are composed.
  ///
  /// Such names are different bytes to SQLite and the same text to a person, and to us.
  fileprivate mutating func separateTwins() {
    var names: Set<String> = []
    tables.removeAll { table in
      if names.insert(table.name).inserted { return false }
      hidden.append(
        StoreSummary.OtherTable(
          name: table.name, purpose: "named like another table, but for its bytes"))
      return true
    }
    for place in tables.indices {
      var names: Set<String> = []
      tables[place].columns.removeAll { !names.insert($0.name).inserted }
    }
  }
}
