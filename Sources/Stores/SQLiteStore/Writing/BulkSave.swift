import GRDBSQLite
package import ObjectModel
import SQLQueries
import Synchronization

/// Several saves in one transaction, as an import makes them: memory does not grow with their
/// number.
///
/// Each is a save like any other (keys, counters, history, derived attributes, triggers), or nothing
/// of it is written: the next one may try what is left. Persistent history has a transaction for
/// each.
final class BulkSave: BulkTransaction {
  private let writer: StoreWriter
  private let triggers: [StoreTrigger]
  private let statements: SaveStatements
  /// The external files of the saves.
  private(set) var files: [ExternalFiles] = []
  private var lookups: [KeyLookup] = []

  init(_ writer: StoreWriter, _ triggers: [StoreTrigger], _ statements: SaveStatements) {
    (self.writer, self.triggers, self.statements) = (writer, triggers, statements)
  }

  func save(
    _ request: SaveRequest, updatedRows: [RowSnapshot?]?
  ) throws(StoreError) -> SaveResult {
    let files = writer.reader.externalFolder.map { ExternalFiles(folder: $0) }
    try statements.run("SAVEPOINT cardfile_part")
    do {
      let result = try writer.write(
        request, triggers, files, statements, updatedRows: updatedRows)
      try statements.run("RELEASE cardfile_part")
      if let files, !files.isUnused { self.files.append(files) }
      return result
    } catch {
      files?.removeWritten()
      if !isOver {
        try statements.run("ROLLBACK TO cardfile_part")
        try statements.run("RELEASE cardfile_part")
      }
      throw error
    }
  }

  var isOver: Bool { sqlite3_get_autocommit(statements.connection.handle) != 0 }

  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try writer.reader.rows(of: ids, isWhole: true, on: statements.connection)
  }

  func lookup(_ attributes: [String], of entityName: String) throws(StoreError)
    -> any ObjectLookup
  {
    let scope = try QueryScope(entityName: entityName, layout: writer.reader.layout)
    let lookup = try KeyLookup(
      attributes, in: scope, storeIdentifier: writer.reader.storeIdentifier, statements,
      number: lookups.count)
    lookups.append(lookup)
    return lookup
  }

  /// Deletes all objects of a fetch from a plain table with one statement.
  ///
  /// Their IDs are read before: RETURNING within a savepoint copies pages for each row.
  func deleteAll(_ plan: FetchPlan, returnsIDs: Bool) throws(StoreError) -> DeletedObjects {
    let ids =
      returnsIDs
      ? Array(try writer.reader.fetch(plan, control: nil, on: statements.connection).ids) : []
    let scope = try QueryScope(entityName: plan.entityName, layout: writer.reader.layout)
    let filter = try FetchQuery.filter(plan, compiler: writer.reader.compiler, scope: scope)
    try statements.write(scope.deletion(plan.predicate.map { _ in filter }))
    return DeletedObjects(count: statements.changedRowCount, ids: ids)
  }

  /// Removes what only the saves needed.
  func end() throws(StoreError) { for lookup in lookups { try lookup.end() } }
}

extension SQLiteStore: BulkStore {
  package func keeps(_ key: ObjectKey, of entityName: String) -> Bool {
    if case .integer = key { true } else { layout.tables[entityName]?.hasRowid == false }
  }

  /// See `BulkStore.saveTogether(changing:doing:_:)`.
  ///
  /// A Core Data store is copied to a backup before the first save: see ``backupPath``.
  package func saveTogether<Result: Sendable>(
    changing changes: StoreChanges, doing: String, _ body: (any BulkTransaction) throws -> Result
  ) throws -> Result {
    try checkWritable()
    try backUpBeforeSaving()
    // What is checked at the end is looked for in the tables of these.
    let names = changes.inserted.union(changes.updated.keys)
    let scope = SaveRequest(
      updated: names.sorted().map {
        RowChange(
          id: ObjectID(storeIdentifier: identifier, entityName: $0, key: .integer(0)))
      })
    let detector = observers.withLock { $0.detector }
    var failure: (any Error)?
    do {
      return try writing(changes) { triggers in
        try detector?.prepareForSave()
        return try pool.write(doing: doing) { connection throws(StoreError) in
          try writer.saveTogether(scope, triggers: triggers, doing: doing, on: connection) {
            bulk throws(StoreError) in
            do { return try body(bulk) } catch {
              failure = error
              throw StoreError(error, doing: doing, subject: guardian.subject)
            }
          }
        }
      }
    } catch {
      if let failure, !(failure is StoreError) { throw failure }
      throw error
    }
  }
}
