import GRDB
package import ObjectModel
import SQLQueries
import Synchronization

extension SQLiteStore {
  /// See `PersistentStore.fetch(_:control:)`.
  package func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try read(doing: "fetching \(plan.entityName)", isLimited: control == nil, by: control) {
      connection throws(StoreError) in
      try reader.fetch(plan, control: control, on: connection, besides: pool)
    }
  }

  /// See `FetchTracking.track(_:control:)`.
  package func track(_ fetch: TrackedFetch, control: FetchControl?) throws(StoreError)
    -> TrackedFetch?
  {
    try read(doing: "fetching \(fetch.plan.entityName)", by: control) {
      connection throws(StoreError) in
      guard let state = fetch.state as? ReadState, try readState(of: connection).isSame(as: state),
        let fingerprint = try reader.fingerprint(
          of: fetch.plan, control: control, on: connection, besides: pool),
        fingerprint.rowCount == fetch.results.ids.count
      else { return nil }
      return TrackedFetch(fetch.results, plan: fetch.plan, fingerprint: fingerprint)
    }
  }

  /// See `PersistentStore.count(_:control:)`.
  package func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    try read(
      doing: "counting \(plan.entityName)",
      isLimited: control == nil && hasViews([plan.entityName]), by: control
    ) { connection throws(StoreError) in
      try reader.count(plan, control: control, on: connection)
    }
  }

  /// See `PersistentStore.rows(of:)`.
  package func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try read(doing: "reading objects", isLimited: hasViews(ids.lazy.map(\.entityName))) {
      connection throws(StoreError) in
      try reader.rows(of: ids, on: connection)
    }
  }

  /// See `PersistentStore.rowVersions(of:)`.
  package func rowVersions(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try read(doing: "reading objects", isLimited: hasViews(ids.lazy.map(\.entityName))) {
      connection throws(StoreError) in
      try reader.rows(of: ids, hasValues: false, on: connection)
    }
  }

  /// See `PersistentStore.value(of:for:)`.
  package func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try read(doing: "reading \(attribute)", isLimited: hasViews([id.entityName])) {
      connection throws(StoreError) in
      try reader.value(of: attribute, for: id, on: connection)
    }
  }

  /// See `PersistentStore.destinations(of:from:)`.
  package func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try read(doing: "following \(relationship)") { connection throws(StoreError) in
      try reader.destinations(of: relationship, from: ids, on: connection)
    }
  }

  /// Runs a closure whose reads, on this thread, all see one state of the database.
  ///
  /// The closure runs again, from the beginning, if a save of this store interrupted it, or if what
  /// it has read may mix two states, because another program opened a store that nobody had open.
  /// Without a write-ahead log no program can commit meanwhile; with one, the log grows until the
  /// closure returns if other programs write.
  ///
  /// - Parameter body: What to run; it must not save.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or `StoreError` if the database cannot be read.
  package func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    if !readsCopy { try guardian.check(doing: "reading") }
    do { return try pool.inReadTransaction(body) } catch let error as StoreError {
      throw noted(error)
    } catch let error as DatabaseError {
      throw noted(StoreError(error, doing: "reading", subject: guardian.subject))
    }
  }

  /// Writes changes in one transaction: all or nothing.
  ///
  /// A Core Data store is copied to a backup before the first save: see ``backupPath``.
  ///
  /// - Parameter request: The changes.
  /// - Returns: Permanent IDs and the saved rows.
  /// - Throws: `StoreError`, if nothing was written.
  package func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    try checkWritable()
    try backUpBeforeSaving()
    let detector = observers.withLock { $0.detector }
    return try writing(StoreChanges(request)) { triggers in
      try detector?.prepareForSave()
      return try pool.write(doing: "saving") { connection throws(StoreError) in
        try writer.save(request, triggers: triggers, on: connection)
      }
    }
  }

  /// Runs a save or a rehearsal, given the triggers that it runs, and then reads the file itself, if
  /// a copy was read before.
  ///
  /// After some errors the write connection is closed, because SQLite keeps a file that it could not
  /// open for writing.
  func writing<Result>(_ changes: StoreChanges, _ body: ([StoreTrigger]) throws -> Result)
    throws(StoreError) -> Result
  {
    let triggers = try triggers(of: changes)
    defer { watchOriginal() }
    do { return try body(triggers) } catch {
      let error = StoreError(error, doing: "saving", subject: guardian.subject)
      if [.readOnly, .permissionDenied, .disk].contains(error.reason) {
        observers.withLock { $0.detector }?.forgetWriter()
        pool.closeWriter()
      }
      throw noted(error)
    }
  }

  /// Runs a save and rolls it back.
  ///
  /// Nothing is written to the file. It waits for other programs' locks like a save.
  ///
  /// - Parameter request: The changes.
  /// - Returns: Statements with their values, one a line: the first thousand, and the number of
  ///   others; and what triggers would do.
  /// - Throws: The `StoreError` that the save would throw.
  package func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    if request == SaveRequest() { return SaveRehearsal() }
    try checkWritable()
    return try writing(StoreChanges(request)) { triggers in
      try pool.rehearse(doing: "saving") { connection throws(StoreError) in
        try writer.rehearse(request, triggers: triggers, on: connection)
      }
    }
  }

  /// See `PersistentStore.triggers(of:)`.
  package func triggers(of changes: StoreChanges) throws(StoreError) -> [StoreTrigger] {
    let version: Int64? = try read(doing: "reading triggers") { connection throws(StoreError) in
      let row = try Statement(
        TriggerSurvey.versionQuery, on: connection, doing: "reading triggers")
      return try row.step() && row.integer(1) == 1 ? row.integer(0) : nil
    }
    guard let version else { return [] }
    return try triggerSurvey.triggers(of: changes, schemaVersion: version) {
      body throws(StoreError) in
      try pool.useSeparateReader(doing: "reading triggers", body)
    }
  }

  func checkWritable() throws(StoreError) {
    if let readOnlyReason {
      throw StoreError(
        .readOnly, doing: "saving", subject: guardian.subject, detail: readOnlyReason,
        remedy: readOnlyReason == layout.coreData?.writeRefusal
          ? "--force-write, or a copy of it" : "open a writable copy of it")
    }
    try guardian.check(doing: "saving")
  }
}
