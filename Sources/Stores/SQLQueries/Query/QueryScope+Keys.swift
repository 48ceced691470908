package import ObjectModel

extension QueryScope {
  /// The largest number of keys in one statement.
  package static let keysPerStatement = 500

  /// The statement that deletes rows of the scope's table.
  ///
  /// - Parameter filter: The WHERE clause that selects them; nil for all rows.
  /// - Returns: The statement.
  package func deletion(_ filter: SQL?) -> SQL {
    guard let filter else { return "DELETE FROM \(table.rows)" }
    return """
      DELETE FROM \(table.rows) \
      WHERE (\(table.keyColumnNames.map(SQL.name))) IN (SELECT \(keyColumns) FROM \(from)\(filter))
      """
  }

  /// The columns of the keys of the scope's table.
  package var keys: KeyColumns { KeyColumns(columns: keyColumns, hasRowid: table.hasRowid) }

  /// The condition that a row has one of several keys: see ``KeyColumns/condition(keys:)``.
  package func condition(keys: [ObjectKey]) -> SQL { self.keys.condition(keys: keys) }
}

/// The columns of the keys of a table in a statement.
package struct KeyColumns: Sendable {
  /// The columns.
  package let columns: [SQL]
  /// Whether the key is the rowid.
  let hasRowid: Bool

  /// The condition that a row has one of several keys.
  ///
  /// The last key is repeated up to a power of two, so that few different statements are prepared.
  package func condition(keys: [ObjectKey]) -> SQL {
    var integers: [Value] = []
    var composites: [[Value]] = []
    let count = min(keys.count.roundedUpToPowerOfTwo, max(QueryScope.keysPerStatement, keys.count))
    for key in keys + repeatElement(keys.last, count: count - keys.count).compactMap(\.self) {
      switch key {
      case .integer(let number): integers.append(.integer(number))
      case .composite(let values) where values.count == columns.count: composites.append(values)
      case .composite, .temporary: break
      }
    }
    if hasRowid {
      guard !integers.isEmpty, let column = columns.first else { return "0" }
      return "\(column) IN (\(integers))"
    }
    guard !composites.isEmpty else { return "0" }
    if columns.count == 1 { return "\(columns) IN (\(composites.flatMap(\.self)))" }
    let rows = composites.map { "(\($0))" as SQL }
    return "(\(columns)) IN (VALUES \(rows))"
  }
}

extension Int {
  /// The least power of two that is not less than this.
  fileprivate var roundedUpToPowerOfTwo: Int {
    self < 2 ? self : 1 << ((self - 1).bitWidth - (self - 1).leadingZeroBitCount)
  }
}
