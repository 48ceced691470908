import ObjectModel
import SQLQueries

/// One save, inside of its transaction.
final class ServerSave {
  let request: SaveRequest
  let store: PostgreSQLStore
  private let connection: ServerConnection
  /// Whether each statement may fail without ending the transaction.
  private let isCareful: Bool
  private var permanentIDs: [ObjectID: ObjectID] = [:]
  /// The versions that the updated rows had before.
  private var versions: [ObjectID: UInt64] = [:]
  /// The objects whose own rows were updated, inserted or deleted.
  private(set) var written: [ObjectID] = []
  /// Whether other servers may have saved a part of it, although it failed.
  var mayBeKept = false
  /// The statements that were run, with their values.
  private(set) var statements: [String] = []

  init(
    _ request: SaveRequest, _ store: PostgreSQLStore, _ connection: ServerConnection,
    isCareful: Bool
  ) {
    (self.request, self.store, self.connection) = (request, store, connection)
    self.isCareful = isCareful
  }

  func run() throws(StoreError) -> SaveResult {
    try checkNames()
    let before = try store.rows(
      of: request.deleted.map(\.id), on: connection, isWhole: request.returnsDeletedRows,
      isLocking: true)
    try checkExpectations(before)
    var result = SaveResult()
    if request.returnsDeletedRows { result.deletedRows = before.compactMap(\.self) }
    try connection.execute("SET CONSTRAINTS ALL DEFERRED")
    for link in request.unlinked { try write(link, isLinked: false) }
    let (early, late) = (
      request.updated.filter { !refersToNew($0) }, request.updated.filter(refersToNew)
    )
    var updates = try attempt(early) { change throws(StoreError) in try update(change) }
    var deletions = try attempt(orderedDeletions) { deletion throws(StoreError) in
      try delete(deletion)
    }
    updates = try attempt(updates) { change throws(StoreError) in try update(change) }
    var inserted = try attempt(orderedInsertions, insert)
    repeat {
      let count = inserted.count + updates.count + deletions.count
      updates = try attempt(updates) { change throws(StoreError) in try update(change) }
      deletions = try attempt(deletions) { deletion throws(StoreError) in try delete(deletion) }
      inserted = try attempt(inserted, insert)
      if count == inserted.count + updates.count + deletions.count { break }
    } while !inserted.isEmpty || !updates.isEmpty || !deletions.isEmpty
    for change in updates { try update(change) }
    for deletion in deletions { try delete(deletion) }
    for change in inserted { try insert(change) }
    for change in late { try update(change) }
    for link in request.linked { try write(link, isLinked: true) }
    try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
    result.permanentIDs = permanentIDs
    guard request.returnsRows else { return result }
    let written = (request.inserted + request.updated).map { permanent($0.id) }
    for case let row? in try store.rows(of: written, on: connection) {
      result.snapshots[row.id] = row
    }
    return result
  }

  /// The changed objects whose tables lie in part on other servers.
  var idsOnOtherServers: [ObjectID] {
    (request.deleted.map(\.id) + (request.updated + request.inserted).map { permanent($0.id) })
      .filter { store.schema.tables[$0.entityName]?.isForeign == true && !$0.isTemporary }
  }

  /// Which of some changed objects are as the save wanted them, by the rows that are there now.
  func saved(of ids: [ObjectID], _ rows: [RowSnapshot?]) -> [ObjectID] {
    let deleted = Set(request.deleted.map(\.id))
    return zip(ids, rows).filter { id, row in
      if deleted.contains(id) { return row == nil }
      return row.map { $0.version != versions[id] } ?? false
    }.map(\.0)
  }

  func permanent(_ id: ObjectID) -> ObjectID { permanentIDs[id] ?? id }

  private func refersToNew(_ change: RowChange) -> Bool {
    change.toOne.values.contains { $0?.isTemporary == true }
  }

  // MARK: Checks

  private func checkNames() throws(StoreError) {
    for name in request.entityNames.sorted() {
      guard let reason = store.model.entity(named: name)?.readOnlyReason else { continue }
      throw StoreError(.readOnly, doing: request.phrase, subject: name, detail: reason)
    }
  }

  /// Compares the rows that are to be changed with what was planned; they stay locked.
  private func checkExpectations(_ deleted: [RowSnapshot?]) throws(StoreError) {
    var rows = SaveDifference()
    let updated = try store.rows(of: request.updated.map(\.id), on: connection, isLocking: true)
    for (change, row) in zip(request.updated, updated) {
      versions[change.id] = row?.version
      rows.compare(change.id, planned: change.version, present: row?.version)
    }
    for (deletion, row) in zip(request.deleted, deleted) {
      rows.compare(deletion.id, planned: deletion.version, present: row?.version)
    }
    let difference = try request.difference(rows: rows) { relationship, ids throws(StoreError) in
      try store.destinations(of: relationship.name, from: ids, on: connection)
    } matches: { plan throws(StoreError) in
      try store.fetch(plan, control: nil).ids
    }
    guard difference.isEmpty else { throw StoreError(difference, doing: request.phrase) }
  }

  // MARK: Statements

  /// Runs a statement.
  ///
  /// - Returns: The number of rows that it changed.
  @discardableResult
  func run(
    _ sql: SQL, _ body: (ServerRow) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> Int {
    statements.append(sql.readable)
    return try connection.run(sql, doing: request.phrase, body)
  }

  /// Applies changes one after another; where it is careful, those that a constraint refuses for now
  /// are left over.
  ///
  /// - Returns: The changes that were refused.
  private func attempt<Change>(
    _ changes: [Change], _ body: (Change) throws(StoreError) -> Void
  ) throws(StoreError) -> [Change] {
    guard isCareful else {
      for change in changes { try body(change) }
      return []
    }
    var refused: [Change] = []
    for change in changes {
      let count = statements.count
      try connection.execute("SAVEPOINT change")
      do throws(StoreError) {
        try body(change)
      } catch {
        guard error.reason == .constraint, connection.isOpen else { throw error }
        try connection.execute("ROLLBACK TO SAVEPOINT change")
        statements.removeLast(statements.count - count)
        refused.append(change)
      }
      try connection.execute("RELEASE SAVEPOINT change")
    }
    return refused
  }

  func table(_ entityName: String) throws(StoreError) -> (EntityDescription, EntityTable) {
    guard let entity = store.model.entity(named: entityName),
      let table = store.schema.layout.tables[entityName]
    else { throw StoreError(.unknownName, doing: request.phrase, subject: entityName) }
    return (entity, table)
  }

  private func condition(_ id: ObjectID, _ table: EntityTable) -> SQL {
    SQL.equal(table.keyColumnNames.map(SQL.name), permanent(id).keyValues.map(SQL.value))
  }

  /// The columns that a change writes, with their values.
  private func assignments(_ change: RowChange) throws(StoreError) -> [(
    column: String, value: Value
  )] {
    let (entity, table) = try table(change.id.entityName)
    var values: [(String, Value)] = []
    for (index, attribute) in entity.attributes.enumerated() where !attribute.isReadOnly {
      if let value = change.values[attribute.name] { values.append((table.columns[index], value)) }
    }
    for (name, destination) in change.toOne.sorted(by: { $0.key < $1.key }) {
      guard let toOne = table.toOne[name], !toOne.isInverse else { continue }
      let referenced = try self.values(of: toOne.referenced, toOne, destination, name, change)
      for (column, value) in zip(toOne.columns, referenced) {
        values.removeAll { $0.0 == column }
        values.append((column, value))
      }
    }
    return values
  }

  /// The values of the columns that a foreign key refers to.
  func values(
    of columns: [String], _ toOne: EntityTable.ToOne, _ destination: ObjectID?, _ name: String,
    _ change: RowChange
  ) throws(StoreError) -> [Value] {
    guard let destination = destination.map(permanent) else { return columns.map { _ in .null } }
    if toOne.referencesKey, !destination.isTemporary { return destination.keyValues }
    let (entity, table) = try table(destination.entityName)
    guard let row = try store.rows(of: [destination], on: connection)[0] else {
      throw StoreError(
        missing: destination, of: name, referredToBy: change.id, doing: request.phrase)
    }
    return columns.map { column in
      table.columns.firstIndex(of: column).map { row.value(at: $0) }
        ?? entity.attributeIndex(column).map { row.value(at: $0) } ?? .null
    }
  }

  private func update(_ change: RowChange) throws(StoreError) {
    let (_, table) = try table(change.id.entityName)
    let values = try assignments(change)
    if !values.isEmpty {
      let list = values.map { "\(name: $0.column) = \($0.value)" as SQL }
      let count = try run("UPDATE \(table.rows) SET \(list) WHERE \(condition(change.id, table))")
      guard count <= 1 else { throw severalRows(change.id, count) }
      guard count == 1 else { throw refused(change.id, "the server changed no row") }
      written.append(change.id)
    }
    try writeInverses(change, table)
  }

  private func insert(_ change: RowChange) throws(StoreError) {
    let (_, table) = try table(change.id.entityName)
    var values = try assignments(change)
    if !change.id.isTemporary {
      for (column, value) in zip(table.keyColumnNames, change.id.keyValues) {
        values.removeAll { $0.column == column }
        values.append((column, value))
      }
    }
    let given = Set(values.map(\.column))
    let hasOwnKey = table.keyColumnNames.contains(where: given.contains)
    let overriding: SQL =
      hasOwnKey && store.schema.tables[change.id.entityName]?.hasAlwaysIdentity == true
      ? " OVERRIDING SYSTEM VALUE" : ""
    let what: SQL =
      values.isEmpty
      ? " DEFAULT VALUES"
      : " (\(names: values.map(\.column)))\(overriding) VALUES (\(values.map(\.value)))"
    let (types, keys) = (
      store.schema.keyTypes(of: change.id.entityName), table.keyColumnNames.map(SQL.name)
    )
    var key: ObjectKey?
    try run("INSERT INTO \(table.rows)\(what) RETURNING \(keys)") { row in
      key = store.schema.key(row, from: 0, types)
    }
    guard let key else { throw refused(change.id, "the server added no row") }
    if change.id.isTemporary {
      permanentIDs[change.id] = ObjectID(
        storeIdentifier: store.identifier, entityName: change.id.entityName, key: key)
    }
    written.append(permanent(change.id))
    try writeInverses(change, table)
  }

  /// Writes the one-to-one relationships whose foreign key is at the other end.
  private func writeInverses(_ change: RowChange, _ table: EntityTable) throws(StoreError) {
    for (name, destination) in change.toOne.sorted(by: { $0.key < $1.key }) {
      guard let toOne = table.toOne[name], toOne.isInverse, let destination else { continue }
      let own = try values(of: toOne.columns, toOne, change.id, name, change)
      let (_, other) = try self.table(destination.entityName)
      let list = zip(toOne.referenced, own).map { "\(name: $0) = \($1)" as SQL }
      try run("UPDATE \(other.rows) SET \(list) WHERE \(condition(destination, other))")
    }
  }

  private func delete(_ deletion: RowDeletion) throws(StoreError) {
    let (_, table) = try table(deletion.id.entityName)
    let count = try run("DELETE FROM \(table.rows) WHERE \(condition(deletion.id, table))")
    // None: the server may have cascaded to it, which was planned. Several: the key was named wrongly.
    guard count <= 1 else { throw severalRows(deletion.id, count) }
    written.append(deletion.id)
  }

  private func refused(_ id: ObjectID, _ detail: String) -> StoreError {
    StoreError(
      .constraint, doing: request.phrase, subject: id.phrase,
      detail: "\(detail): a trigger or a rule of the database keeps it from doing so",
      objectIDs: [id])
  }

  private func severalRows(_ id: ObjectID, _ count: Int) -> StoreError {
    StoreError(
      .unsupported, doing: request.phrase, subject: id.phrase,
      detail: "\(count) rows have this key, and nothing was saved",
      remedy: "a key that tells the rows of \(id.entityName) apart: --table-key", objectIDs: [id])
  }
}
