import GRDBSQLite
import ObjectModel
import SQLQueries

/// The statements that read attributes of objects with integer keys: those of a range of keys, or
/// of one object.
struct FieldQuery {
  private let scope: QueryScope
  private let key: SQL
  private let select: SQL
  private let count: Int32
  private let hasLongColumns: Bool

  /// Creates the statements; nil if the entity's key is no integer, or its table has objects of
  /// other entities, or it is a view.
  ///
  /// - Throws: ``StoreError`` if there is no such entity.
  init?(entityName: String, attributes: [Int], layout: StoreLayout) throws(StoreError) {
    let scope = try QueryScope(entityName: entityName, layout: layout)
    guard case .rowid(let name) = scope.table.key, scope.entityColumn == nil else { return nil }
    let key = scope.column(name)
    let columns = [key] + attributes.map { scope.column(scope.table.columns[$0]) }
    select = "SELECT \(columns) FROM \(scope.from) WHERE "
    count = Int32(attributes.count)
    hasLongColumns = attributes.contains { scope.entity.attributes[$0].mayBeLong }
    self.scope = scope
    self.key = key
  }

  /// Reads the objects of keys, in their order.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - connection: The connection.
  ///   - receiver: Is given the fields.
  /// - Throws: ``StoreError``, or what the receiver throws.
  func read(
    _ keys: ArraySlice<Int64>, on connection: Connection,
    into receiver: inout some StoredFieldReceiver
  ) throws {
    let subject = scope.entity.name
    guard let first = keys.first else { return }
    if var run = KeyRun(keys, hasLongColumns: hasLongColumns) {
      let row = try Statement(
        "\(select)\(run.rows(key))", on: connection, doing: "reading", subject: subject)
      while try row.step() {
        if run.contains(next: row.integer(0)) { try pass(row, to: &receiver) }
      }
      return
    }
    // The keys are bound again to one statement.
    let row = try Statement(
      "\(select)\(key) = \(first)", on: connection, doing: "reading", subject: subject)
    for key in keys {
      try row.rebind(key)
      while try row.step() { try pass(row, to: &receiver) }
    }
  }

  private func pass(_ row: borrowing Statement, to receiver: inout some StoredFieldReceiver) throws
  {
    receiver.beginRow(key: row.integer(0))
    for column in 0..<count {
      let type = row.type(column + 1)
      switch type {
      case SQLITE_INTEGER: try receiver.receive(.integer(row.integer(column + 1)), at: Int(column))
      case SQLITE_FLOAT: try receiver.receive(.double(row.double(column + 1)), at: Int(column))
      case SQLITE_TEXT:
        try row.withBytes(column + 1, type: type) {
          try receiver.receive(.text($0), at: Int(column))
        }
      case SQLITE_BLOB:
        try row.withBytes(column + 1, type: type) {
          try receiver.receive(.bytes($0), at: Int(column))
        }
      default: try receiver.receive(.null, at: Int(column))
      }
    }
    try receiver.endRow()
  }
}
