import GRDBSQLite
import ObjectModel

/// Hears from a store's own triggers which rows they changed: core-data-stores 4.5.
///
/// Core Data's triggers do their work in SQL and then call a function that only it registers, with the table, the entity,
/// the key, the column and the new value. Without functions of those names no row could be written at all.
final class TriggerReports {
  private let storeIdentifier: String
  private let entityNames: [Int64: String]
  private(set) var ids: [ObjectID] = []
  private var seen: Set<ObjectID> = []

  /// The names under which triggers report.
  private static let names = [
    "NSCoreDataTriggerUpdateAffectedObjectValue",
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  init(layout: StoreLayout, storeIdentifier: String) {
    self.storeIdentifier = storeIdentifier
    entityNames = Dictionary(
      (layout.coreData?.entityNumbers ?? [:]).map { ($0.value, $0.key) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Listens on a connection for as long as a closure runs; a plain database has nothing to listen to.
  func listen<Result>(
    on connection: OpaquePointer, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !entityNames.isEmpty else { return try body() }
    try Self.register(self, on: connection)
    defer { try? Self.register(nil, on: connection) }
    return try body()
  }

  /// Registers functions that tell a listener, which SQLite holds on to, or that tell nobody.
  private static func register(
    _ listener: TriggerReports?, on connection: OpaquePointer
  ) throws(StoreError) {
    for name in names {
      let context = listener.map { Unmanaged.passRetained($0).toOpaque() }
      let code = sqlite3_create_function_v2(
        connection, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, context,
        { call, count, arguments in
          if let context = sqlite3_user_data(call), let arguments {
            Unmanaged<TriggerReports>.fromOpaque(context).takeUnretainedValue()
              .note((0..<Int(count)).map { SQLFunctions.value(arguments[$0]) })
          }
          sqlite3_result_null(call)
        }, nil, nil,
        { context in
          if let context { Unmanaged<TriggerReports>.fromOpaque(context).release() }
        })
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
