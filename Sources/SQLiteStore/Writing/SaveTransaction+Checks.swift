import ObjectModel
import SQLQueries

extension SaveTransaction {
  /// Compares what the request was planned on with the rows and relationships as they are now.
  ///
  /// - Returns: The rows that will be changed, and those that will be deleted with all their
  ///   values.
  /// - Throws: ``StoreError``: a conflict with the difference when there is one.
  func checkExpectations() throws(StoreError) -> (
    changed: [ObjectID: RowSnapshot], deleted: [RowSnapshot]
  ) {
    let changed = try reader.snapshots(
      of: request.updated.map(\.id), isWhole: false, on: connection)
    var deleted = try reader.snapshots(
      of: request.deleted.map(\.id), isWhole: true, on: connection)
    let versions = changed.merging(deleted) { $1 }.mapValues(\.version)
    var difference = try request.difference(versions: versions) {
      relationship, ids throws(StoreError) in
      try reader.destinations(of: relationship.name, from: ids, on: connection)
    } matches: { plan throws(StoreError) in
      try reader.fetch(plan, control: nil, on: connection).ids
    }
    difference.destinations += try unexpectedCascades()
    guard difference.isEmpty else { throw StoreError(difference, doing: request.phrase) }
    for id in request.deleted.map(\.id) {
      deleted[id]?.otherColumns = try rules.otherColumns(of: id)
    }
    return (changed, request.deleted.compactMap { deleted[$0.id] })
  }

  /// Returns the rows that a cascade of the database would delete although the request neither
  /// names nor expects them.
  private func unexpectedCascades() throws(StoreError) -> [SaveDifference.Destinations] {
    let links = request.linked + request.unlinked
    let named = Set(
      request.deleted.map(\.id) + request.updated.map(\.id) + links.map(\.destination))
    var found: [SaveDifference.Destinations] = []
    for (entityName, ids) in Dictionary(grouping: request.deleted.map(\.id), by: \.entityName) {
      let scope = try scope(entityName)
      for relationship in scope.entity.relationships where relationship.deleteRule == .cascade {
        let name = RelationshipName(relationship.name, of: entityName)
        let expected = request.expectedDestinations[name] ?? [:]
        let sources = ids.filter { expected[$0] == nil }
        guard !sources.isEmpty, case .foreignKey? = scope.table.toMany[name.name] else { continue }
        let children = try reader.destinations(
          of: name.name, from: sources, on: connection)
        let others = children.values.joined().filter { !named.contains($0) }
        if !others.isEmpty { found.append(.init(relationship: name, added: others.sorted())) }
      }
    }
    return found
  }

  /// Refuses to call deleted what a trigger of the database has kept, which makes no error of its
  /// own.
  func checkDeletions() throws(StoreError) {
    for id in untouched where try rows.exists(id) {
      throw StoreError(
        .constraint, doing: request.phrase, subject: id.phrase,
        detail: "a trigger of the database keeps it", objectIDs: [id])
    }
  }

  /// Returns the deletions, referring entities before those that they refer to, which saves refused
  /// attempts.
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
