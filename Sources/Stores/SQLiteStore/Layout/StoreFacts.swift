import GRDB
import SQLQueries

/// What a Core Data store contains, read without its model.
struct StoreFacts {
  let catalog: Catalog
  let tables: ActualTables
  let numbers: EntityNumbers
  let metadata: CoreDataMetadata

  /// Reads the schema, Z_PRIMARYKEY and Z_METADATA.
  ///
  /// - Throws: `DatabaseError`.
  init(reading database: Database) throws {
    catalog = try Catalog(reading: database)
    tables = ActualTables(catalog)
    numbers = try EntityNumbers(reading: database)
    metadata = try CoreDataMetadata(reading: database)
  }

  /// The tables of persistent history; nil if the store has none: core-data-stores 6.
  var history: CoreDataSchema.HistoryTables? {
    guard tables["ATRANSACTION"] != nil, let changes = tables["ACHANGE"] else { return nil }
    return CoreDataSchema.HistoryTables(
      hasStrings: tables["ATRANSACTIONSTRING"] != nil,
      tombstoneCount: changes.columnNames.count { $0.hasPrefix("ZTOMBSTONE") })
  }

  /// Whether the store is mirrored to iCloud, which adds tables: core-data-stores 5.
  var isMirrored: Bool { tables.all.contains { $0.name.hasPrefix("ANSCK") } }
}
