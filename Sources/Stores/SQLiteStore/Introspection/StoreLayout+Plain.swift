import Foundation
import GRDB
import ObjectModel
import SQLQueries

extension StoreLayout {
  /// Derives the model and its layout from a database's schema: tables and views become entities,
  /// columns attributes, foreign keys relationships.
  ///
  /// Where declared types are not specific, a few rows of the table are sampled.
  ///
  /// - Parameters:
  ///   - database: A connection.
  ///   - kinds: What a person said that columns are: by `column` or `entity.column`.
  ///   - now: The present, by which dates are found plausible.
  /// - Returns: The layout.
  /// - Throws: `DatabaseError` if the schema cannot be read.
  /// - Complexity: A few queries for each table; no table is read completely.
  static func read(
    from database: Database, kinds: [String: ColumnKind] = [:], now: Date = Date()
  ) throws -> StoreLayout {
    var catalog = try Catalog(reading: database)
    catalog.hideCanonicallyEqualNames()
    let tables = catalog.tables
    let keys = try tables.map { try key(of: $0, in: database) }
    let relationships = RelationshipPlan(catalog, keys: keys)
    let remarks = catalog.unenforcedRemarks
    let isCoreData = tables.holdCoreData
    let known = KnownPrograms(
      tables: tables,
      applicationID: try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0)
    var sampler = ColumnSampler(database)
    let plans = try zip(tables, relationships.parts).map { table, part in
      try AttributePlan(
        table: table, keyColumns: part.keyColumns, isCoreData: isCoreData, known: known,
        kinds: ChosenKinds(kinds), now: now, sampler: &sampler)
    }
    let clocks = plans.reduce(into: Set<ValueEncoding>()) { $0.formUnion($1.clocks) }
    var columns = plans.map { $0.attributes(clocks: clocks, now: now) }
    columns.shareExamples(of: tables)
    var entities: [EntityDescription] = []
    var entityTables: [String: EntityTable] = [:]
    for (index, table) in tables.enumerated() {
      let part = relationships.parts[index]
      let attributes = columns[index]
      let names = Set(attributes.map(\.name))
      entities.append(
        EntityDescription(
          name: table.name, attributes: attributes, relationships: part.descriptions,
          uniquenessConstraints: table.uniqueIndexes.filter { !$0.isPrimaryKey }.map(\.columns),
          keyAttributes: keys[index].columns.filter(names.contains),
          readOnlyReason: readOnlyReason(of: table, key: keys[index]),
          details: details(of: table, remarks[table.name.nameKey] ?? [])))
      entityTables[table.name] = EntityTable(
        name: table.name, key: keys[index], columns: attributes.map(\.name), toOne: part.toOne,
        toMany: part.toMany, uncollated: table.uncollatedColumns(in: catalog))
    }
    return StoreLayout(
      model: ManagedObjectModel(entities: entities), tables: entityTables,
      otherTables: catalog.hidden, unenforcedTables: Set(remarks.keys),
      fallbackCollations: Set(
        tables.filter(\.isWithoutRowid).flatMap(\.unknownCollations)
      ).sorted())
  }

  private static func details(of table: Catalog.Table, _ unenforced: [String]) -> EntityDetails? {
    guard !unenforced.isEmpty || !table.unreadableColumns.isEmpty else { return nil }
    return EntityDetails(
      unenforcedKeys: unenforced,
      unreadableColumns: table.unreadableColumns.map {
        "The column \($0.name) cannot be read: \($0.reason)"
      })
  }

  /// Returns the key that identifies the rows of a table.
  ///
  /// A rowid is stable only if it is a column (INTEGER PRIMARY KEY), because VACUUM may change
  /// others. So a declared primary key is preferred, provided it contains no NULL (which SQLite
  /// allows unless it is declared NOT NULL) and comparing its columns finds a single row.
  private static func key(of table: Catalog.Table, in database: Database) throws -> EntityTable.Key
  {
    if let alias = table.rowidAlias { return .rowid(name: alias.name) }
    let declared = table.primaryKey
    let isDistinct = table.unknownCollations.isEmpty && table.keyIsDistinct
    if table.isWithoutRowid { return isDistinct ? .columns(declared.map(\.name)) : .none }
    if table.kind == .table, !declared.isEmpty, isDistinct,
      try declared.allSatisfy(\.isNotNull) || hasNoNulls(declared, of: table, in: database)
    {
      return .columns(declared.map(\.name))
    }
    return table.rowidName.map(EntityTable.Key.rowid) ?? .none
  }

  /// Returns whether a key of one column contains no NULL, by its index; false for longer keys,
  /// which would need a scan.
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
    if let collation = table.unknownCollations.first, table.kind == .table {
      return "its index needs the collation \(collation), which only the program that made it has"
    }
    return switch table.kind {
    case .view where table.triggers.isEmpty: "\(table.name) is a view"
    case .view:
      "only its triggers (\(table.triggers.sorted().joined(separator: ", "))) could change it, and"
        + " what they would do is not known before: \(table.name) is a view"
    case .virtual(let module): "\(table.name) is a virtual table (\(module))"
    case .table where key != .none: nil
    case .table:
      table.isWithoutRowid
        ? "the collation of \(table.name)'s key columns treats different keys as equal"
        : "\(table.name) has no key"
    }
  }
}

extension Catalog.Table {
  /// Returns whether comparing the columns of the primary key finds a single row.
  ///
  /// The key's index may distinguish values (BINARY) that its columns' collation treats as equal
  /// (NOCASE).
  fileprivate var keyIsDistinct: Bool {
    guard let index = uniqueIndexes.first(where: \.isPrimaryKey) else { return true }
    return index.parts.allSatisfy { part in
      let column = columns.first { $0.name == part.name }
      guard let own = column?.collation else { return false }
      return own.isSameName(as: "BINARY") || own.isSameName(as: part.collation)
    }
  }

  /// The columns whose collations SQLite does not have here; nil if the table can be read without
  /// regard to that, because its indexes and columns need none of these.
  fileprivate func uncollatedColumns(in catalog: Catalog) -> Set<String>? {
    let names = columns.filter { !catalog.has($0.collation) }.map(\.name)
    return kind == .table && !(names.isEmpty && unknownCollations.isEmpty) ? Set(names) : nil
  }
}

extension Catalog {
  /// What is to be known of the foreign keys that cannot be enforced, for both of their tables, by
  /// ``String/nameKey``.
  fileprivate var unenforcedRemarks: [String: [String]] {
    unenforcedKeys.reduce(into: [:]) { remarks, found in
      let remark =
        "The foreign key \(found.table).\(found.key.columnList) is not enforced: \(found.obstacle)"
      remarks[found.table.nameKey, default: []].append(remark)
      guard !found.key.parent.isSameName(as: found.table), table(named: found.key.parent) != nil
      else { return }
      remarks[found.key.parent.nameKey, default: []].append(remark)
    }
  }
}

extension [[AttributeDescription]] {
  /// Gives foreign keys without values the form of the keys that they refer to.
  fileprivate mutating func shareExamples(of tables: [Catalog.Table]) {
    for (index, table) in tables.enumerated() {
      for key in table.foreignKeys {
        guard let parent = tables.firstIndex(where: { $0.name.isSameName(as: key.parent) }) else {
          continue
        }
        let referenced = key.referenced(in: tables[parent])
        for (column, other) in zip(key.columns, referenced) {
          guard let position = self[index].firstIndex(where: { $0.name.isSameName(as: column) }),
            let source = self[parent].first(where: { $0.name.isSameName(as: other) })?.reading,
            self[index][position].reading?.example.isNull == true
          else { continue }
          self[index][position].reading?.example = source.example
          self[index][position].reading?.holdsUUIDs = source.holdsUUIDs
        }
      }
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
  /// Hides tables and columns whose names are canonically equivalent to others' in Unicode.
  ///
  /// Such names are different bytes to SQLite, but equal as Swift strings and on the screen.
  fileprivate mutating func hideCanonicallyEqualNames() {
    var names: Set<String> = []
    tables.removeAll { table in
      if names.insert(table.name).inserted { return false }
      hidden.append(
        StoreSummary.OtherTable(
          name: table.name,
          purpose: "hidden: its name equals another table's except for the Unicode composition"))
      return true
    }
    for index in tables.indices {
      var names: Set<String> = []
      tables[index].columns.removeAll { !names.insert($0.name).inserted }
    }
  }
}
