import GRDB
import ObjectModel

/// What a database turns out to hold when it is opened.
struct StoreContents {
  /// The identifier that the store itself holds; nil when it holds none.
  var identifier: String?
  var layout: StoreLayout
  var kind: String
  var journalMode: String
  var schemaVersion: Int64

  /// Reads it all in one look.
  ///
  /// - Throws: `DatabaseError`.
  init(reading database: Database) throws {
    schemaVersion = try Self.schemaVersion(of: database)
    journalMode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
    switch try StoredModel.read(from: database) {
    case .none:
      layout = try .read(from: database)
    case .valid(let stored, let created):
      identifier = stored.identifier
      layout = created
    case .invalid(let why):
      layout = try .read(from: database)
      layout.otherTables.append(
        StoreSummary.OtherTable(
          name: StoredModel.tableName, purpose: "the model, which is not used: \(why)"))
    }
    let isCoreData = layout.tables["Z_METADATA"] != nil && layout.tables["Z_PRIMARYKEY"] != nil
    kind = isCoreData ? "Core Data store" : "SQLite database"
  }

  static func schemaVersion(of database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
  }
}
