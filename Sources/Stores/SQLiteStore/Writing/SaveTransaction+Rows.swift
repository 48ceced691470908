import ObjectModel
import SQLQueries

extension SaveTransaction {
  /// Inserts an object's row.
  func insert(_ change: RowChange) throws(StoreError) {
    let scope = try scope(change.id.entityName)
    let relationships = try relationshipColumns(of: change, in: scope)
    if try insertWhole(change, relationships, in: scope) { return }
    var columns = try self.columns(of: change, relationships, in: scope)
    var hasKey = false
    if let id = rows.storedID(change.id), case .rowid(let name) = scope.table.key,
      case .integer(let key) = id.key
    {
      columns.removeAll { $0.name == name }
      columns.insert((name, .integer(key)), at: 0)
      hasKey = true
    }
    columns += try rules.ownColumns(of: change, besides: columns, in: scope)
    let key = try namingInErrors(change.id) { () throws(StoreError) in
      try writes(in: scope).insert(columns, hasKey: hasKey)
    }
    if hasKey {
      guard rows.statements.changedRowCount == 1 else { throw unwritten(change.id, in: scope) }
      return
    }
    guard
      let key,
      let id = ObjectID(
        storeIdentifier: rows.storeIdentifier, entityName: change.id.entityName, keyValues: key,
        isRowid: scope.table.hasRowid)
    else { throw unwritten(change.id, in: scope) }
    if change.id.isTemporary { rows.permanentIDs[change.id] = id }
  }

  /// Inserts a row whose values are all known, with a statement that stays prepared.
  ///
  /// - Returns: Whether it was inserted; if not, nothing was written.
  private func insertWhole(
    _ change: RowChange, _ relationships: [ColumnValue], in scope: QueryScope
  ) throws(StoreError) -> Bool {
    guard let row = change.values.row, change.otherColumns.isEmpty,
      case .integer(let key)? = rows.storedID(change.id)?.key
    else { return false }
    // An attribute has the key of such a relationship.
    if relationships.contains(where: { scope.table.columns.contains($0.name) }) { return false }
    let own = try relationships + rules.ownColumns(of: change, besides: relationships, in: scope)
    let isInserted = try namingInErrors(change.id) { () throws(StoreError) in
      try writes(in: scope).insertWhole(row.values, unset: row.unset, key: key, own: own)
    }
    guard isInserted else { return false }
    guard rows.statements.changedRowCount == 1 else { throw unwritten(change.id, in: scope) }
    return true
  }

  /// The error of a row that was not written, because its key is null or a trigger ignored it.
  private func unwritten(_ id: ObjectID, in scope: QueryScope) -> StoreError {
    StoreError(
      .constraint, doing: request.phrase, subject: id.phrase,
      detail:
        "its key (\(scope.table.keyColumnNames.joined(separator: ", "))) must have a value",
      objectIDs: [id])
  }

  /// Updates an object's row, only the columns that the change names.
  func update(_ change: RowChange) throws(StoreError) {
    let scope = try scope(change.id.entityName)
    let relationships = try relationshipColumns(of: change, in: scope)
    let columns = try columns(of: change, relationships, in: scope)
    guard !columns.isEmpty else { return }
    for name in scope.table.keyColumnNames where columns.contains(where: { $0.name == name }) {
      throw StoreError(
        .unsupported, doing: request.phrase, subject: change.id.phrase,
        detail: "\(name) is part of its key, which stays as long as the object is there",
        remedy: "make a new object and delete this one", objectIDs: [change.id])
    }
    try namingInErrors(change.id) { () throws(StoreError) in
      try rules.update(change.id) { own throws(StoreError) in
        try writes(in: scope).update(change.id, set: columns, own)
      }
    }
    if rows.statements.changedRowCount == 0 {
      throw StoreError(SaveDifference(deleted: [change.id]), doing: request.phrase)
    }
    rules.noteChange(of: change.id, change.values.keys.union(change.toOne.keys))
  }

  /// Deletes the rows of many objects of an entity, a few hundred with one statement, which takes a
  /// quarter of the time off a deletion of 100,000.
  ///
  /// - Returns: The deletions that are left, to be made one by one: those of few objects, of keys
  ///   of several columns, and those that a constraint refuses for now.
  /// - Throws: ``StoreError``.
  func deleteTogether(_ deletions: [RowDeletion]) throws(StoreError) -> [RowDeletion] {
    guard deletions.count >= Self.leastTogether else { return deletions }
    var left: [RowDeletion] = []
    for run in deletions.map(\.id).runsOfEntities {
      let scope = try scope(run[run.startIndex].entityName)
      guard run.count >= Self.leastTogether, scope.table.keyColumnNames.count == 1 else {
        left += deletions[run.indices]
        continue
      }
      for chunk in run.chunks(of: QueryScope.keysPerStatement) {
        try FetchControl.check(doing: request.phrase, completed: written, total: request.count)
        do throws(StoreError) {
          try rows.delete(together: chunk)
          written += chunk.count
          if rows.statements.changedRowCount != chunk.count { untouched += chunk }
        } catch {
          guard mayRetry(after: error) else { throw error }
          left += deletions[chunk.indices]
        }
      }
    }
    return left
  }

  /// The least number of objects that are deleted together: of fewer, each has its own statement.
  private static let leastTogether = 200

  /// Deletes an object's row.
  ///
  /// A row may already be deleted by a cascade of the database: see ``checkDeletions()``.
  func delete(_ deletion: RowDeletion) throws(StoreError) {
    try namingInErrors(deletion.id) { () throws(StoreError) in try rows.delete(deletion.id) }
    if rows.statements.changedRowCount == 0 { untouched.append(deletion.id) }
  }

  /// The columns that a change writes, each once: those of its values and of its relationships.
  private func columns(
    of change: RowChange, _ relationships: [ColumnValue], in scope: QueryScope
  ) throws(StoreError) -> [ColumnValue] {
    let names = scope.table.columns
    var values = [Value?](repeating: nil, count: names.count)
    var others: [String: Value] = [:]
    for (name, value) in change.values.dictionary {
      guard let index = scope.entity.attributeIndex(name), index < names.count else {
        throw StoreError(
          .unknownName, doing: request.phrase, subject: change.id.phrase,
          detail: "there is no attribute \"\(name)\" in \(scope.entity.name)")
      }
      let attribute = scope.entity.attributes[index]
      guard !attribute.isReadOnly else { continue }
      values[index] = value
      if attribute.encoding == .externalData, let externalFiles {
        values[index] = try externalFiles.stored(value, old: change.otherColumns[names[index]])
      }
    }
    for (column, value) in relationships {
      if let index = names.firstIndex(of: column) {
        values[index] = value
      } else {
        others[column] = value
      }
    }
    // In a fixed order, so that rows with the same columns share a statement.
    var columns: [ColumnValue] = []
    columns.reserveCapacity(names.count + others.count + 2)
    for (name, value) in zip(names, values) {
      if let value { columns.append((name, value)) }
    }
    for (name, value) in others.sorted(by: { $0.key < $1.key }) { columns.append((name, value)) }
    return columns
  }

  /// The columns that a change of to-one relationships writes, in a fixed order.
  private func relationshipColumns(of change: RowChange, in scope: QueryScope) throws(StoreError)
    -> [ColumnValue]
  {
    if change.toOne.isEmpty { return [] }
    var columns: [ColumnValue] = []
    for (name, destination) in change.toOne.sorted(by: { $0.key < $1.key }) {
      guard let toOne = scope.table.toOne[name] else {
        throw StoreError(
          .unknownName, doing: request.phrase, subject: change.id.phrase,
          detail: "there is no to-one relationship \"\(name)\" in \(scope.entity.name)")
      }
      if toOne.isInverse { continue }  // the other end writes it
      let referenced: [Value]
      if let destination {
        referenced = try rows.values(
          ofColumns: toOne.referenced, of: destination, referredToBy: change.id)
      } else {
        referenced = toOne.columns.map { _ in .null }
      }
      columns += try rules.columns(
        with: toOne, to: destination, key: referenced, of: change, in: scope)
      columns += zip(toOne.columns, referenced).map { ($0, $1) }
    }
    return columns
  }

  /// Runs a statement for an object, which a constraint error then names.
  private func namingInErrors<Result>(_ id: ObjectID, _ body: () throws(StoreError) -> Result)
    throws(StoreError) -> Result
  {
    do {
      return try body()
    } catch {
      guard error.reason == .constraint else { throw error }
      var named = error
      named.detail = try rules.describe(error.detail, of: id)
      named.subject = id.phrase
      named.objectIDs = [id]
      throw named
    }
  }
}
