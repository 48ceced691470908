import GRDBSQLite
package import ObjectModel
import SQLQueries

/// The statements that read attributes of objects with integer keys: those of a range of keys, or
/// of one object.
///
/// Through snapshots an export of 200,000 rows takes more than three times as long.
struct FieldQuery {
  private let scope: QueryScope
  private let key: SQL
  private let select: SQL
  private let count: Int
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
    count = attributes.count
    hasLongColumns = attributes.contains { scope.entity.attributes[$0].mayBeLong }
    self.scope = scope
    self.key = key
  }

  /// Reads the objects of keys, in their order.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - connection: The connection.
  ///   - body: Called with the fields and the key of each row.
  /// - Throws: ``StoreError``, or what the closure throws.
  func read(
    _ keys: ArraySlice<Int64>, on connection: Connection,
    _ body: (UnsafeBufferPointer<StoredField>, Int64) throws -> Void
  ) throws {
    let subject = scope.entity.name
    guard let first = keys.first else { return }
    try withUnsafeTemporaryAllocation(of: StoredField.self, capacity: count) { fields in
      if var run = KeyRun(keys, hasLongColumns: hasLongColumns) {
        let row = try Statement(
          "\(select)\(run.rows(key))", on: connection, doing: "reading", subject: subject)
        while try row.step() {
          let key = row.integer(0)
          if run.contains(next: key) { try body(row.fields(in: fields), key) }
        }
        return
      }
      // The keys are bound again to one statement.
      let row = try Statement(
        "\(select)\(key) = \(first)", on: connection, doing: "reading", subject: subject)
      for key in keys {
        try row.rebind(key)
        while try row.step() { try body(row.fields(in: fields), key) }
      }
    }
  }
}

extension Statement {
  /// The columns after the first one, written to some memory: valid until the next step.
  fileprivate borrowing func fields(in fields: UnsafeMutableBufferPointer<StoredField>)
    -> UnsafeBufferPointer<StoredField>
  {
    for index in fields.indices { fields.initializeElement(at: index, to: field(Int32(index + 1))) }
    return UnsafeBufferPointer(fields)
  }
}

extension SQLiteStore: StoredRowReading {
  /// The number of objects that are read at once.
  private static let fieldBatchSize = 1_000

  package func readFields(
    of ids: ObjectIDList, attributes: [Int],
    _ body: (UnsafeBufferPointer<StoredField>, Int64) throws -> Void
  ) throws -> Bool {
    // Outside of a transaction a read may be repeated, and rows would be passed on twice.
    guard pool.isInReadTransaction, let name = ids.onlyEntityName,
      let query = try FieldQuery(entityName: name, attributes: attributes, layout: layout),
      let keys = ids.withKeys({ $0 })
    else { return false }
    for batch in keys.chunks(of: Self.fieldBatchSize) {
      // What the closure throws is no error of the store.
      var failure: (any Error)?
      try read(doing: "reading objects") { connection throws(StoreError) in
        do { try query.read(batch, on: connection, body) } catch let error as StoreError {
          throw error
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    return true
  }
}
