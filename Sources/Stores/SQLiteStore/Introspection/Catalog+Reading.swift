import Foundation
import GRDB
import GRDBSQLite
import ObjectModel
import SQLQueries

extension Catalog {
  /// Reads the schema of a database, with a fixed number of queries for all ordinary tables.
  ///
  /// Unreadable tables are in ``hidden``: views of a missing table, virtual tables of a missing
  /// module.
  ///
  /// - Parameters:
  ///   - database: A connection.
  ///   - fallbackCollations: Collations that the connection has only as a comparison of bytes: see
  ///     ``FallbackCollation``.
  /// - Throws: When the schema cannot be read.
  init(reading database: Database, fallbackCollations: [String] = []) throws {
    self.init()
    let columns = try Self.columns(of: database)
    let indexes = try Self.indexes(of: database)
    let collations = indexes.mapValues { Set($0.flatMap(\.collations)).sorted() }
    let named = Set(
      columns.values.joined().map(\.collation.nameKey)
        + collations.values.joined().map(\.nameKey))
    unknownCollations = try Set(fallbackCollations.map(\.nameKey))
      .union(named.filter { try !Self.has($0, database) })
    let foreignKeys = try Self.foreignKeys(of: database)
    let modules = try Self.modules(of: database)
    let triggers = Dictionary(
      grouping: try Row.fetchAll(
        database, sql: "SELECT tbl_name, name FROM main.sqlite_schema WHERE type = 'trigger'")
    ) { ($0[0] as String).nameKey }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'
        ORDER BY name COLLATE NOCASE, name
        """)
    func ordinary(_ row: Row) -> Table {
      let (name, isWithoutRowid): (String, Bool) = (row[0], row[2] != 0)
      let own = columns[name] ?? []
      return Table(
        name: name, kind: .table, isWithoutRowid: isWithoutRowid, isStrict: row[3] != 0,
        columns: own, foreignKeys: foreignKeys[name] ?? [], indexes: indexes[name] ?? [],
        rowidName: isWithoutRowid ? nil : Self.rowidName(besides: own),
        unknownCollations: (collations[name] ?? []).filter { !has($0) })
    }
    for row in rows {
      let name: String = row[0]
      let type: String = row[1]
      if let purpose = Self.purpose(ofInternal: name) {
        if !purpose.isEmpty { hide(name, purpose) }
      } else if type == "shadow" {
        let owner = modules.keys.filter { name.hasPrefix($0 + "_") }.max { $0.count < $1.count }
        hide(name, owner.map { "storage of \($0)" } ?? "storage of a virtual table")
        shadows.append(ordinary(row))
      } else if type == "table" {
        var table = ordinary(row)
        try table.removeUnreadableColumns(in: database)
        if table.columns.isEmpty, let column = table.unreadableColumns.first {
          hide(
            name, "a table of which no column can be read: \(column.reason)", isUnreadable: true)
        } else {
          tables.append(table)
        }
      } else {
        try addOther(name, module: type == "virtual" ? modules[name] ?? "" : nil, in: database)
      }
    }
    for index in tables.indices where tables[index].kind == .view {
      tables[index].triggers = triggers[tables[index].name.nameKey]?.map { $0[1] } ?? []
    }
  }

  /// Adds a view or a virtual table, or hides an unreadable one.
  private mutating func addOther(_ name: String, module: String?, in database: Database) throws {
    do {
      let rows = try Row.fetchAll(
        database,
        sql: #"SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)"#,
        arguments: [name])
      let columns = rows.compactMap { Self.column($0) }
      guard !columns.isEmpty else {
        return hide(name, "it has no visible columns", isUnreadable: true)
      }
      // Compiling finds what the columns do not show: a collation, a list of too many names.
      _ = try database.makeStatement(sql: "SELECT * FROM \(name.quotedDatabaseIdentifier)")
      tables.append(
        Table(
          name: name, kind: module.map { .virtual(module: $0) } ?? .view, columns: columns,
          rowidName: module == nil
            ? nil : try Self.readableRowid(of: name, besides: columns, in: database)))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let why = error.message ?? "SQLite gives no reason"
      hide(
        name,
        module.map { "a virtual table of the module \($0), which is not available (\(why))" }
          ?? "a view that cannot be read: \(why)", isUnreadable: true)
    }
  }

  private mutating func hide(_ name: String, _ purpose: String, isUnreadable: Bool = false) {
    hidden.append(
      StoreSummary.OtherTable(name: name, purpose: purpose, isUnreadable: isUnreadable))
  }

  /// The purpose of an internal table of SQLite, empty for the schema table; nil for any other
  /// table.
  private static func purpose(ofInternal name: String) -> String? {
    let name = name.lowercased()
    guard name.hasPrefix("sqlite_") else { return nil }
    return switch name {
    case "sqlite_schema": ""
    case "sqlite_sequence": "SQLite's counters of AUTOINCREMENT keys"
    case _ where name.hasPrefix("sqlite_stat"): "SQLite's statistics for planning queries"
    default: "an internal table of SQLite"
    }
  }

  private static func column(_ row: Row) -> Column? {
    let hidden: Int = row["hidden"]
    guard hidden != 1 else { return nil }
    return Column(
      name: row["name"], declaredType: row["type"] ?? "", isNotNull: row["notnull"] != 0,
      defaultText: row["dflt_value"], keyPosition: row["pk"], isGenerated: hidden > 1)
  }

  private static func columns(of database: Database) throws -> [String: [Column]] {
    var columns: [String: [Column]] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT l.name AS "table", x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
        FROM pragma_table_list AS l CROSS JOIN pragma_table_xinfo(l.name, 'main') AS x
        WHERE l.schema = 'main' AND l.type IN ('table', 'shadow')
        """)
    while let row = try rows.next() {
      if let column = column(row) { columns[row[0], default: []].append(column) }
    }
    // Few tables name a collation, and only a call for each column says which.
    let collating = try String.fetchAll(
      database,
      sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%collate%'")
    for table in collating {
      for index in columns[table]?.indices ?? 0..<0 {
        guard let column = columns[table]?[index].name else { continue }
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(
          database.sqliteConnection, "main", table, column, nil, &collation, nil, nil, nil)
        guard code == SQLITE_OK, let collation else { continue }
        columns[table]?[index].collation = String(cString: collation)
      }
    }
    return columns
  }

  private static func foreignKeys(of database: Database) throws -> [String: [ForeignKey]] {
    var keys: [String: [ForeignKey]] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT m.name, f.seq, f."table", f."from", f."to", f.on_delete, f.on_update
        FROM main.sqlite_schema AS m CROSS JOIN pragma_foreign_key_list(m.name, 'main') AS f
        WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.name, f.id DESC, f.seq
        """)
    // SQLite numbers foreign keys from the last to the first: this is the order of the declaration.
    while let row = try rows.next() {
      let table: String = row[0]
      if row[1] == 0 {
        keys[table, default: []].append(
          ForeignKey(
            parent: row[2], columns: [], referenced: [], onDelete: row[5], onUpdate: row[6]))
      }
      guard var list = keys[table], !list.isEmpty else { continue }
      list[list.count - 1].columns.append(row[3])
      if let to: String = row[4] { list[list.count - 1].referenced.append(to) }
      keys[table] = list
    }
    return keys
  }

  private static func indexes(of database: Database) throws -> [String: [Index]] {
    var indexes: [String: [Index]] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT m.name, c.seqno, i."unique", i.origin, i.partial, c.name, c.coll, c.key
        FROM main.sqlite_schema AS m CROSS JOIN pragma_index_list(m.name, 'main') AS i
        CROSS JOIN pragma_index_xinfo(i.name, 'main') AS c
        WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.name, i.seq DESC, c.seqno
        """)
    while let row = try rows.next() {
      let (table, origin): (String, String) = (row[0], row[3])
      if row[1] == 0 {
        indexes[table, default: []].append(
          Index(isUnique: row[2] != 0, isPrimaryKey: origin == "pk", isPartial: row[4] != 0))
      }
      guard let last = indexes[table]?.indices.last else { continue }
      let collation: String = row[6] ?? "BINARY"
      indexes[table]?[last].collations.append(collation)
      if row[7] != 0 {
        indexes[table]?[last].parts.append(Index.Part(name: row[5], collation: collation))
      }
    }
    return indexes
  }

  /// Whether SQLite has a collation on a connection; its list of collations has those that the
  /// schema names too.
  private static func has(_ collation: String, _ database: Database) throws -> Bool {
    try problem(reading: ["'' < '' COLLATE \(collation.quotedDatabaseIdentifier)"], in: database)
      == nil
  }

  /// The modules of virtual tables, by table name.
  private static func modules(of database: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0")
    return Dictionary(firstOf: rows.map { row in (row[0], module(in: row[1] ?? "")) })
  }

  /// The word after USING.
  private static func module(in sql: String) -> String {
    guard
      let using = sql.range(of: #"\sUSING\s+"#, options: [.regularExpression, .caseInsensitive])
    else { return "" }
    return String(sql[using.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  /// Why SQLite cannot compile a statement with some expressions; nil if it can.
  fileprivate static func problem(
    reading expressions: [String], of table: String? = nil, in database: Database
  ) throws -> String? {
    do {
      let source = table.map { " FROM \($0.quotedDatabaseIdentifier) AS t" } ?? ""
      _ = try database.makeStatement(
        sql: "SELECT " + expressions.joined(separator: ", ") + source)
      return nil
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return error.message ?? "SQLite gives no reason"
    }
  }

  private static func rowidName(besides columns: [Column]) -> String? {
    ["rowid", "_rowid_", "oid"].first { name in
      !columns.contains { $0.name.isSameName(as: name) }
    }
  }

  /// A name of a virtual table's rowid; nil if the module has none, which only preparing a
  /// statement shows.
  private static func readableRowid(
    of table: String, besides columns: [Column], in database: Database
  ) throws -> String? {
    guard let name = rowidName(besides: columns),
      try problem(reading: ["t.\(name)"], of: table, in: database) == nil
    else { return nil }
    return name
  }
}

extension Catalog.Table {
  /// Removes the generated columns that cannot be computed, such as by a function that SQLite does
  /// not have here.
  fileprivate mutating func removeUnreadableColumns(in database: Database) throws {
    let generated = columns.filter(\.isGenerated)
    func problem(reading columns: [Catalog.Column]) throws -> String? {
      try Catalog.problem(
        reading: columns.map { "t." + $0.name.quotedDatabaseIdentifier }, of: name, in: database)
    }
    guard !generated.isEmpty, try problem(reading: generated) != nil else { return }
    for column in generated {
      guard let reason = try problem(reading: [column]) else { continue }
      columns.removeAll { $0.name == column.name }
      unreadableColumns.append(Catalog.UnreadableColumn(name: column.name, reason: reason))
    }
  }
}
