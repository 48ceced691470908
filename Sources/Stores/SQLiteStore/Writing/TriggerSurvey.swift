import GRDBSQLite
import ObjectModel
import SQLQueries

/// Finds the triggers that statements run: SQLite itself names them, with the tables that they
/// write, to an authorizer while it compiles.
///
/// The connection is used for nothing else, because GRDB has an authorizer of its own.
final class TriggerSurvey {
  private let layout: StoreLayout
  private let connection: OpaquePointer
  /// The tables that each trigger writes, by its name.
  private var tables: [String: Set<String>] = [:]

  /// Whether a trigger is Core Data's own, of a derived attribute or an R-tree.
  private static func isCoreData(_ name: String) -> Bool {
    name.hasPrefix("Z_DA_") || name.hasPrefix("Z_RT_")
  }

  /// Whether a database has triggers that are not Core Data's own: see ``isCoreData(_:)``.
  static let usersQuery: SQL = """
    SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name NOT GLOB 'Z_DA_*'
      AND name NOT GLOB 'Z_RT_*' LIMIT 1
    """

  private init(_ layout: StoreLayout, on connection: OpaquePointer) {
    (self.layout, self.connection) = (layout, connection)
  }

  /// Whether a database has triggers.
  static let query: SQL = "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' LIMIT 1"

  /// Compiles what a save would run, and runs nothing.
  ///
  /// - Parameters:
  ///   - changes: What is saved.
  ///   - layout: The tables of the entities.
  ///   - connection: A connection to the database.
  /// - Returns: The triggers that write to tables, by name.
  static func triggers(
    of changes: StoreChanges, _ layout: StoreLayout, on connection: OpaquePointer
  ) -> [StoreTrigger] {
    let survey = TriggerSurvey(layout, on: connection)
    survey.compile(changes)
    return survey.tables.filter { layout.coreData == nil || !isCoreData($0.key) }
      .map { StoreTrigger(name: $0.key, tables: $0.value.sorted()) }
      .sorted { $0.name < $1.name }
  }

  private func compile(_ changes: StoreChanges) {
    sqlite3_exec(connection, "PRAGMA foreign_keys = ON", nil, nil, nil)
    sqlite3_set_authorizer(
      connection,
      { context, action, table, _, _, trigger in
        if let context, let table, let trigger,
          [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action)
        {
          Unmanaged<TriggerSurvey>.fromOpaque(context).takeUnretainedValue()
            .tables[String(cString: trigger), default: []].insert(String(cString: table))
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(connection, nil, nil) }
    for name in changes.deleted { compile(name) { "DELETE FROM \(name: $0.name)" } }
    for name in changes.inserted { compile(name) { "INSERT INTO \(name: $0.name) DEFAULT VALUES" } }
    for (name, properties) in changes.updated {
      guard let entity = layout.model.entity(named: name) else { continue }
      compile(name) { table in
        let columns = properties.flatMap { property in
          if let toOne = table.toOne[property] { return toOne.columns }
          guard let index = entity.attributeIndex(property), index < table.columns.count else {
            return []
          }
          return [table.columns[index]]
        }
        guard !columns.isEmpty else { return nil }
        let assignments: [SQL] = columns.map { "\(name: $0) = \(name: $0)" }
        return "UPDATE \(name: table.name) SET \(assignments)"
      }
    }
  }

  /// Compiles a statement on an entity's table; one that cannot be compiled cannot be saved either.
  private func compile(_ entityName: String, _ sql: (EntityTable) -> SQL?) {
    guard let table = layout.tables[entityName], table.key != .none, let sql = sql(table) else {
      return
    }
    var statement: OpaquePointer?
    if sqlite3_prepare_v2(connection, sql.text, -1, &statement, nil) != SQLITE_OK {
      // A foreign key that cannot be enforced: see KeyEnforcement.
      sqlite3_exec(connection, "PRAGMA foreign_keys = OFF", nil, nil, nil)
      sqlite3_prepare_v2(connection, sql.text, -1, &statement, nil)
      sqlite3_exec(connection, "PRAGMA foreign_keys = ON", nil, nil, nil)
    }
    sqlite3_finalize(statement)
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
