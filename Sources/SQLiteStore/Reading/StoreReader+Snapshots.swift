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
      let query = try SnapshotQuery(
        entityName: entityName, layout: layout, storeIdentifier: storeIdentifier,
        isWhole: isWhole, externalFolder: externalFolder)
      // A key compared by the column's collation may find a row whose key differs in case: this is
      // another object.
      let requested = query.findsOnlyItsKeys ? [] : Set(ids)
      for chunk in ids.chunks(of: QueryScope.keysPerStatement) {
        let statement = try Statement(
          query.sql(keys: chunk.map(\.key)), on: connection, doing: "reading", subject: entityName)
        while try statement.step() {
          guard let snapshot = query.snapshot(statement),
            query.findsOnlyItsKeys || requested.contains(snapshot.id)
          else { continue }
          snapshots[snapshot.id] = snapshot
        }
      }
    }
    return snapshots
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
