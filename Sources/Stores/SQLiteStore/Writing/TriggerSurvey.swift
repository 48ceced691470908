import GRDBSQLite
import ObjectModel
import SQLQueries
import Synchronization

/// Finds the triggers that statements run: SQLite itself names them, with the tables that they
/// write, while it compiles.
///
/// A statement is compiled once while the schema stays, so that a save finds what the dialog before
/// it has shown.
final class TriggerSurvey: Sendable {
  private struct Known {
    var schemaVersion: Int64
    /// The tables that triggers write, by their names, for each statement.
    var tables: [String: [String: Set<String>]] = [:]
  }

  /// The most statements that are remembered.
  private static let limit = 500

  private let layout: StoreLayout
  private let known = Mutex(Known(schemaVersion: -1))

  init(_ layout: StoreLayout) { self.layout = layout }

  /// Whether a database has triggers.
  static let query: SQL = "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' LIMIT 1"

  /// Whether a database has triggers that are not Core Data's own, of derived attributes and R-trees.
  static let usersQuery: SQL = """
    SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name NOT GLOB 'Z_DA_*'
      AND name NOT GLOB 'Z_RT_*' LIMIT 1
    """

  /// The version of the schema, and whether the database has triggers.
  static let versionQuery: SQL = """
    SELECT v.schema_version, EXISTS (\(query)) FROM pragma_schema_version AS v
    """

  /// Finds the triggers that a save runs.
  ///
  /// - Parameters:
  ///   - changes: What is saved.
  ///   - schemaVersion: The version of the schema.
  ///   - compile: Calls a closure with a connection to the database that is used for nothing else;
  ///     called only for statements that are not known.
  /// - Returns: The triggers that write to tables, by name.
  /// - Throws: ``StoreError``.
  func triggers(
    of changes: StoreChanges, schemaVersion: Int64,
    compiling compile: ((OpaquePointer) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) -> [StoreTrigger] {
    let statements = statements(of: changes)
    var found = known.withLock { known in
      if known.schemaVersion != schemaVersion || known.tables.count > Self.limit {
        known = Known(schemaVersion: schemaVersion)
      }
      return known.tables
    }
    let unknown = statements.filter { found[$0] == nil }
    if !unknown.isEmpty {
      try compile { connection in
        sqlite3_exec(connection, "PRAGMA foreign_keys = ON", nil, nil, nil)
        for sql in unknown { found[sql] = Self.tables(of: sql, on: connection) }
      }
      known.withLock { if $0.schemaVersion == schemaVersion { $0.tables.merge(found) { $1 } } }
    }
    let tables = statements.reduce(into: [String: Set<String>]()) { tables, sql in
      tables.merge(found[sql] ?? [:]) { $0.union($1) }
    }
    return tables.filter { layout.coreData == nil || !Self.isCoreData($0.key) }
      .map { StoreTrigger(name: $0.key, tables: $0.value.sorted()) }
      .sorted { $0.name < $1.name }
  }

  /// Whether a trigger is Core Data's own: see ``usersQuery``.
  private static func isCoreData(_ name: String) -> Bool {
    name.hasPrefix("Z_DA_") || name.hasPrefix("Z_RT_")
  }

  /// The statements that save changes like some.
  private func statements(of changes: StoreChanges) -> [String] {
    func table(_ name: String) -> EntityTable? {
      layout.tables[name].flatMap { $0.key == .none ? nil : $0 }
    }
    var statements: [SQL] = []
    for table in changes.deleted.compactMap(table) {
      statements.append("DELETE FROM \(name: table.name)")
    }
    for table in changes.inserted.compactMap(table) {
      statements.append("INSERT INTO \(name: table.name) DEFAULT VALUES")
    }
    for (name, properties) in changes.updated {
      guard let entity = layout.model.entity(named: name), let table = table(name) else { continue }
      let columns = properties.flatMap { property in
        if let toOne = table.toOne[property] { return toOne.columns }
        guard let index = entity.attributeIndex(property), index < table.columns.count else {
          return []
        }
        return [table.columns[index]]
      }
      guard !columns.isEmpty else { continue }
      let assignments: [SQL] = Set(columns).sorted().map { "\(name: $0) = \(name: $0)" }
      statements.append("UPDATE \(name: table.name) SET \(assignments)")
    }
    return statements.map(\.text)
  }

  /// The tables that triggers of a statement write; one that cannot be compiled cannot be saved
  /// either.
  private static func tables(of sql: String, on connection: OpaquePointer) -> [String: Set<String>]
  {
    var accesses = StatementAccess.all(of: sql, on: connection)
    if accesses == nil {
      // A foreign key that cannot be enforced: see KeyEnforcement.
      sqlite3_exec(connection, "PRAGMA foreign_keys = OFF", nil, nil, nil)
      accesses = StatementAccess.all(of: sql, on: connection)
      sqlite3_exec(connection, "PRAGMA foreign_keys = ON", nil, nil, nil)
    }
    return (accesses ?? []).reduce(into: [:]) { tables, access in
      guard [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(access.action),
        let trigger = access.part, let table = access.first
      else { return }
      tables[trigger, default: []].insert(table)
    }
  }
}

extension StoreChanges {
  /// The entities that a request changes.
  init(_ request: SaveRequest) {
    self.init()
    deleted = request.deletedEntityNames
    inserted = request.insertedEntityNames
    for change in request.updated {
      updated[change.id.entityName, default: []].formUnion(change.values.keys)
      updated[change.id.entityName, default: []].formUnion(change.toOne.keys)
    }
  }
}
