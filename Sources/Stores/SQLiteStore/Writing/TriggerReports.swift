import GRDBSQLite
import ObjectModel
import SQLQueries

/// Collects the rows that a store's own triggers change: core-data-stores 4.5.
///
/// After its work in SQL a Core Data trigger calls a function with the table, entity number, key,
/// property and new value. Core Data registers these functions; without them no row of such a table
/// could be written.
final class TriggerReports {
  private let storeIdentifier: String
  private let entityNames: [Int64: String]
  /// The objects that triggers have changed, each once.
  private(set) var ids: [ObjectID] = []
  private var seen: Set<ObjectID> = []

  /// Whether a trigger has changed an object.
  func contain(_ id: ObjectID) -> Bool { seen.contains(id) }

  /// The names of the functions.
  private static let names = [
    "NSCoreDataTriggerUpdateAffectedObjectValue",
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  init(_ schema: CoreDataSchema, storeIdentifier: String) {
    self.storeIdentifier = storeIdentifier
    entityNames = schema.entityNames
  }

  /// Registers the functions on a connection: those that report here, for which SQLite retains the
  /// receiver, or some that do nothing.
  func collect(_ isCollecting: Bool, on connection: OpaquePointer) throws(StoreError) {
    for name in Self.names {
      let code = sqlite3_create_function_v2(
        connection, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
        isCollecting ? Unretained(retaining: self).pointer : nil,
        { call, count, arguments in
          if let reports = Unretained<TriggerReports>(pointer: sqlite3_user_data(call)).object,
            let arguments
          {
            reports.note((0..<Int(count)).map { SQLFunctions.value(arguments[$0]) })
          }
          sqlite3_result_null(call)
        }, nil, nil, { Unretained<TriggerReports>(pointer: $0).release() })
      guard code == SQLITE_OK else {
        throw StoreError(sqlite: code, connection: connection, doing: "saving")
      }
    }
  }

  private func note(_ arguments: [Value]) {
    guard arguments.count >= 3, case .integer(let number) = arguments[1],
      case .integer(let key) = arguments[2], let name = entityNames[number]
    else { return }
    let id = ObjectID(storeIdentifier: storeIdentifier, entityName: name, key: .integer(key))
    if seen.insert(id).inserted { ids.append(id) }
  }
}
