package import ObjectModel
import SQLQueries

extension SQLiteStore {
  /// Whether this is a Core Data store, whose model describes its columns.
  package var isCoreData: Bool { layout.coreData != nil }

  /// Reads all columns of an object's row, including keys and counters that are not properties.
  ///
  /// - Parameter id: A permanent ID.
  /// - Returns: The row; nil if the object does not exist.
  /// - Throws: `StoreError`.
  package func row(behind id: ObjectID) throws(StoreError) -> TableRow? {
    guard id.storeIdentifier == identifier, !id.isTemporary else { return nil }
    return try read(doing: "reading a row") { connection throws(StoreError) in
      try reader.row(behind: id, on: connection)
    }
  }
}

extension StoreReader {
  /// The longest value that is read whole, in characters of text or bytes of a blob.
  private static var longestRowValue: Int { 256 }

  func row(behind id: ObjectID, on connection: Connection) throws(StoreError) -> TableRow? {
    let scope = try QueryScope(entityName: id.entityName, layout: layout)
    let names = try columnNames(of: scope.table.name, on: connection)
    var columns: [TableRow.Column] = []
    for names in names.chunks(of: Self.columnsPerStatement) {
      let selected = names.flatMap {
        SQL.truncated(scope.column($0), to: Self.longestRowValue, types: "'blob', 'text'")
      }
      let statement = try Statement(
        "SELECT \(selected) FROM \(scope.from) WHERE \(scope.condition(keys: [id.key]))",
        on: connection, doing: "reading a row", subject: scope.table.name)
      guard try statement.step() else { return nil }
      for (index, name) in names.enumerated() {
        let column = Int32(truncatingIfNeeded: index * 2)
        let length = statement.isInteger(column + 1) ? Int(statement.integer(column + 1)) : nil
        columns.append(.init(name: name, value: statement.value(column), cutLength: length))
      }
    }
    return TableRow(table: scope.table.name, columns: columns)
  }

  /// SQLite's limit is 2000 result columns, and each column takes two.
  private static var columnsPerStatement: Int { 900 }

  private func columnNames(of table: String, on connection: Connection) throws(StoreError)
    -> [String]
  {
    try connection.rows(
      """
      SELECT name FROM pragma_table_xinfo(\(Value.string(table))) WHERE hidden <> 1 ORDER BY cid
      """, doing: "reading a row", subject: table
    ).compactMap { $0[0].text }
  }
}
