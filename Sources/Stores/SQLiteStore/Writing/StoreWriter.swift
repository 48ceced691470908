import GRDBSQLite
import ObjectModel
import SQLQueries
import Synchronization

/// Writes changes to a store: all of a request, or nothing.
struct StoreWriter: Sendable {
  /// Reads the rows that a save compares with and returns; it knows the layout and the folder of
  /// external files.
  let reader: StoreReader
  /// The external files that committed saves have made superfluous.
  let superseded = SupersededFiles()
  /// The keys of objects that are not inserted yet.
  private let reserved = ReservedKeys()

  /// Makes a writer for the store that a reader reads.
  init(_ reader: StoreReader) { self.reader = reader }

  /// Writes changes in one transaction of its own, in which all foreign keys that can be enforced
  /// are.
  ///
  /// The connection must not be in a transaction. Its `foreign_keys` setting is as before
  /// afterwards.
  ///
  /// - Parameters:
  ///   - request: What to write.
  ///   - triggers: The triggers that it runs.
  ///   - connection: The connection.
  /// - Returns: Permanent IDs and the rows as they are afterwards.
  /// - Throws: ``StoreError``; nothing was written then.
  func save(
    _ request: SaveRequest, triggers: [StoreTrigger] = [], on connection: Connection
  ) throws(StoreError) -> SaveResult {
    let statements = SaveStatements(connection, doing: request.phrase)
    let files = reader.externalFolder.map { ExternalFiles(folder: $0) }
    do {
      let result = try transaction(request, triggers, statements) { () throws(StoreError) in
        try write(request, triggers, files, statements)
      } end: { () throws(StoreError) in
        files?.synchronize()
        try commit(statements, doing: request.phrase)
      }
      if let files { superseded.add(files.superseded, without: files.restored) }
      for id in request.reserved {
        guard case .integer(let key)? = result.permanentIDs[id]?.key,
          let table = reader.layout.tables[id.entityName]?.name
        else { continue }
        reserved.add(key, toTable: table)
      }
      return result
    } catch {
      files?.removeWritten()
      throw error
    }
  }

  /// Runs a save and rolls it back, and lists the statements with which it writes.
  ///
  /// Nothing of the transaction reaches the database's file or its write-ahead log: its pages stay
  /// in the cache. The database is locked for writing meanwhile. External files are not written;
  /// their names are made up.
  ///
  /// - Parameters:
  ///   - request: What would be written.
  ///   - triggers: The triggers that it runs.
  ///   - connection: The connection, not in a transaction.
  ///   - limit: How many statements to list at most.
  /// - Returns: Readable statements, values in place, one a line, and how many are left out; what
  ///   triggers did.
  /// - Throws: ``StoreError``: what the save would throw.
  func rehearse(
    _ request: SaveRequest, triggers: [StoreTrigger] = [], on connection: Connection,
    limit: Int = 1000
  ) throws(StoreError) -> SaveRehearsal {
    let statements = SaveStatements(
      connection, doing: request.phrase, log: StatementLog(limit: limit))
    let files = reader.externalFolder.map { ExternalFiles(folder: $0, isDryRun: true) }
    sqlite3_exec(connection.handle, "PRAGMA cache_spill = OFF", nil, nil, nil)
    defer { sqlite3_exec(connection.handle, "PRAGMA cache_spill = ON", nil, nil, nil) }
    let result = try transaction(request, triggers, statements) { () throws(StoreError) in
      try write(request, triggers, files, statements)
    } end: { () throws(StoreError) in
      try statements.run("ROLLBACK")
    }
    var rehearsal = SaveRehearsal()
    rehearsal.statements = statements.log?.lines ?? []
    rehearsal.triggerEffects = result.triggerEffects
    rehearsal.unusedFileCount = files?.superseded.count ?? 0
    return rehearsal
  }

  /// Runs several saves in one transaction: all of them, or nothing.
  ///
  /// - Parameters:
  ///   - scope: A request that names an object of each entity that the saves change.
  ///   - triggers: The triggers that they run.
  ///   - doing: The work, for errors.
  ///   - connection: The connection, not in a transaction.
  ///   - body: Saves.
  /// - Returns: What the closure returns.
  /// - Throws: ``StoreError``; nothing was written then.
  func saveTogether<Result>(
    _ scope: SaveRequest, triggers: [StoreTrigger], doing: String, on connection: Connection,
    _ body: (BulkSave) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let statements = SaveStatements(connection, doing: doing)
    let bulk = BulkSave(self, triggers, statements)
    do {
      let result = try transaction(scope, triggers, statements) { () throws(StoreError) in
        let result = try body(bulk)
        try bulk.end()
        return result
      } end: { () throws(StoreError) in
        for files in bulk.files { files.synchronize() }
        try commit(statements, doing: doing)
      }
      for files in bulk.files { superseded.add(files.superseded, without: files.restored) }
      return result
    } catch {
      for files in bulk.files { files.removeWritten() }
      throw error
    }
  }

  private func commit(_ statements: SaveStatements, doing: String) throws(StoreError) {
    try FetchControl.committing(doing: doing) { () throws(StoreError) in
      try statements.run("COMMIT")
    }
  }

  /// Runs a closure that saves in a transaction, and rolls it back when it fails.
  private func transaction<Result>(
    _ request: SaveRequest, _ triggers: [StoreTrigger], _ statements: SaveStatements,
    _ body: () throws(StoreError) -> Result, end: () throws(StoreError) -> Void
  ) throws(StoreError) -> Result {
    let connection = statements.connection
    let watch = StatementWatch(.current, on: connection)
    defer { watch?.end() }
    let hadForeignKeys =
      try statements.row("PRAGMA foreign_keys") == [.integer(1)]
    func enforceForeignKeys(_ isOn: Bool) throws(StoreError) {
      try statements.run(isOn ? "PRAGMA foreign_keys = ON" : "PRAGMA foreign_keys = OFF")
    }
    let enforcement = try KeyEnforcement(request, triggers, reader.layout, statements)
    try enforceForeignKeys(enforcement == nil)
    defer { try? enforceForeignKeys(hadForeignKeys) }
    try statements.run("BEGIN IMMEDIATE")
    do {
      try statements.run("PRAGMA defer_foreign_keys = ON")
      try enforcement?.begin()
      let result = try body()
      try checkForeignKeys(request, statements)
      try enforcement?.finish(doing: request.phrase)
      try end()
      return result
    } catch {
      // Some failures (a full disk) have rolled back already.
      if sqlite3_get_autocommit(connection.handle) == 0 {
        sqlite3_exec(connection.handle, "ROLLBACK", nil, nil, nil)
      }
      let tables = request.entityNames.compactMap { reader.layout.tables[$0]?.name.nameKey }
      throw error.namingCulprit(tables: Set(tables), on: connection)
    }
  }

  /// Writes a request inside the transaction.
  ///
  /// If triggers delete further objects, the save is run a second time after their rows were read,
  /// so that undo can bring them back; it costs nothing if they do not.
  func write(
    _ request: SaveRequest, _ triggers: [StoreTrigger], _ files: ExternalFiles?,
    _ statements: SaveStatements, updatedRows: [RowSnapshot?]? = nil
  ) throws(StoreError) -> SaveResult {
    func run() throws(StoreError) -> SaveResult {
      let rows = SaveRows(
        request, reader: reader, statements: statements, reserved: reserved,
        updatedRows: updatedRows)
      return try SaveTransaction(rows, externalFiles: files).run()
    }
    guard !triggers.isEmpty else { return try run() }
    let connection = statements.connection
    let watch = try TriggerWatch(
      triggers, request: request, reader: reader, statements: statements)
    try statements.run("SAVEPOINT cardfile_triggers")
    var result = try watch.watch(connection.handle, during: run)
    if !watch.deletedIDs.isEmpty, statements.log == nil {
      try statements.run("ROLLBACK TO cardfile_triggers")
      files?.removeWritten()
      let deleted = Array(watch.deletedIDs)
      let rows = try reader.snapshots(of: deleted, isWhole: true, on: connection)
      files?.supersede(try reader.externalFileNames(of: deleted, statements))
      result = try watch.watch(connection.handle, during: run)
      result.deletedRows += watch.deletedIDs.sorted().compactMap { rows[$0] }
    }
    try statements.run("RELEASE cardfile_triggers")
    let changed = try reader.snapshots(of: Array(watch.changedIDs), on: connection)
    result.snapshots.merge(changed) { own, _ in own }
    result.triggerEffects = watch.effects
    return result
  }

  /// Checks foreign keys as a COMMIT does, and names a row that violates one.
  private func checkForeignKeys(_ request: SaveRequest, _ statements: SaveStatements)
    throws(StoreError)
  {
    var (count, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(
      statements.connection.handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    guard count > 0 else { return }
    throw try violation(request, statements)
      ?? StoreError(.constraint, doing: request.phrase, detail: StoreError.violatedForeignKey)
  }

  /// Names the first row that refers to a row that does not exist, in the tables that a request
  /// touches.
  private func violation(_ request: SaveRequest, _ statements: SaveStatements) throws(StoreError)
    -> StoreError?
  {
    let layout = reader.layout
    let deleted = request.deletedEntityNames
    let written = request.insertedEntityNames.union(request.updatedEntityNames)
    for (entityName, table) in layout.tables.sorted(by: { $0.key < $1.key }) {
      let refersToDeleted =
        layout.model.entity(named: entityName)?.toOneRelationships.contains {
          deleted.contains($0.destinationEntityName)
        } ?? false
      guard written.contains(entityName) || refersToDeleted else { continue }
      let check: SQL = """
        SELECT rowid, parent FROM pragma_foreign_key_check(\(.string(table.name))) LIMIT 1
        """
      guard let row = try statements.row(check) else { continue }
      let parent = row[1].text ?? ""
      let key = row[0].isNull ? "" : " \(row[0].description)"
      var ids: [ObjectID] = []
      if case .integer(let rowid) = row[0], table.hasRowid {
        ids = [
          ObjectID(
            storeIdentifier: reader.storeIdentifier, entityName: entityName, key: .integer(rowid))
        ]
      }
      return StoreError(
        .constraint, doing: request.phrase, subject: "\(entityName)\(key)",
        detail: "\(table.name)\(key) refers to a row of \(parent) that is not there",
        remedy: "set the reference to nothing or to an object that exists", objectIDs: ids)
    }
    return nil
  }
}

/// The greatest keys that were given to objects that are not inserted yet, by table.
///
/// A plain table does not count its keys: without them another new row would get the same one.
final class ReservedKeys: Sendable {
  private let lastKeys = Mutex<[String: Int64]>([:])

  /// The greatest key that was reserved in a table; 0 if none was.
  func lastKey(inTable table: String) -> Int64 { lastKeys.withLock { $0[table] ?? 0 } }

  /// Notes a key that is reserved.
  func add(_ key: Int64, toTable table: String) {
    lastKeys.withLock { $0[table] = max($0[table] ?? 0, key) }
  }
}
