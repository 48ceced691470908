import ObjectModel

// The order of ordered to-many relationships, which no row holds.
extension ManagedObjectContext {
  /// Does something that can alter the order of ordered ends; undo and redo bring the orders before and after it back.
  func keepingOrders(of ends: [RelationshipEnd], _ body: () throws -> Void) rethrows {
    guard !ends.isEmpty, undoHistory.isRegistrationEnabled else { return try body() }
    registerOrders(of: ends)
    try body()
    registerOrders(of: ends)
  }

  /// Sets the order of a to-many's contents; nil for the store's own.
  func setOrder(_ order: [ObjectID]?, of end: RelationshipEnd) {
    keepingOrders(of: [end]) {
      touch(end.id, [end.name])
      unsaved.setOrder(order, of: end)
    }
  }

  /// The ordered ends that an object stands in or is the source of.
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
      undoHistory.register { [weak self] in self?.arrange(contents, of: end) }
    }
  }

  /// Brings contents into an order that they had.
  private func arrange(_ order: [ObjectID], of end: RelationshipEnd) {
    let end = RelationshipEnd(resolve(end.id), end.name)
    guard let contents = orderedContents(of: [end]).first?.contents else { return }
    undoHistory.register { [weak self] in self?.arrange(contents, of: end) }
    let members = Set(contents)
    let told = order.map(resolve).filter(members.contains)
    let rest = contents.filter { !told.contains($0) }
    // An order that holds by chance among unsaved objects is told all the same, or a save would choose another.
    guard told + rest != contents || contents.contains(where: { pending[$0] != nil }) else {
      return
    }
    touch(end.id, [end.name])
    unsaved.setOrder(told + rest, of: end)
  }

  /// The contents of those ends that are ordered and whose object exists: a query a relationship.
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
