import ObjectModel

// The order of ordered to-many relationships, which is not part of a row.
extension ManagedObjectContext {
  /// Runs a change that may reorder ordered relationships, and registers undo and redo of their
  /// order.
  func keepingOrders(of ends: [RelationshipEnd], _ body: () throws -> Void) rethrows {
    guard !ends.isEmpty else { return try body() }
    registerOrders(of: ends)
    try body()
    dropUnchangedOrders(of: ends)
    registerOrders(of: ends)
  }

  /// Sets the order of an ordered relationship.
  ///
  /// - Throws: ``ManagedObjectError`` if the order in the store cannot be read.
  func setOrder(_ order: [ObjectID], of end: RelationshipEnd) throws {
    try keepingOrders(of: [end]) { try changeOrder(order, of: end) }
  }

  /// Returns an ordered relationship to its order in the store.
  func dropOrder(of end: RelationshipEnd) {
    keepingOrders(of: [end]) {
      touch(end.id, [end.name])
      unsaved.setOrder(nil, of: end)
    }
  }

  private func changeOrder(_ order: [ObjectID], of end: RelationshipEnd) throws {
    guard let relationship = info(for: end.id.entityName).relationships[end.name] else { return }
    let known = unsaved.orders[end]
    let stored = try known?.base ?? destinations(of: relationship, from: [end.id])[end.id] ?? []
    touch(end.id, [end.name])
    unsaved.setOrder(OrderChange(base: stored, order: order, theirs: known?.theirs), of: end)
  }

  /// Forgets unsaved orders that have become those in the store again: by an undo, by hand, or
  /// because what was inserted is gone.
  func dropUnchangedOrders(of ends: some Sequence<RelationshipEnd>) {
    if unsaved.orders.isEmpty { return }
    for end in ends {
      guard let change = unsaved.orders[end],
        let relationship = info(for: end.id.entityName).relationships[end.name]
      else { continue }
      // New objects keep their order even if it is right by chance: otherwise the save would sort
      // them by key.
      if overlay(change.base, of: end, relationship, isOrdered: false) == change.base,
        overlay(change.base, of: end, relationship) == change.base
      {
        unsaved.setOrder(nil, of: end)
      }
    }
  }

  // MARK: Orders of others

  func isInStore(_ end: RelationshipEnd) -> Bool {
    if let pending = pending[end.id] { return pending.isUpdated }
    return !end.id.isTemporary
  }

  /// Merges what is in a relationship now; returns whether that is new.
  func merge(
    _ stored: [ObjectID], of end: RelationshipEnd, _ relationship: RelationshipInfo
  ) -> Bool {
    guard var change = unsaved.orders[end], stored != change.theirs ?? change.base else {
      return false
    }
    let mine = overlay(change.base, of: end, relationship)
    change.theirs = nil
    if !change.isReordered(to: stored) {
      change.base = stored
    } else if !change.isReordered(to: mine) {
      change = change.taking(stored)
    } else {
      change.theirs = stored
    }
    unsaved.setOrder(change, of: end)
    dropUnchangedOrders(of: [end])
    return true
  }

  /// Adds the conflicts of orders to those of rows.
  func withOrderConflicts(_ conflicts: [ObjectID: ContextConflict]) -> [ObjectID: ContextConflict] {
    var all = conflicts
    for (end, change) in unsaved.orders.sorted(by: { $0.key < $1.key }) {
      guard let theirs = change.theirs,
        let relationship = info(for: end.id.entityName).relationships[end.name]
      else { continue }
      var conflict =
        all[end.id] ?? ContextConflict(unchanged: currentRow(of: end.id), end.id, in: self)
      conflict.properties.append(
        ContextConflict.Property(
          name: end.name, base: .objects(change.base),
          mine: .objects(overlay(theirs, of: end, relationship)), theirs: .objects(theirs),
          isMine: true, isTheirs: true))
      all[end.id] = conflict
    }
    return all
  }

  /// Resolves the conflicts of the orders of an object's relationships.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - asFound: Whether a conflict stays if the store has changed since it was found.
  ///   - isKept: Whether the order of a relationship stays as it is here.
  /// - Returns: Whether the store has changed, and conflicts stay.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  func resolveOrders(of id: ObjectID, asFound: Bool, isKept: (String) -> Bool) throws -> Bool {
    if unsaved.orders.isEmpty { return false }
    var hasChanged = false
    for relationship in info(for: id.entityName).relationships.values {
      let end = RelationshipEnd(id, relationship.name)
      guard var change = unsaved.orders[end], let theirs = change.theirs else { continue }
      let stored = try storedDestinations(of: relationship, from: [id])
      cache.keepDestinations(stored, of: end.name, from: [id])
      let present = stored[id] ?? []
      if asFound, present != theirs {
        hasChanged = merge(present, of: end, relationship) || hasChanged
        continue
      }
      touch(id, [end.name])
      if isKept(end.name) {
        (change.base, change.theirs) = (present, nil)
      } else {
        change = change.taking(present)
      }
      unsaved.setOrder(change, of: end)
      dropUnchangedOrders(of: [end])
    }
    return hasChanged
  }

  // MARK: Undo

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
    guard undoHistory.isRegistrationEnabled else { return }
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
    attempt { try changeOrder(ordered + rest, of: end) }
    dropUnchangedOrders(of: [end])
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
