import GRDB

/// What a Core Data store holds, before a model says what it means.
struct StoreFacts {
  let catalog: Catalog
  let tables: ActualTables
  let numbers: EntityNumbers
  let metadata: CoreDataMetadata

  /// Reads it all.
  ///
  /// - Throws: `DatabaseError`.
  init(reading database: Database) throws {
    catalog = try Catalog(reading: database)
    tables = ActualTables(catalog)
    numbers = try EntityNumbers(reading: database)
    metadata = try CoreDataMetadata(reading: database)
  }

  /// The tables of persistent history (core-data-stores 6); nil when the store keeps none.
  var history: CoreDataSchema.HistoryTables? {
    guard tables["ATRANSACTION"] != nil, let changes = tables["ACHANGE"] else { return nil }
    return CoreDataSchema.HistoryTables(
      hasStrings: tables["ATRANSACTIONSTRING"] != nil,
      tombstoneCount: changes.columnNames.count { $0.hasPrefix("ZTOMBSTONE") })
  }

  /// Whether the store is mirrored to iCloud, which keeps tables of its own (core-data-stores 5).
  var isMirrored: Bool { tables.all.contains { $0.name.hasPrefix("ANSCK") } }
}
