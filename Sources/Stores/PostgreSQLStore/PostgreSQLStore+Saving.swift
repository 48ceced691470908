import Foundation
package import ObjectModel
import SQLQueries

extension PostgreSQLStore {
  /// How often a save is run again after another transaction was in its way.
  private static let attempts = 5

  /// Saves in one transaction.
  ///
  /// What a constraint refuses only because of the order of the statements is tried again one by one.
  /// A deadlock or a failure to serialize is tried again from the start. Where the line is cut while
  /// the server commits, a new connection asks what became of the transaction.
  package func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    if let reason = summary.readOnlyReason {
      throw StoreError(.readOnly, doing: request.phrase, subject: summary.name, detail: reason)
    }
    var isCareful = false
    var attempt = 1
    while true {
      var state = ""
      do throws(StoreError) {
        return try pool.lend { connection throws(StoreError) in
          do throws(StoreError) {
            return try save(request, isCareful: isCareful, on: connection)
          } catch {
            state = connection.lastState
            throw error
          }
        }
      } catch {
        if state.hasPrefix("23"), !isCareful {
          isCareful = true
        } else if ["40001", "40P01"].contains(state), attempt < Self.attempts {
          attempt += 1
        } else {
          throw error
        }
      }
    }
  }

  /// Runs a save and takes it back.
  package func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    var rehearsal = SaveRehearsal()
    try pool.lend { connection throws(StoreError) in
      try connection.execute("BEGIN")
      let save = ServerSave(request, self, connection, isCareful: true)
      _ = try save.run()
      rehearsal.statements = save.statements
      try connection.execute("ROLLBACK")
    }
    return rehearsal
  }

  private func save(
    _ request: SaveRequest, isCareful: Bool, on connection: ServerConnection
  ) throws(StoreError) -> SaveResult {
    try connection.execute("BEGIN")
    var transaction: Int64?
    try connection.run("SELECT txid_current()") { row in transaction = row.integer(0) }
    let save = ServerSave(request, self, connection, isCareful: isCareful)
    let result = try save.run()
    try FetchControl.committing(doing: request.phrase) { () throws(StoreError) in
      do throws(StoreError) { try connection.execute("COMMIT") } catch {
        if connection.isOpen { throw withSavedParts(error, of: save) }
        guard let transaction else { throw error }
        if try !isCommitted(transaction, save, after: error) { throw error }
      }
    }
    return result
  }

  /// The error of a refused COMMIT, with what is saved nevertheless: servers that have parts of a table
  /// commit one after the other, not together.
  private func withSavedParts(_ error: StoreError, of save: ServerSave) -> StoreError {
    let ids = save.idsOnOtherServers
    guard !ids.isEmpty else { return error }
    var error = error
    do throws(StoreError) {
      let saved = try save.saved(of: ids, rows(of: ids))
      guard !saved.isEmpty else { return error }
      error.detail += """
        ; the servers do not commit together: of \(ids.count) objects \(saved.count) \
        \(saved.count == 1 ? "is" : "are") saved nevertheless: \
        \(saved.prefix(5).map(\.phrase).joined(separator: ", "))\(saved.count > 5 ? ", …" : "")
        """
      error.objectIDs = saved
    } catch {
      return StoreError(
        error.reason, doing: error.doing, subject: error.subject, detail: error.detail,
        remedy: """
          look at the objects before you save again: the servers do not commit together, and some may \
          have saved their part
          """)
    }
    error.remedy = "read the objects again, and save the rest"
    return error
  }

  /// What became of a transaction whose answer was lost, by a connection of its own.
  private func isCommitted(
    _ transaction: Int64, _ save: ServerSave, after error: StoreError
  ) throws(StoreError) -> Bool {
    // The server may still be ending it, or be starting again.
    for _ in 0..<20 {
      switch outcome(of: transaction) {
      case "committed":
        // A server that crashed may have given the number to another transaction.
        let ids = save.written
        if let rows = try? rows(of: ids), save.saved(of: ids, rows).count == ids.count {
          return true
        }
      case "aborted": return false
      default: Thread.sleep(forTimeInterval: 0.25)
      }
    }
    var unknown = error
    unknown.remedy = """
      look at the objects before you save again: it is not known whether the server has saved them
      """
    throw unknown
  }

  /// What the server says of a transaction; nil if it does not say it.
  private func outcome(of transaction: Int64) -> String? {
    var status: String?
    try? pool.lend { connection throws(StoreError) in
      do throws(StoreError) {
        _ = try connection.run("SELECT txid_status(\(transaction))") { row in
          status = row.text(0)
        }
      } catch {
        // It is in the future: the server crashed before it had written anything of it.
        if connection.lastState == "22023" { status = "aborted" }
      }
    }
    return status
  }
}

/// One save, inside of its transaction.
final class ServerSave {
  private let request: SaveRequest
  private let store: PostgreSQLStore
  private let connection: ServerConnection
  /// Whether each statement may fail without ending the transaction.
  private let isCareful: Bool
  private var permanentIDs: [ObjectID: ObjectID] = [:]
  /// The versions that the updated rows had before.
  private var versions: [ObjectID: UInt64] = [:]
  /// The objects whose own rows were updated, inserted or deleted.
  private(set) var written: [ObjectID] = []
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

  private func permanent(_ id: ObjectID) -> ObjectID { permanentIDs[id] ?? id }

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
  private func run(
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

  private func table(_ entityName: String) throws(StoreError) -> (EntityDescription, EntityTable) {
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
  private func values(
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

  /// The insertions, each after those that it refers to.
  private var orderedInsertions: [RowChange] {
    let indices = Dictionary(
      firstOf: request.inserted.indices.map { (request.inserted[$0].id, $0) })
    var ordered: [RowChange] = []
    var isSeen = request.inserted.map { _ in false }
    for start in request.inserted.indices where !isSeen[start] {
      // The objects on the way, each with those that it waits for; no recursion, for long chains.
      var path: [(index: Int, waitsFor: [Int])] = []
      func enter(_ index: Int) {
        isSeen[index] = true
        let change = request.inserted[index]
        let table = store.schema.layout.tables[change.id.entityName]
        path.append(
          (
            index,
            change.toOne.compactMap { name, destination in
              table?.toOne[name]?.isInverse == false ? destination.flatMap { indices[$0] } : nil
            }
          ))
      }
      enter(start)
      while let last = path.last {
        if let next = last.waitsFor.last {
          path[path.count - 1].waitsFor.removeLast()
          if !isSeen[next] { enter(next) }
        } else {
          ordered.append(request.inserted[last.index])
          path.removeLast()
        }
      }
    }
    return ordered
  }

  /// The deletions, those of entities that refer to others first.
  private var orderedDeletions: [RowDeletion] {
    let names = request.deletedEntityNames
    var depths: [String: Int] = [:]
    // As often as there are entities: longer chains are circles.
    for _ in names {
      for name in names {
        let parents = (store.model.entity(named: name)?.relationships ?? [])
          .filter { !$0.isToMany && !$0.foreignKeyAttributes.isEmpty }
          .map(\.destinationEntityName).filter { $0 != name && names.contains($0) }
        depths[name] = min((parents.map { depths[$0] ?? 0 }.max() ?? -1) + 1, names.count)
      }
    }
    return request.deleted.enumerated().sorted {
      let (left, right) = (
        depths[$0.element.id.entityName] ?? 0, depths[$1.element.id.entityName] ?? 0
      )
      return left != right ? left > right : $0.offset < $1.offset
    }.map(\.element)
  }

  // MARK: Links

  private func write(_ link: ObjectLink, isLinked: Bool) throws(StoreError) {
    let (source, destination) = (permanent(link.source), permanent(link.destination))
    let (_, table) = try table(source.entityName)
    // A foreign key is written as the to-one at its own end. The rows of join tables are objects too,
    // which are deleted as such.
    guard case .join(let join)? = table.toMany[link.relationshipName],
      let pairs = store.schema.layout.tables[join.name]?.rows
    else { return }
    var ends: [(String, Value)] = []
    for (columns, referenced, id) in [
      (join.sourceColumns, join.sourceReferenced, source),
      (join.destinationColumns, join.destinationReferenced, destination),
    ] {
      let toOne = EntityTable.ToOne(
        columns: columns, referenced: referenced,
        referencesKey: try self.table(id.entityName).1.keyColumnNames == referenced)
      ends += zip(
        columns,
        try values(of: referenced, toOne, id, link.relationshipName, RowChange(id: source)))
    }
    if isLinked {
      try run("INSERT INTO \(pairs) (\(names: ends.map(\.0))) VALUES (\(ends.map(\.1)))")
    } else {
      let isPair = SQL.equal(ends.map { .name($0.0) }, ends.map { .value($0.1) })
      try run("DELETE FROM \(pairs) WHERE \(isPair)")
    }
  }
}
