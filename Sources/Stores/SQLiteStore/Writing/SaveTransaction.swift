import GRDBSQLite
import ObjectModel
import SQLQueries

/// One save, inside its transaction.
///
/// The order of statements does not matter to the database's constraints: foreign keys are checked
/// at the end, and what a constraint refuses for now (a unique value not yet free, a child not yet
/// deleted) is tried again after the rest.
final class SaveTransaction {
  let rows: SaveRows
  /// What is written besides the values of objects, as Z_OPT, Z_MAX and persistent history of a Core
  /// Data store.
  let rules: any LayoutRules
  /// Links that are removed and added again only to change their order: they stay.
  let reorderedLinks: Set<ObjectLink>
  /// Writes external data; nil for a store without files.
  let externalFiles: ExternalFiles?
  private var writes: [String: RowWrites] = [:]
  /// Deletions that found no row: a cascade was first, or a trigger kept the row.
  var untouched: [ObjectID] = []
  /// The number of changes that were written, with attempts that were refused.
  var written = 0
  /// Links to objects that have another owner now.
  var replacedLinks: [ObjectLink] = []

  /// The entities of the inserted, updated and deleted objects.
  private(set) lazy var entityNames = request.entityNames
  /// The entities of the deleted objects.
  private(set) lazy var deletedEntityNames = request.deletedEntityNames

  var request: SaveRequest { rows.request }
  var layout: StoreLayout { rows.layout }
  var reader: StoreReader { rows.reader }
  var connection: Connection { rows.statements.connection }

  init(_ rows: SaveRows, externalFiles: ExternalFiles?) {
    self.rows = rows
    self.externalFiles = externalFiles
    rules = rows.layout.coreData.map { CoreDataRules(rows, schema: $0) } ?? PlainRules(rows)
    reorderedLinks =
      rules.hasOrderKeys ? Set(rows.request.unlinked).intersection(rows.request.linked) : []
  }

  func run() throws(StoreError) -> SaveResult {
    try rules.observeTriggers(true)
    defer { try? rules.observeTriggers(false) }
    try checkNames()
    let rowsBefore = try checkExpectations()
    try allocateKeys()
    try reserveKeys()
    var result = SaveResult()
    if request.returnsDeletedRows {
      result.deletedRows = rowsBefore.deleted
      result.missingDestinations = try missingDestinations(of: rowsBefore.deleted)
    }
    try rules.begin(before: rowsBefore.changed, deleted: rowsBefore.deleted)
    try noteSupersededFiles()
    let derived = DerivedValues(rows, rules)
    try derived?.begin()
    for link in request.unlinked where !reorderedLinks.contains(link) { try unlink(link) }

    var updates = request.updated[...]
    try attempt(&updates, until: .postponing, update)
    result.deletedLinks = try removeLinksOfDeleted()
    var deletions = try deleteTogether(orderedDeletions())[...]
    try attempt(&deletions, until: .done, delete)
    try checkDeletions()
    try attempt(&updates, until: .postponing, update)
    var insertions = request.inserted[...]
    try attempt(&insertions, until: .postponing, insert)
    try attempt(&updates, until: .postponing, update)
    try vacate(updates)
    try attempt(&updates, until: .done, update)
    try attempt(&insertions, until: .done, insert)
    try checkDestinations()
    for link in request.linked where !reorderedLinks.contains(link) { try self.link(link) }
    result.replacedLinks = replacedLinks
    let computed = try derived?.finish() ?? []
    let changed = try computed + rules.finish(deleted: rowsBefore.deleted)

    result.permanentIDs = rows.permanentIDs
    guard request.returnsRows else { return result }
    var others: [ObjectID] = []
    if !changed.isEmpty {
      let known = Set(rows.insertedIDs + request.updated.map(\.id))
        .union(request.deleted.map(\.id))
      others = changed.filter { !known.contains($0) }
      // A trigger may have changed anything else.
      if !others.isEmpty, try rows.statements.row(TriggerSurvey.usersQuery) == nil {
        for id in others { result.changedKeys[id] = rules.changedKeys(of: id) }
      }
    }
    // Nothing else in the save has written attributes of the rows then: Core Data's order keys are
    // none.
    let writesOnlyValues =
      request.deleted.isEmpty && request.linked.isEmpty && request.unlinked.isEmpty
      && derived == nil && (layout.coreData == nil ? changed.isEmpty : others.isEmpty)
    let certain = writesOnlyValues ? CertainRows(rows) : nil
    let updated = try updatedRows(but: certain)
    result.snapshots = try reader.snapshots(of: updated + others, on: connection)
    try addInsertedRows(to: &result, certain: certain)
    return result
  }

  /// The updated objects whose rows are read as they are now: not those that nobody wants and that
  /// are as they were written.
  private func updatedRows(but certain: CertainRows?) throws(StoreError) -> [ObjectID] {
    guard let certain, let wanted = request.returnedRows else { return request.updated.map(\.id) }
    var ids: [ObjectID] = []
    for change in request.updated {
      if !wanted.contains(change.id), try certain.contain(change) { continue }
      ids.append(change.id)
    }
    return ids
  }

  /// Reads the inserted rows as they are now; those that nobody wants and that are as they were
  /// written are not read, or dropped again.
  private func addInsertedRows(to result: inout SaveResult, certain: CertainRows?)
    throws(StoreError)
  {
    let inserted = request.inserted
    let wanted = request.returnedRows
    if wanted == nil { result.snapshots.reserveCapacity(result.snapshots.count + inserted.count) }
    for batch in inserted.indices.chunks(of: Self.rowsPerBatch) {
      var indexes: [Int] = []
      var ids: [ObjectID] = []
      for index in batch {
        guard let id = rows.storedID(inserted[index].id) else { continue }
        if let certain, wanted?.contains(inserted[index].id) == false,
          try certain.contain(inserted[index])
        {
          continue
        }
        indexes.append(index)
        ids.append(id)
      }
      for (index, row) in zip(indexes, try reader.rows(of: ids, on: connection)) {
        guard let row else { continue }
        if let wanted, !wanted.contains(inserted[index].id), inserted[index].isStored(as: row) {
          continue
        }
        result.snapshots[row.id] = row
      }
    }
  }

  /// Notes the external files of the values that are replaced or deleted.
  private func noteSupersededFiles() throws(StoreError) {
    guard let externalFiles else { return }
    let updated = Dictionary(firstOf: request.updated.map { ($0.id, $0.values) })
    externalFiles.supersede(
      try reader.externalFileNames(
        of: request.deleted.map(\.id) + updated.keys, rows.statements
      ) { id, attribute in updated[id].map { $0[attribute.name] != nil } ?? true })
  }

  private enum Patience { case postponing, done }

  /// Applies changes one after another.
  ///
  /// Those that a constraint refuses are tried again as long as others succeed.
  ///
  /// - Parameters:
  ///   - changes: The changes; those left over when postponing.
  ///   - patience: Whether what is refused may be left over.
  ///   - body: Applies a change.
  /// - Throws: ``StoreError``: the first refusal if no attempt succeeds any more, or another
  ///   failure at once.
  private func attempt<Change>(
    _ changes: inout ArraySlice<Change>, until patience: Patience,
    _ body: (Change) throws(StoreError) -> Void
  ) throws(StoreError) {
    while true {
      var refused: [Change] = []
      var failure: StoreError?
      for change in changes {
        written += 1
        if written % 128 == 0 {
          try FetchControl.check(doing: request.phrase, completed: written, total: request.count)
        }
        do {
          try body(change)
        } catch {
          guard mayRetry(after: error) else { throw error }
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

  /// Whether a constraint has refused a change that can be tried again after others.
  func mayRetry(after error: StoreError) -> Bool {
    // A trigger may have rolled back: later statements would run outside of the transaction.
    error.reason == .constraint && sqlite3_get_autocommit(connection.handle) == 0
  }

  // MARK: Tables and keys

  /// The table of an entity.
  func scope(_ entityName: String) throws(StoreError) -> QueryScope { try rows.scope(entityName) }

  /// The statements that write rows of an entity.
  func writes(in scope: QueryScope) -> RowWrites {
    if let known = writes[scope.entity.name] { return known }
    let new = RowWrites(scope, rows.statements)
    writes[scope.entity.name] = new
    return new
  }

  private func checkNames() throws(StoreError) {
    for entityName in entityNames.sorted() {
      let scope = try scope(entityName)
      guard let reason = scope.entity.readOnlyReason else { continue }
      throw StoreError(.readOnly, doing: request.phrase, subject: entityName, detail: reason)
    }
  }

  /// Gives inserted objects their keys beforehand where that is possible, so that others can refer
  /// to them.
  private func allocateKeys() throws(StoreError) {
    rows.permanentIDs.reserveCapacity(request.inserted.count(where: \.id.isTemporary))
    try checkFree(request.inserted.lazy.map(\.id).filter { !$0.isTemporary })
    for run in request.inserted.runsOfEntities {
      let entityName = request.inserted[run.lowerBound].id.entityName
      try allocateKeys(
        of: run, in: scope(entityName),
        .of(storeIdentifier: rows.storeIdentifier, entityName: entityName))
    }
  }

  /// Gives inserted objects of one entity their keys.
  private func allocateKeys(of run: Range<Int>, in scope: QueryScope, _ idScope: ObjectIDScope)
    throws(StoreError)
  {
    let inserted = request.inserted
    let keys = scope.table.keyColumnNames.map(scope.changedColumn)
    // A change is large: only what is read of it is copied.
    for index in run where inserted[index].id.isTemporary {
      let key: ObjectKey
      if case .rowid(let name) = scope.table.key {
        if case .integer(let own)? = keys[0]?.value(in: inserted[index].values) {
          key = .integer(own)
        } else {
          key = .integer(try rules.nextKey(column: name, in: scope))
        }
      } else {
        let values = keys.map { $0?.value(in: inserted[index].values) }
        guard !values.contains(nil), !values.contains(.null) else { continue }
        key = .composite(values.compactMap(\.self))
      }
      rows.permanentIDs[inserted[index].id] = ObjectID(idScope, key: key)
    }
  }

  /// Gives keys to objects that a later save inserts.
  private func reserveKeys() throws(StoreError) {
    for id in request.reserved {
      let scope = try scope(id.entityName)
      guard case .rowid(let name) = scope.table.key else {
        throw StoreError(
          .unsupported, doing: "reserving a key", subject: id.entityName,
          detail: "its key is made of its values", objectIDs: [id])
      }
      let key = try rules.nextKey(column: name, in: scope)
      rows.permanentIDs[id] = ObjectID(
        storeIdentifier: rows.storeIdentifier, entityName: id.entityName, key: .integer(key))
    }
  }

  /// Refuses to bring back objects whose keys others have now.
  private func checkFree(_ ids: [ObjectID]) throws(StoreError) {
    guard !ids.isEmpty else { return }
    // A row that the same save deletes makes room for the one that comes back.
    let deleted = Set(request.deleted.lazy.map(\.id))
    let taken = try rows.existing(ids.filter { !deleted.contains($0) })
    guard let id = ids.first(where: taken.contains) else { return }
    throw StoreError(
      .keyTaken, doing: request.phrase, subject: id.phrase,
      detail: "another object has its key since it was deleted", objectIDs: [id])
  }
}
