import GRDB
import ObjectModel
import SQLQueries

/// What the schema says of how columns are stored, beyond their declared types.
struct SchemaFacts {
  /// The columns that an index without a WHERE clause begins with, by table.
  private let indexedColumns: [String: Set<String>]
  /// The STRICT tables, whose ANY converts nothing.
  private let strictTables: Set<String>
  /// The number by which a program marks its databases; 0 for none.
  let applicationID: Int64

  init(reading database: Database) throws {
    let indexes = try Row.fetchAll(
      database,
      sql: """
        SELECT DISTINCT m.name, c.name
        FROM main.sqlite_schema AS m CROSS JOIN pragma_index_list(m.name, 'main') AS i
        CROSS JOIN pragma_index_xinfo(i.name, 'main') AS c
        WHERE m.type = 'table' AND m.rootpage > 0 AND NOT i.partial AND c.seqno = 0
          AND c.name IS NOT NULL AND c.coll = 'BINARY'
        """)
    indexedColumns = indexes.reduce(into: [:]) { $0[$1[0], default: []].insert($1[1]) }
    strictTables = Set(
      try String.fetchAll(
        database, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict"))
    applicationID = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
  }

  func isIndexed(_ column: String, of table: String) -> Bool {
    indexedColumns[table]?.contains(column) ?? false
  }

  /// How SQLite converts what is stored in a column.
  func conversion(of column: Catalog.Column, in table: Catalog.Table) -> StorageConversion {
    guard table.kind == .table else { return .none }
    switch ColumnAffinity(declaredType: column.declaredType) {
    case .text: return .text
    case .numeric: return .numeric
    case .real: return .real
    case .none: return .none
    case .unknown: return strictTables.contains(table.name) ? .none : .numeric
    }
  }
}
