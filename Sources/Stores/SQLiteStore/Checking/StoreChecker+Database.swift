import ObjectModel
import SQLQueries

extension StoreChecker {
  /// The database size in bytes above which the quick check is run.
  private static let wholeCheckLimit: Int64 = 4 << 30
  /// The maximum number of reported damages.
  private static let damageLimit = 20

  /// Runs SQLite's integrity check.
  ///
  /// - Returns: Whether there is no damage, so that tables can be read.
  mutating func checkDatabase() throws(StoreError) -> Bool {
    let size = try value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    let isWhole = if case .integer(let bytes) = size { bytes <= Self.wholeCheckLimit } else { true }
    let pragma: SQL = isWhole ? "integrity_check" : "quick_check"
    var messages: [String] = []
    func run(_ argument: SQL) throws(StoreError) {
      do throws(StoreError) {
        let statement = try prepare("PRAGMA \(pragma)(\(argument))")
        while try statement.step() {
          if let text = statement.value(0).text, text != "ok" { messages.append(text) }
        }
      } catch  where error.reason == .corrupt {
        messages.append(error.detail)
      }
    }
    do throws(StoreError) {
      // Where the order of an index is not known, its rows seem to be in the wrong place.
      guard layout.tables.values.allSatisfy({ $0.uncollated == nil }) else {
        throw StoreError(.other, doing: "checking")
      }
      try run("\(number: Self.damageLimit)")
    } catch  where error.reason == .other {
      let names = try texts(
        """
        SELECT m.name FROM main.sqlite_schema m
        WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY 1
        """)
      for name in names {
        do throws(StoreError) { try check(name, run) } catch  where error.reason == .other {
          let named = error.namingCulprit(tables: [name.nameKey], on: connection)
          report(
            .note, .partialCheck, table: name, "\(name) was not checked by SQLite: \(named.detail)",
            remedy: named.remedy)
        }
      }
    }
    for text in messages {
      report(
        .error, .integrity, "SQLite finds damage: \(text)",
        remedy: "restore a backup, or save what can be read with: sqlite3 FILE .recover")
    }
    if !isWhole {
      report(
        .note, .partialCheck, "the file is very large: SQLite did not compare indexes with tables",
        remedy: "sqlite3 FILE 'PRAGMA integrity_check'")
    }
    return messages.isEmpty
  }

  /// Checks one table, if SQLite knows the order of its indexes.
  private func check(_ table: String, _ run: (SQL) throws(StoreError) -> Void) throws(StoreError) {
    if let (entity, _) = layout.tables.first(where: { $1.name == table && $1.uncollated != nil }) {
      throw StoreError(
        .other, doing: "checking",
        detail: layout.model.entity(named: entity)?.readOnlyReason
          ?? "it needs a collation that is not available here")
    }
    try run("\(name: table)")
  }

  /// Notes the tables and views that cannot be read.
  mutating func checkUnreadable() {
    for table in layout.otherTables where table.isUnreadable {
      report(.note, .missingTable, table: table.name, "\(table.name) is \(table.purpose)")
    }
    for entity in layout.model.entities {
      for sentence in entity.details.unreadableColumns {
        report(.note, .missingColumn, table: entity.name, "\(entity.name): \(sentence)")
      }
    }
  }

  func readCatalog() throws(StoreError) -> Catalog {
    do {
      return try Catalog(
        reading: connection.database, fallbackCollations: layout.fallbackCollations)
    } catch {
      throw StoreError(error, doing: "checking", subject: path)
    }
  }

  /// Finds rows that violate declared foreign keys, and keys that cannot be enforced.
  mutating func checkForeignKeys(_ catalog: Catalog) throws(StoreError) {
    for (table, key, obstacle) in catalog.unenforcedKeys {
      report(
        .warning, .foreignKey, table: table,
        "the foreign key \(table).\(key.columnList) is not enforced: \(obstacle)",
        remedy: "nothing if its program does not need it; else correct the schema")
    }
    let isUnenforced = Set(catalog.unenforcedKeys.map(\.table))
    for table in catalog.tables where isUnenforced.contains(table.name) {
      for key in table.foreignKeys where catalog.obstacle(to: key) == nil {
        try check(key, of: table, in: catalog)
      }
    }
    var found: [[String]: Offenders] = [:]
    let tables = try texts(
      """
      SELECT DISTINCT m.name FROM sqlite_schema m, pragma_foreign_key_list(m.name) \
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY m.name
      """)
    for table in tables where !isUnenforced.contains(table) {
      let statement = try prepare("SELECT * FROM pragma_foreign_key_check(\(.string(table)))")
      while try statement.step() {
        let names = [statement.value(0).text ?? "", statement.value(2).text ?? ""]
        found[names, default: Offenders()].add(statement.value(1).description)
      }
    }
    for (names, offenders) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      report(
        .error, .foreignKey, table: names[0], offenders,
        "refer to rows of \(names[1]) that do not exist",
        remedy: "insert the missing rows, or set the foreign key to NULL")
    }
  }

  /// Finds rows that violate a foreign key of a table that has others that cannot be enforced:
  /// SQLite checks all keys of a table or none.
  private mutating func check(
    _ key: Catalog.ForeignKey, of table: Catalog.Table, in catalog: Catalog
  ) throws(StoreError) {
    guard let parent = catalog.table(named: key.parent),
      let referenced = catalog.referencedColumns(of: key, in: parent)
    else { return }
    let isSet = key.columns.map { "\(column: $0, of: "c") IS NOT NULL" as SQL }
    // Without its affinity the value is converted as the parent's column demands.
    let isThere = zip(referenced, key.columns).map {
      "\(column: $0.name, of: "p") = +\(column: $1, of: "c")" as SQL
    }
    let source = layout.tables[table.name]?.source ?? .name(table.name)
    let rowKey: [SQL] =
      layout.tables[table.name].map { keyColumns(of: $0, alias: "c") } ?? ["''"]
    try report(
      .error, .foreignKey, table: table.name, rows: rowKey,
      from: """
        \(source) c WHERE \(isSet.joined(" AND ")) AND NOT EXISTS \
        (SELECT 1 FROM \(name: parent.name) p WHERE \(isThere.joined(" AND ")))
        """,
      "refer to rows of \(parent.name) that do not exist",
      remedy: "insert the missing rows, or set the foreign key to NULL")
  }
}
