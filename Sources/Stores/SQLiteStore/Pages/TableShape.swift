import CSQLite
import ObjectModel
import SQLQueries

/// Where the rows of a table begin and how they are laid out, as the schema says.
struct TableShape: Sendable {
  /// A column that is in the records, or the key.
  struct Column: Sendable {
    let place: cs_column
    let affinity: ColumnAffinity
  }

  /// The number of the first page.
  let root: Int64
  /// In bytes.
  let pageSize: Int64
  /// By their names in statements of a fetch; generated columns that are not stored are left out.
  let columns: [SQL: Column]

  /// Asks the schema for the shape of a table; nil if it has none.
  ///
  /// - Throws: ``StoreError``.
  init?(of table: EntityTable, key: String, _ scope: QueryScope, on connection: Connection)
    throws(StoreError)
  {
    guard
      let place = try connection.rows(
        """
        SELECT rootpage, (SELECT page_size FROM pragma_page_size) \
        FROM sqlite_schema WHERE type = 'table' AND name = \(Value.string(table.name))
        """, doing: "fetching", subject: table.name
      ).first,
      case .integer(let root) = place[0], case .integer(let size) = place[1]
    else { return nil }
    self.root = root
    pageSize = size
    columns = try Self.columns(of: table, key: key, scope, on: connection)
  }

  /// An INTEGER PRIMARY KEY is the key of the tree, and has no index; any other one has.
  private static func columns(
    of table: EntityTable, key: String, _ scope: QueryScope, on connection: Connection
  ) throws(StoreError) -> [SQL: Column] {
    let name = Value.string(table.name)
    let rows = try connection.rows(
      """
      SELECT name, type, dflt_value, hidden, \
      pk AND NOT EXISTS (SELECT 1 FROM pragma_index_list(\(name)) WHERE origin = 'pk') \
      FROM pragma_table_xinfo(\(name)) ORDER BY cid
      """, doing: "fetching", subject: table.name)
    let rowid = cs_column(index: -1, is_real: 0, older: CS_DEFAULT_NULL, number: 0)
    var columns = [scope.column(key): Column(place: rowid, affinity: .numeric)]
    var index: Int32 = 0
    for row in rows {
      guard let name = row[0].text, row[3] != .integer(2) else { continue }
      let affinity = ColumnAffinity(declaredType: row[1].text ?? "")
      let (older, number) = try olderValue(row[2].text, affinity, on: connection)
      let place =
        row[4] == .integer(1)
        ? rowid
        : cs_column(
          index: index, is_real: affinity == .real ? 1 : 0, older: older, number: number)
      columns[scope.column(name)] = Column(place: place, affinity: affinity)
      index += 1
    }
    return columns
  }

  /// What rows have that are older than a column.
  ///
  /// - Parameters:
  ///   - expression: The column's default value as it is declared; nil for none.
  ///   - affinity: Converts it.
  ///   - connection: Reads numbers as SQLite does.
  /// - Returns: NULL, a number or an empty text; else `CS_DEFAULT_OTHER`.
  /// - Throws: ``StoreError``.
  private static func olderValue(
    _ expression: String?, _ affinity: ColumnAffinity, on connection: Connection
  ) throws(StoreError) -> (cs_default, Int64) {
    let text =
      switch expression?.lowercased() {
      case nil, "null": nil as String?
      case "true": "1"
      case "false": "0"
      case let expression: expression
      }
    guard let text else { return (CS_DEFAULT_NULL, 0) }
    if text == "''" { return (CS_DEFAULT_EMPTY, 0) }
    // SQLite reads longer numbers as doubles.
    guard text.utf8.count <= 18, affinity != .text, text.utf8.allSatisfy(digits.contains) else {
      return (CS_DEFAULT_OTHER, 0)
    }
    if affinity != .real, let integer = Int64(text) { return (CS_DEFAULT_INTEGER, integer) }
    let number = try connection.rows(
      "SELECT CAST(\(Value.string(text)) AS REAL)", doing: "fetching"
    ).first?.first
    // Some columns have 1.0 as the integer 1.
    guard case .double(let number)? = number, affinity == .real || number != number.rounded() else {
      return (CS_DEFAULT_OTHER, 0)
    }
    return (CS_DEFAULT_DOUBLE, Int64(bitPattern: number.bitPattern))
  }

  /// What a number in SQL has that is written in digits.
  private static let digits = Set("0123456789+-.".utf8)
}
