public import ObjectModel
import Synchronization

extension SQLiteStore {
  /// Fetches ordered object IDs and the sections they fall into.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - control: Follows and stops the work from another thread.
  /// - Returns: The IDs in order.
  /// - Throws: `StoreError`; its reason is cancelled when the control stopped it.
  public func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try read(doing: "fetching \(plan.entityName)") { connection throws(StoreError) in
      try reader.fetch(plan, control: control, on: connection)
    }
  }

  /// Counts the objects that a fetch would give.
  ///
  /// - Parameters:
  ///   - plan: What to count.
  ///   - control: Follows and stops the work from another thread.
  /// - Returns: The number of objects.
  /// - Throws: `StoreError`.
  public func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try read(doing: "counting \(plan.entityName)") { connection throws(StoreError) in
      try reader.count(plan, control: control, on: connection)
    }
  }

  /// Reads objects of any entities, in as few queries as possible.
  ///
  /// - Parameter ids: Permanent IDs.
  /// - Returns: The snapshots by ID. An object that is gone is missing.
  /// - Throws: `StoreError`.
  public func snapshots(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: RowSnapshot] {
    try read(doing: "reading objects") { connection throws(StoreError) in
      try reader.snapshots(of: ids, on: connection)
    }
  }

  /// Reads the whole of a value that a snapshot holds cut.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - id: The object.
  /// - Returns: The stored value; null when the object is gone.
  /// - Throws: `StoreError`.
  public func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try read(doing: "reading \(attribute)") { connection throws(StoreError) in
      try reader.value(of: attribute, for: id, on: connection)
    }
  }

  /// Reads where a relationship leads from objects of one entity, in as few queries as possible.
  ///
  /// - Parameters:
  ///   - relationship: The name of a relationship of the entity.
  ///   - ids: Permanent IDs of objects of one entity.
  /// - Returns: Destinations that exist, by source. Sources that lead nowhere are missing.
  /// - Throws: `StoreError`.
  public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try read(doing: "following \(relationship)") { connection throws(StoreError) in
      try reader.destinations(of: relationship, from: ids, on: connection)
    }
  }

  /// Writes changes in one transaction: all or nothing.
  ///
  /// Before the first save a store of Core Data is copied beside itself: see ``backupPath``.
  ///
  /// - Parameter request: What to write.
  /// - Returns: Permanent IDs and the rows as they now stand.
  /// - Throws: `StoreError`; nothing was written then.
  public func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    try checkWritable()
    try backUpBeforeSaving()
    if let detector = observers.withLock({ $0.detector }) {
      do {
        try detector.prepareForSave()
      } catch {
        throw StoreError(error, doing: "saving", subject: guardian.subject)
      }
    }
    defer { watchOriginal() }
    return try pool.write(doing: "saving") { connection throws(StoreError) in
      try writer.save(request, on: connection)
    }
  }

  /// Lists the statements with which a save writes, by running it and rolling it back.
  ///
  /// Nothing of it reaches the file. Another program's lock is waited for, as a save does.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: Readable statements, values in place, one a line: the first thousand, and how many more there are.
  /// - Throws: `StoreError`: what the save would throw.
  public func explain(_ request: SaveRequest) throws(StoreError) -> [String] {
    if request == SaveRequest() { return [] }
    try checkWritable()
    defer { watchOriginal() }
    return try pool.rehearse(doing: "saving") { connection throws(StoreError) in
      try writer.explain(request, on: connection)
    }
  }

  private func checkWritable() throws(StoreError) {
    if let readOnlyReason {
      throw StoreError(
        .readOnly, doing: "saving", subject: guardian.subject, detail: readOnlyReason,
        remedy: "save a copy of it that can be written, and open that")
    }
    try guardian.check(doing: "saving")
  }
}
