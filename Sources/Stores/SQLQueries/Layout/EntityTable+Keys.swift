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

  /// What follows FROM: the table, or a subquery that numbers the rows of a table without a key, or
  /// that keeps SQLite from using collations that it does not have.
  package var source: SQL {
    guard key == .none || uncollated != nil else { return qualifiedName }
    let number: SQL = "row_number() OVER () AS \(name: Self.rowNumberColumn)"
    return "(SELECT \((key == .none ? [number] : []) + readColumns) FROM \(rows))"
  }

  /// What follows FROM where only the number of rows, or the rowid, matters.
  package var rows: SQL { uncollated == nil ? qualifiedName : "\(name: name) NOT INDEXED" }

  private var qualifiedName: SQL { schema.map { "\(name: $0).\(name: name)" } ?? .name(name) }

  /// The columns of ``source`` besides the number of the row.
  private var readColumns: [SQL] {
    guard let uncollated else { return ["*"] }
    let key = key.columns.filter { !columns.contains($0) }
    return (key + columns).map { column in
      uncollated.contains(column)
        ? "\(name: column) COLLATE BINARY AS \(name: column)" : "\(name: column)"
    }
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
