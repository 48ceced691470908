import ObjectModel
import SQLQueries

extension StoreReader {
  /// Reads the objects of any entities that exist, by ID, whole or with long values truncated.
  ///
  /// - Throws: ``StoreError``.
  func snapshots(of ids: [ObjectID], isWhole: Bool = false, on connection: Connection)
    throws(StoreError) -> [ObjectID: RowSnapshot]
  {
    var snapshots: [ObjectID: RowSnapshot] = [:]
    snapshots.reserveCapacity(ids.count)
    let own = ids.filter { $0.storeIdentifier == storeIdentifier && !$0.isTemporary }
    for (entityName, ids) in Self.byEntity(own) {
      let query = try snapshotQuery(entityName, isWhole: isWhole)
      if query.findsOnlyItsKeys {
        try read(ids, query, into: &snapshots, on: connection)
        continue
      }
      // A key compared by the column's collation may find a row whose key differs in case: this is
      // another object.
      let requested = Set(ids)
      var packer = query.packer
      for chunk in ids.chunks(of: QueryScope.keysPerStatement) {
        let statement = try Statement(
          query.sql(keys: chunk.map(\.key)), on: connection, doing: "reading", subject: entityName)
        while try statement.step() {
          guard let snapshot = query.snapshot(statement, &packer), requested.contains(snapshot.id)
          else {
            continue
          }
          snapshots[snapshot.id] = snapshot
        }
      }
    }
    return snapshots
  }

  /// Reads objects of one entity that are alone in their table, by integer keys: by a range where
  /// the keys lie close together.
  private func read(
    _ ids: [ObjectID], _ query: SnapshotQuery, into snapshots: inout [ObjectID: RowSnapshot],
    on connection: Connection
  ) throws(StoreError) {
    var keys: [Int64] = []
    keys.reserveCapacity(ids.count)
    for id in ids {
      if case .integer(let key) = id.key { keys.append(key) }
    }
    keys.sort()
    var packer = query.packer
    for chunk in keys.chunks(of: QueryScope.keysPerStatement) {
      var run = KeyRun(chunk, hasLongColumns: query.hasLongColumns)
      let statement = try Statement(
        run.map(query.sql) ?? query.sql(keys: chunk.map(ObjectKey.integer)), on: connection,
        doing: "reading", subject: query.entityName)
      while try statement.step() {
        guard run?.contains(next: query.key(statement)) ?? true,
          let snapshot = query.snapshot(statement, &packer)
        else { continue }
        snapshots[snapshot.id] = snapshot
      }
    }
  }

  /// IDs by entity; usually all are of one entity.
  private static func byEntity(_ ids: [ObjectID]) -> [String: [ObjectID]] {
    guard let name = ids.first?.entityName else { return [:] }
    return ids.allSatisfy { $0.entityName == name }
      ? [name: ids] : Dictionary(grouping: ids, by: \.entityName)
  }

  /// Reads a whole value that a snapshot contains truncated, if necessary from its external file;
  /// null if the object does not exist.
  ///
  /// - Throws: ``StoreError``.
  func value(of attribute: String, for id: ObjectID, on connection: Connection)
    throws(StoreError) -> Value
  {
    let scope = try QueryScope(entityName: id.entityName, layout: layout)
    guard case .attribute(let column) = try scope.follow([attribute]) else {
      throw StoreError(
        .unknownName, doing: "reading", subject: id.entityName,
        detail: "\"\(attribute)\" is not an attribute")
    }
    guard id.storeIdentifier == storeIdentifier else { return .null }
    let sql: SQL =
      "SELECT \(column.value) FROM \(scope.from) WHERE \(scope.condition(keys: [id.key]))"
    let statement = try Statement(sql, on: connection, doing: "reading", subject: id.entityName)
    guard try statement.step() else { return .null }
    return statement.value(0)
  }
}
