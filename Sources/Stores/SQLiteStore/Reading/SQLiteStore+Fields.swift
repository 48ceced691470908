package import ObjectModel
import SQLQueries

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
