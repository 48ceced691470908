public import ObjectModel

extension SQLiteStore {
  /// Whether the store is in Core Data's layout, so that a model says what its columns mean.
  public var isCoreData: Bool { layout.coreData != nil }

  /// The row of a table that an object is made of.
  public struct Row: Hashable, Sendable {
    /// A column, and what stands in it.
    public struct Column: Hashable, Sendable {
      /// The column's name.
      public let name: String
      /// The stored value; long text and bytes are cut.
      public let value: Value
      /// The whole length of a value that is cut; nil for one that is not.
      public let cutLength: Int?
    }

    /// The table's name.
    public let table: String
    /// Its columns, in the table's order.
    public let columns: [Column]
  }

  /// Reads the row behind an object, as the table has it: keys, counters and columns that are no properties too.
  ///
  /// - Parameter id: A permanent ID.
  /// - Returns: The row; nil when the object is gone.
  /// - Throws: `StoreError`.
  public func row(behind id: ObjectID) throws(StoreError) -> Row? {
    guard id.storeIdentifier == identifier, !id.isTemporary else { return nil }
    return try read(doing: "reading a row") { connection throws(StoreError) in
      try reader.row(behind: id, on: connection)
    }
  }
}

extension StoreReader {
  /// How many bytes of a value are read.
  private static var longestRowValue: Int { 256 }

  func row(behind id: ObjectID, on connection: Connection) throws(StoreError) -> SQLiteStore.Row? {
    let scope = try QueryScope(entityName: id.entityName, layout: layout)
    let names = try columnNames(of: scope.table.name, on: connection)
    var columns: [SQLiteStore.Row.Column] = []
    for names in names.chunks(of: Self.columnsPerStatement) {
      let selected = names.flatMap { Self.cut(scope.column($0)) }
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
    return SQLiteStore.Row(table: scope.table.name, columns: columns)
  }

  /// SQLite's results have at most 2000 columns, and each of ours takes two.
  private static var columnsPerStatement: Int { 900 }

  private func columnNames(of table: String, on connection: Connection) throws(StoreError)
    -> [String]
  {
    let statement = try Statement(
      """
      SELECT name FROM pragma_table_xinfo(\(Value.string(table))) WHERE hidden <> 1 ORDER BY cid
      """, on: connection, doing: "reading a row", subject: table)
    var names: [String] = []
    while try statement.step() {
      if case .string(let name) = statement.value(0) { names.append(name) }
    }
    return names
  }

  /// A value cut, and its whole length where it is.
  private static func cut(_ value: SQL) -> [SQL] {
    let isLong: SQL = """
      typeof(\(value)) IN ('blob', 'text') AND length(\(value)) > \(number: longestRowValue)
      """
    return [
      """
      CASE WHEN \(isLong) THEN substr(\(value), 1, \(number: longestRowValue)) \
      ELSE \(value) END
      """,
      "CASE WHEN \(isLong) THEN length(\(value)) END",
    ]
  }
}
