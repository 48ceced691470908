import ObjectModel

extension SaveTransaction {
  /// Compares the versions that changes were made on with the rows as they stand, read the same way.
  ///
  /// - Returns: The rows that will be changed, as they stand.
  func checkVersions() throws(StoreError) -> [ObjectID: RowSnapshot] {
    let current = try reader.snapshots(
      of: request.updated.map(\.id), isWhole: false, on: connection)
    let conflicts = request.updated.filter { change in
      guard let snapshot = current[change.id] else { return true }
      return change.version != nil && change.version != snapshot.version
    }
    if !conflicts.isEmpty { throw gone(conflicts.map(\.id)) }
    return current
  }

  /// The rows that will be taken out, whole, after their versions were compared.
  func deletedRows() throws(StoreError) -> [RowSnapshot] {
    var current = try reader.snapshots(
      of: request.deleted.map(\.id), isWhole: true, on: connection)
    let conflicts = request.deleted.filter { deletion in
      guard let snapshot = current[deletion.id] else { return true }
      return deletion.version != nil && deletion.version != snapshot.version
    }
    if !conflicts.isEmpty { throw gone(conflicts.map(\.id)) }
    for id in request.deleted.map(\.id) { current[id]?.otherColumns = try otherColumns(of: id) }
    return request.deleted.compactMap { current[$0.id] }
  }

  /// Refuses to let the database take out, by a cascade of its own, rows that the request does not name.
  ///
  /// They were put in by another program since the deletion was planned.
  func checkCascades() throws(StoreError) {
    let deleted = Set(request.deleted.map(\.id))
    for (entityName, ids) in Dictionary(grouping: request.deleted.map(\.id), by: \.entityName) {
      let scope = try scope(entityName)
      for relationship in scope.entity.relationships where relationship.deleteRule == .cascade {
        guard case .foreignKey? = scope.table.toMany[relationship.name] else { continue }
        let children = try reader.destinations(
          of: relationship.name, from: ids, on: connection)
        let others = children.values.joined().filter { !deleted.contains($0) }
        guard !others.isEmpty else { continue }
        throw StoreError(
          .conflict, doing: request.phrase, subject: entityName,
          detail:
            "\(others.count) of \(relationship.destinationEntityName) would be deleted with it"
            + " that were not there before",
          remedy: "look at them, then delete again", objectIDs: others.sorted())
      }
    }
  }

  /// Refuses to call deleted what a trigger of the database has kept, which makes no error of its own.
  func checkDeletions() throws(StoreError) {
    for id in untouched {
      let exists =
        .raw("SELECT 1 FROM ") + SQL.name(try scope(id.entityName).table.name) + .raw(" WHERE ")
        + (try identity(id))
      guard try statements.row(exists, columns: 1) != nil else { continue }
      throw StoreError(
        .constraint, doing: request.phrase, subject: id.phrase,
        detail: "a trigger of the database keeps it", objectIDs: [id])
    }
  }

  /// The error for rows that changed or went.
  func gone(_ ids: [ObjectID]) -> StoreError {
    let named = ids.prefix(3).map(\.phrase).joined(separator: ", ")
    return StoreError(
      .conflict, doing: request.phrase, subject: named + (ids.count > 3 ? ", …" : ""),
      detail: "changed or deleted by another program since it was read",
      remedy: "read it again, then change it again", objectIDs: ids)
  }

  /// The deletions, those of referring entities before those they refer to, which saves refused attempts.
  func orderedDeletions() -> [RowDeletion] {
    let names = Set(request.deleted.map(\.id.entityName))
    var order: [String] = []
    var seen: Set<String> = []
    func visit(_ name: String) {
      guard names.contains(name), seen.insert(name).inserted else { return }
      for entity in layout.model.entities
      where entity.toOneRelationships.contains(where: { $0.destinationEntityName == name }) {
        visit(entity.name)
      }
      order.append(name)
    }
    for name in names.sorted() { visit(name) }
    let groups = Dictionary(grouping: request.deleted, by: \.id.entityName)
    return order.flatMap { groups[$0] ?? [] }
  }
}
