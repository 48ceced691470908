import ObjectModel

extension CoreDataBlueprint {
  /// How many tombstone columns ACHANGE needs: the maximum over all entities.
  var tombstoneCount: Int {
    model.entities.map { HistoryTombstones(of: $0, limit: .max).attributes.count }.max() ?? 0
  }

  /// The tables of persistent history: core-data-stores 6.
  static func historyTables(tombstoneCount: Int) -> [CoreDataTable] {
    func table(_ table: HistoryTable, _ columns: [(String, String)]) -> CoreDataTable {
      CoreDataTable(
        name: table.name,
        columns: CoreDataTable.objectColumns
          + columns.map { CoreDataTable.Column(name: $0.0, declaredType: $0.1) })
    }
    let tombstones = (0..<tombstoneCount).map { ("ZTOMBSTONE\($0)", "BLOB") }
    return [
      table(
        .change,
        [
          ("ZCHANGETYPE", "INTEGER"), ("ZENTITY", "INTEGER"), ("ZENTITYPK", "INTEGER"),
          ("ZTRANSACTIONID", "INTEGER"), ("ZCOLUMNS", "BLOB"),
        ] + tombstones),
      table(
        .transaction,
        [
          ("ZAUTHORTS", "INTEGER"), ("ZBUNDLEIDTS", "INTEGER"), ("ZCONTEXTNAMETS", "INTEGER"),
          ("ZPROCESSIDTS", "INTEGER"), ("ZTIMESTAMP", "FLOAT"), ("ZAUTHOR", "VARCHAR"),
          ("ZBUNDLEID", "VARCHAR"), ("ZCONTEXTNAME", "VARCHAR"), ("ZPROCESSID", "VARCHAR"),
          ("ZQUERYGEN", "BLOB"),
        ]),
      table(.string, [("ZNAME", "VARCHAR")]),
    ]
  }

  /// The statements of the indexes of those tables.
  static let historyIndexes: [String] =
    ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].map {
      "CREATE INDEX ATRANSACTION_\($0)_INDEX ON ATRANSACTION (\($0))"
    } + [
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
      "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex"
        + " ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex"
        + " ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME"
        + " ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]
}
