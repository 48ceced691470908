import GRDBSQLite
import ObjectModel

/// One save, inside its transaction.
///
/// The order of statements does not matter to the database's rules: foreign keys are checked at the end, and what a
/// rule refuses for now (a unique value not yet free, a child not yet deleted) is tried again after the rest.
final class SaveTransaction {
  let request: SaveRequest
  let layout: StoreLayout
  let storeIdentifier: String
  let statements: StatementRunner
  let connection: Connection
  let reader: StoreReader
  /// What Core Data keeps beside the rows; nil for a plain database.
  let coreData: CoreDataSave?
  /// Links that are taken out and put in again only to bring them into another order: they stay.
  let reorderedLinks: Set<ObjectLink>
  /// Where long values get files; nil where no value does.
  let externalFiles: ExternalFiles?
  /// The rows that triggers say they changed.
  let triggerReports: TriggerReports
  /// The IDs of inserted objects by their old ones; a composite key may be known only after its row was written.
  var permanentIDs: [ObjectID: ObjectID] = [:]
  /// The statements that put in rows of an entity, a few for the columns that rows mostly fill.
  var insertions: [String: [(columns: [String], sql: SQL)]] = [:]
  /// Deletions that found no row to take out: a cascade was first, or a trigger kept the row.
  var untouched: [ObjectID] = []
  private var nextRowids: [String: Int64] = [:]
  private var scopes: [String: QueryScope] = [:]

  init(
    _ request: SaveRequest, layout: StoreLayout, storeIdentifier: String,
    externalFiles: ExternalFiles?, statements: StatementRunner, connection: Connection
  ) {
    self.request = request
    self.layout = layout
    self.storeIdentifier = storeIdentifier
    self.statements = statements
    self.connection = connection
    self.externalFiles = externalFiles
    reader = StoreReader(
      layout: layout, storeIdentifier: storeIdentifier, externalFolder: externalFiles?.folder)
    coreData = CoreDataSave(layout: layout, statements: statements)
    triggerReports = TriggerReports(layout: layout, storeIdentifier: storeIdentifier)
    reorderedLinks =
      coreData == nil ? [] : Set(request.unlinked).intersection(request.linked)
  }

  func run() throws(StoreError) -> SaveResult {
    try triggerReports.listen(on: connection.handle) { () throws(StoreError) in try write() }
  }

  private func write() throws(StoreError) -> SaveResult {
    try checkNames()
    let rowsBefore = try checkExpectations()
    try allocateKeys()
    var result = SaveResult()
    result.deletedRows = rowsBefore.deleted
    noteOwners(before: rowsBefore.changed, deleted: result.deletedRows)
    for link in request.unlinked where !reorderedLinks.contains(link) { try unlink(link) }

    var updates = request.updated[...]
    try attempt(&updates, until: .postponing, update)
    result.deletedLinks = try removeLinksOfDeleted()
    var deletions = orderedDeletions()[...]
    try attempt(&deletions, until: .done, delete)
    try checkDeletions()
    try attempt(&updates, until: .postponing, update)
    var insertions = request.inserted[...]
    try attempt(&insertions, until: .postponing, insert)
    try attempt(&updates, until: .done, update)
    try attempt(&insertions, until: .done, insert)
    for link in request.linked where !reorderedLinks.contains(link) { try self.link(link) }
    try arrangeOrderedEnds()
    try keepBooks(deleted: result.deletedRows)

    result.permanentIDs = permanentIDs.filter(\.key.isTemporary)
    let written = request.inserted.compactMap { permanentIDs[$0.id] } + request.updated.map(\.id)
    result.snapshots = try reader.snapshots(
      of: written + changedBeside(written), isWhole: false, on: connection)
    return result
  }

  private enum Patience { case postponing, done }

  /// Does changes one after another; those that a rule refuses are tried again as long as others succeed.
  ///
  /// - Parameters:
  ///   - changes: The changes; those left over when postponing.
  ///   - patience: Whether what is refused may be left over.
  ///   - body: Does a change.
  /// - Throws: ``StoreError``: the first refusal that nothing could mend, or another failure at once.
  private func attempt<Change>(
    _ changes: inout ArraySlice<Change>, until patience: Patience,
    _ body: (Change) throws(StoreError) -> Void
  ) throws(StoreError) {
    while true {
      var refused: [Change] = []
      var failure: StoreError?
      for change in changes {
        do {
          try body(change)
        } catch {
          // A trigger may have rolled all back: what came after that would be written by itself.
          guard error.reason == .constraint, sqlite3_get_autocommit(connection.handle) == 0 else {
            throw error
          }
          refused.append(change)
          failure = failure ?? error
        }
      }
      let isStuck = refused.count == changes.count
      changes = refused[...]
      guard let failure else { return }
      if isStuck {
        if patience == .done { throw failure }
        return
      }
    }
  }

  // MARK: Tables and keys

  /// The table of an entity, to be written.
  func scope(_ entityName: String) throws(StoreError) -> QueryScope {
    if let scope = scopes[entityName] { return scope }
    let scope = try QueryScope(entityName: entityName, layout: layout)
    scopes[entityName] = scope
    return scope
  }

  /// The ID under which an object is, or will be, in the store; nil while that is not known.
  func storedID(_ id: ObjectID) -> ObjectID? { id.isTemporary ? permanentIDs[id] : id }

  /// `WHERE` for the row of an object, without an alias.
  func identity(_ id: ObjectID) throws(StoreError) -> SQL {
    let table = try scope(id.entityName).table
    let values: [Value]
    switch id.key {
    case .integer(let key): values = [.integer(key)]
    case .composite(let parts): values = parts
    case .temporary: values = []
    }
    return zip(table.keyColumnNames, values).map { .name($0) + .raw(" = ") + .value($1) }
      .joined(" AND ")
  }

  private func checkNames() throws(StoreError) {
    let ids =
      request.inserted.map(\.id) + request.updated.map(\.id) + request.deleted.map(\.id)
    for entityName in Set(ids.map(\.entityName)).sorted() {
      let scope = try scope(entityName)
      guard let reason = scope.entity.readOnlyReason else { continue }
      throw StoreError(.readOnly, doing: request.phrase, subject: entityName, detail: reason)
    }
  }

  /// Gives inserted objects their keys beforehand where that can be, so that others can refer to them.
  private func allocateKeys() throws(StoreError) {
    for change in request.inserted {
      let id = change.id
      if !id.isTemporary {
        try checkFree(id)
        permanentIDs[id] = id
        continue
      }
      let scope = try scope(id.entityName)
      let key: ObjectKey
      if case .rowid(let name) = scope.table.key {
        key = .integer(try rowid(of: change, column: name, in: scope))
      } else {
        let values = scope.table.keyColumnNames.map { scope.value(ofColumn: $0, in: change) }
        guard !values.contains(nil), !values.contains(.null) else { continue }
        key = .composite(values.compactMap(\.self))
      }
      permanentIDs[id] = ObjectID(
        storeIdentifier: storeIdentifier, entityName: id.entityName, key: key)
    }
  }

  private func rowid(of change: RowChange, column: String, in scope: QueryScope) throws(StoreError)
    -> Int64
  {
    if case .integer(let own)? = scope.value(ofColumn: column, in: change) { return own }
    let name = scope.table.name
    if let coreData { return try coreData.nextKey(of: change.id.entityName, table: name) }
    if let next = nextRowids[name], next < .max {
      nextRowids[name] = next + 1
      return next
    }
    let largest =
      .raw("SELECT max(") + SQL.name(column) + .raw(") FROM ") + .name(scope.table.name)
    var next: Int64 = 1
    if case .integer(let key)? = try statements.row(largest, columns: 1)?.first {
      next = max(next, key == .max ? .max : key + 1)
    }
    // With AUTOINCREMENT a key is never used again.
    let hasSequence = SQL.raw("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
    if try statements.row(hasSequence, columns: 1) != nil {
      let sequence =
        .raw("SELECT seq FROM sqlite_sequence WHERE name = ")
        + SQL.value(.string(scope.table.name))
      if case .integer(let key)? = try statements.row(sequence, columns: 1)?.first {
        next = max(next, key == .max ? .max : key + 1)
      }
    }
    for change in request.inserted
    where layout.tables[change.id.entityName]?.name == name {
      let other = try self.scope(change.id.entityName)
      if case .integer(let own)? = other.value(ofColumn: column, in: change), own >= next {
        next = own == .max ? .max : own + 1
      } else if case .integer(let own) = change.id.key, own >= next {
        next = own == .max ? .max : own + 1
      }
    }
    nextRowids[name] = next == .max ? .max : next + 1
    return next
  }

  private func checkFree(_ id: ObjectID) throws(StoreError) {
    let scope = try scope(id.entityName)
    // A deleted row of the same save makes room for the one put back.
    if request.deleted.contains(where: { $0.id == id }) { return }
    let sql =
      .raw("SELECT 1 FROM ") + SQL.name(scope.table.name) + .raw(" WHERE ") + (try identity(id))
    guard try statements.row(sql, columns: 1) != nil else { return }
    throw StoreError(
      .keyTaken, doing: request.phrase, subject: id.phrase,
      detail: "another object has got its key since it was deleted", objectIDs: [id])
  }
}

extension QueryScope {
  /// The stored value that a change gives a column; nil when it gives none.
  func value(ofColumn column: String, in change: RowChange) -> Value? {
    guard let place = table.columns.firstIndex(of: column), place < entity.attributes.count else {
      return nil
    }
    return change.values[entity.attributes[place].name]
  }
}
