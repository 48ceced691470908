public import ObjectModel

extension SQLiteStore {
  /// Reads of one state of the store, whatever is committed meanwhile.
  ///
  /// It is valid only in the closure that it is passed to: see
  /// ``SQLiteStore/readTransaction(_:)``.
  public struct ReadTransaction {
    private let reader: StoreReader
    private let connection: Connection

    fileprivate init(_ reader: StoreReader, _ connection: Connection) {
      (self.reader, self.connection) = (reader, connection)
    }

    /// Fetches ordered object IDs, as ``SQLiteStore/fetch(_:control:)``.
    public func fetch(_ plan: FetchPlan) throws(StoreError) -> FetchedIDs {
      try reader.fetch(plan, control: nil, on: connection)
    }

    /// Counts the objects of a fetch, as ``SQLiteStore/count(_:control:)``.
    public func count(_ plan: FetchPlan) throws(StoreError) -> Int {
      try reader.count(plan, control: nil, on: connection)
    }

    /// Reads objects of any entities, as ``SQLiteStore/snapshots(of:)``.
    public func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot] {
      try reader.snapshots(of: ids, on: connection)
    }

    /// Reads a whole value, as ``SQLiteStore/value(of:for:)``.
    public func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
      try reader.value(of: attribute, for: id, on: connection)
    }

    /// Reads the destinations of a relationship, as ``SQLiteStore/destinations(of:from:)``.
    public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
      -> [ObjectID: [ObjectID]]
    {
      try reader.destinations(of: relationship, from: ids, on: connection)
    }
  }

  /// Runs a closure whose reads all see one state of the store.
  ///
  /// Without a write-ahead log no program can commit until the closure returns. With one, the log
  /// grows until then if other programs write.
  ///
  /// - Parameter body: What to run. It is called again, from the beginning, if what it has read may
  ///   mix two states, because another program opened a store that nobody had open.
  /// - Returns: What the closure returns.
  /// - Throws: `StoreError`, or the error of the closure.
  public func readTransaction<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
    let result = try read(doing: "reading") { connection throws(StoreError) in
      do {
        return Swift.Result<Result, any Error>.success(
          try body(ReadTransaction(reader, connection)))
      } catch let error as StoreError {
        throw error
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
