import ObjectModel

extension EntityTable.Key {
  /// The columns of the key; empty if there is no key.
  package var columns: [String] {
    switch self {
    case .rowid(let name): [name]
    case .columns(let names): names
    case .none: []
    }
  }
}

extension EntityTable {
  /// The column that ``source`` adds to a table without a key: the number of the row.
  private static let rowNumberColumn = "cardfile_row_number"

  /// Whether a 64-bit integer identifies a row: the rowid, or the number of a row without a key.
  package var hasRowid: Bool {
    if case .columns = key { false } else { true }
  }

  /// The columns of the key; the row number for a table without a key.
  package var keyColumnNames: [String] {
    key == .none ? [Self.rowNumberColumn] : key.columns
  }

  /// What follows FROM: the table, or a subquery that numbers the rows of a table without a key.
  package var source: SQL {
    guard key == .none else { return .name(name) }
    return """
      (SELECT row_number() OVER () AS \(name: Self.rowNumberColumn), * FROM \(name: name))
      """
  }
}

extension EntityTable.ToOne {
  /// The columns of the foreign key in the order of the destination's key.
  package func keyColumns(of destination: EntityTable) -> [String] {
    let columnOf = Dictionary(firstOf: zip(referenced, columns))
    let ordered = destination.keyColumnNames.compactMap { columnOf[$0] }
    // The foreign key may use another name of the rowid than the key does: `rowid` and `ArtistId`.
    return ordered.count == columns.count ? ordered : columns
  }
}
