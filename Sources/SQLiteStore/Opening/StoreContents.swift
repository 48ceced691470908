import GRDB
import ObjectModel

/// What a database turns out to hold when it is opened.
struct StoreContents {
  /// The identifier that the store itself holds; nil when it holds none.
  var identifier: String?
  var layout: StoreLayout
  var kind: String
  /// The release of the system that wrote the store last; nil when it is not known.
  var generation: String?
  /// What a person should know of how it was read, a sentence each.
  var notes: [String] = []
  var journalMode: String
  var schemaVersion: Int64

  /// Reads it all in one look.
  ///
  /// - Parameters:
  ///   - database: A connection.
  ///   - path: The path of the file, beside which a model may lie.
  ///   - modelPath: The model file that a person names for a Core Data store; nil for none.
  /// - Throws: `DatabaseError`, or `StoreError` when the named model cannot be used.
  init(reading database: Database, path: String? = nil, modelPath: String? = nil) throws {
    schemaVersion = try Self.schemaVersion(of: database)
    journalMode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
    kind = "SQLite database"
    switch try StoredModel.read(from: database) {
    case .none:
      if try CoreDataLayout.isThere(in: database) {
        let coreData = try CoreDataLayout.read(from: database, path: path, modelPath: modelPath)
        layout = coreData.layout
        identifier = coreData.layout.coreData.flatMap {
          $0.storeIdentifier.isEmpty ? nil : $0.storeIdentifier
        }
        (kind, generation, notes) = (coreData.kind, coreData.generation, coreData.notes)
        return
      }
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
    if modelPath != nil {
      notes.append("The model that is named is not used: this is no Core Data store.")
    }
  }

  static func schemaVersion(of database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
  }
}
