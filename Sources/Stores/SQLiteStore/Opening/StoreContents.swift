import GRDB
import ObjectModel
import SQLQueries

/// The schema, the model and the metadata of a database, read when it is opened.
struct StoreContents {
  /// The store's own identifier; nil if it has none.
  var identifier: String?
  var layout: StoreLayout
  /// The kind of store, such as "SQLite database".
  var kind: String
  /// The OS release that wrote the store last; nil if unknown.
  var generation: String?
  /// Remarks for the person about how the store was read, one sentence each.
  var notes: [String] = []
  /// The result of `PRAGMA journal_mode`.
  var journalMode: String
  /// The result of `PRAGMA schema_version`, which changes with the schema.
  var schemaVersion: Int64

  /// Reads the contents of a database.
  ///
  /// - Parameters:
  ///   - database: A connection.
  ///   - path: The path of the database; a model file beside it may be used.
  ///   - modelPath: The path of the model given for a Core Data store; nil to find one.
  ///   - modelCandidate: The path of a model that may be the store's; nil for none.
  ///   - kinds: What a person said that columns are, in a database without a model.
  /// - Throws: `DatabaseError`; `StoreError` if the given model cannot be used.
  init(
    reading database: Database, path: String? = nil, modelPath: String? = nil,
    modelCandidate: String? = nil, kinds: [String: ColumnKind] = [:]
  ) throws {
    schemaVersion = try Self.schemaVersion(of: database)
    journalMode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
    kind = "SQLite database"
    switch try StoredModel.read(from: database) {
    case .none:
      if try CoreDataLayout.isThere(in: database) {
        let coreData = try CoreDataLayout.read(
          from: database, path: path, modelPath: modelPath, modelCandidate: modelCandidate)
        layout = coreData.layout
        identifier = coreData.layout.coreData.flatMap {
          $0.storeIdentifier.isEmpty ? nil : $0.storeIdentifier
        }
        (kind, generation, notes) = (coreData.kind, coreData.generation, coreData.notes)
        return
      }
      layout = try .read(from: database, kinds: kinds)
    case .valid(let stored, let created):
      identifier = stored.identifier
      layout = created
    case .invalid(let why):
      layout = try .read(from: database, kinds: kinds)
      layout.otherTables.append(
        StoreSummary.OtherTable(
          name: StoredModel.tableName, purpose: "the stored model, not used: \(why)"))
    }
    if modelPath != nil {
      notes.append("The given model is not used, because this is not a Core Data store.")
    }
  }

  static func schemaVersion(of database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
  }
}
