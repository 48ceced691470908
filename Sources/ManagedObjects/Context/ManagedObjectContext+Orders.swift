import ObjectModel

// The order of ordered to-many relationships, which is not part of a row.
extension ManagedObjectContext {
  /// Runs a change that may reorder ordered relationships, and registers undo and redo of their
  /// order.
  func keepingOrders(of ends: [RelationshipEnd], _ body: () throws -> Void) rethrows {
    guard !ends.isEmpty, undoHistory.isRegistrationEnabled else { return try body() }
    registerOrders(of: ends)
    try body()
    registerOrders(of: ends)
  }

  /// Sets the order of an ordered relationship; nil returns to the order in the store.
  func setOrder(_ order: [ObjectID]?, of end: RelationshipEnd) {
    keepingOrders(of: [end]) {
      touch(end.id, [end.name])
      unsaved.setOrder(order, of: end)
    }
  }

  /// The ordered relationships that lead from or to some objects.
  func orderedEnds(of ids: [ObjectID]) throws -> [RelationshipEnd] {
    guard undoHistory.isRegistrationEnabled else { return [] }
    var ends: [RelationshipEnd] = []
    for (entityName, ids) in DeletionPlanner.byEntity(ids) {
      for relationship in info(for: entityName).relationships.values {
        if relationship.description.isOrdered {
          ends += ids.map { RelationshipEnd($0, relationship.name) }
        }
        guard let inverse = relationship.inverse, inverse.isOrdered else { continue }
        let others = try destinationIDs(of: relationship, from: ids).values.joined()
        ends += Set(others).sorted().map { RelationshipEnd($0, inverse.name) }
      }
    }
    return ends
  }

  private func registerOrders(of ends: [RelationshipEnd]) {
    for (end, contents) in orderedContents(of: ends) {
      undoHistory.register { [reference] in reference.context?.arrange(contents, of: end) }
    }
  }

  /// Restores an earlier order of an ordered relationship.
  private func arrange(_ order: [ObjectID], of end: RelationshipEnd) {
    let end = RelationshipEnd(resolve(end.id), end.name)
    guard let contents = orderedContents(of: [end]).first?.contents else { return }
    undoHistory.register { [reference] in reference.context?.arrange(contents, of: end) }
    let members = Set(contents)
    let ordered = resolved(order).filter(members.contains)
    let rest = contents.filter { !ordered.contains($0) }
    // The order of unsaved objects is set even if it is right by chance: otherwise the save would
    // sort them by key.
    guard ordered + rest != contents || contents.contains(where: pending.contains) else {
      return
    }
    touch(end.id, [end.name])
    unsaved.setOrder(ordered + rest, of: end)
  }

  /// The contents of those relationships that are ordered and whose object exists; one query for
  /// each relationship.
  private func orderedContents(of ends: [RelationshipEnd])
    -> [(end: RelationshipEnd, contents: [ObjectID])]
  {
    var found: [(RelationshipEnd, [ObjectID])] = []
    for (name, ends) in Dictionary(grouping: ends, by: \.name).sorted(by: { $0.key < $1.key }) {
      for (entityName, ids) in DeletionPlanner.byEntity(ends.map(\.id).filter(isAlive)) {
        guard let relationship = info(for: entityName).relationships[name],
          relationship.description.isOrdered
        else { continue }
        attempt {
          let contents = try contents(of: relationship, from: ids)
          found += ids.map { (RelationshipEnd($0, name), contents[$0] ?? []) }
        }
      }
    }
    return found
  }
}
