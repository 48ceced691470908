import ObjectModel

/// Makes the request that saves the unsaved changes of a context.
struct SaveRequestMaker {
  private let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  /// The request.
  ///
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  func make() throws -> SaveRequest {
    var request = SaveRequest()
    request.inserted.reserveCapacity(context.unsaved.counts.inserted)
    request.updated.reserveCapacity(context.unsaved.counts.updated)
    request.deleted.reserveCapacity(context.unsaved.counts.deleted)
    for (offset, (id, change)) in context.pending.sorted.enumerated() {
      if offset % 1_000 == 0 { try context.checkCancelled(context.saveDoing) }
      switch change {
      case .inserted(let new): request.inserted.append(try insertion(of: new.row))
      case .updated(let update):
        request.updated.append(
          try rowChange(id, update.changes, version: update.base.version))
      case .deleted(let deletion):
        request.deleted.append(RowDeletion(id: id, version: deletion.version))
      }
    }
    for (relationship, stored) in context.unsaved.expectedDestinations {
      let isWhole = stored.keys.allSatisfy { context.pending.isDeleted($0) == true }
      // A copy of the whole dictionary costs nothing.
      let deleted = isWhole ? stored : stored.filter { context.pending.isDeleted($0.key) == true }
      if !deleted.isEmpty { request.expectedDestinations[relationship] = deleted }
    }
    request.selection = context.unsaved.selection
    request.returnsDeletedRows = context.undoHistory.isRegistrationEnabled
    // Of very many objects the context keeps only these rows.
    if context.unsaved.counts.inserted + context.unsaved.counts.updated
      > context.objects.rowCapacity
    {
      request.returnedRows = context.unsaved.referencedIDs()
    }
    try addLinks(to: &request)
    addExpectedOrders(to: &request)
    return request
  }

  private func insertion(of row: RowSnapshot) throws -> RowChange {
    let id = row.id
    let info = context.info(for: id.entityName)
    let isRestored = !id.isTemporary && !context.reserved.contains(id)
    let missing = context.undoMemory.missingDestinations(of: id)
    let unset = info.unset(in: row)
    guard info.isStoredWhole, row.isWhole, row.values.count == info.attributeNames.count,
      !info.awaitsKey(row)
    else {
      var change = try rowChange(
        id, Patch(toNew: row, unset: unset, isRestored: isRestored), version: nil)
      change.otherColumns = row.otherColumns
      change.missingDestinations = missing
      return change
    }
    var toOne: [String: ObjectID?] = [:]
    for (index, relationship) in info.toOne.enumerated()
    where relationship.description.foreignKeyAttributes.isEmpty {
      let destination = row.destination(at: index)
      if isRestored || destination != nil { toOne[relationship.name] = .some(destination) }
    }
    return RowChange(
      id: id,
      values: ChangedValues(row: row.values, names: info.attributeNames, unset: unset),
      toOne: toOne, otherColumns: row.otherColumns, missingDestinations: missing)
  }

  private func rowChange(_ id: ObjectID, _ patch: Patch, version: UInt64?) throws -> RowChange {
    let info = context.info(for: id.entityName)
    var change = RowChange(id: id, version: version)
    var values: [String: Value] = [:]
    values.reserveCapacity(patch.values.count)
    for (index, value) in patch.values where !info.entity.attributes[index].isReadOnly {
      values[info.entity.attributes[index].name] =
        patch.cutLengths[index] == nil ? value : try context.wholeValue(at: index, of: id)
    }
    for (index, destination) in patch.toOne {
      let relationship = info.toOne[index].description
      if !relationship.foreignKeyAttributes.isEmpty {
        // The foreign keys say it all, but while the destination has no key yet.
        guard let destination, destination.isTemporary else { continue }
        for name in relationship.foreignKeyAttributes { values[name] = nil }
      }
      change.toOne[relationship.name] = .some(destination)
    }
    change.values = ChangedValues(values)
    return change
  }

  /// Adds the unsaved links of many-to-many and ordered relationships.
  func addLinks(to request: inout SaveRequest) throws {
    for end in Set(context.links.keys).union(context.unsaved.orders.keys).sorted() {
      guard let relationship = context.info(for: end.id.entityName).relationships[end.name],
        context.pending.isDeleted(end.id) != true || context.links[end]?.removed.isEmpty == false
      else { continue }
      let change = context.links[end] ?? LinkChange()
      if context.unsaved.orders[end] != nil, context.pending.isDeleted(end.id) != true {
        try reorder(end, relationship, change, in: &request)
      } else if context.unsaved.orders[end] == nil, !isOrderedElsewhere(relationship, change) {
        request.unlinked += change.removed.sorted().compactMap { link(end, $0, relationship) }
        // An object that was deleted elsewhere stays in the request, which the store refuses.
        request.linked += change.added.filter {
          context.isAlive($0)
            || !$0.isTemporary && !context.pending.contains($0) && !context.undoMemory.isDeleted($0)
        }.compactMap { link(end, $0, relationship) }
      }
    }
  }

  /// Writes the order of an ordered relationship: deletes all links and inserts them in order.
  ///
  /// Of a to-many that is stored in its inverse only the order is written; of one that has only lost
  /// objects, or gained some at its end, only these.
  private func reorder(
    _ end: RelationshipEnd, _ relationship: RelationshipInfo, _ change: LinkChange,
    in request: inout SaveRequest
  ) throws {
    let contents = try context.contents(of: relationship, from: [end.id])[end.id] ?? []
    if relationship.kind == .links, let order = context.unsaved.orders[end],
      !order.isReordered(to: contents)
    {
      request.unlinked += change.removed.sorted().map { ObjectLink(end.name, from: end.id, to: $0) }
      request.linked += contents.filter(change.added.contains).map {
        ObjectLink(end.name, from: end.id, to: $0)
      }
      return
    }
    if relationship.kind == .links {
      let stored = contents.filter { !change.added.contains($0) } + change.removed.sorted()
      request.unlinked += stored.map { ObjectLink(end.name, from: end.id, to: $0) }
    }
    request.linked += contents.map { ObjectLink(end.name, from: end.id, to: $0) }
  }

  /// Whether these links are written from the other end, because its order changed.
  private func isOrderedElsewhere(_ relationship: RelationshipInfo, _ change: LinkChange) -> Bool {
    guard let inverse = relationship.inverse, inverse.isOrdered else { return false }
    return (change.added + change.removed).allSatisfy {
      context.unsaved.orders[RelationshipEnd($0, inverse.name)] != nil
    }
  }

  private func link(_ end: RelationshipEnd, _ id: ObjectID, _ relationship: RelationshipInfo)
    -> ObjectLink?
  {
    if let inverse = relationship.inverse {
      if context.unsaved.orders[RelationshipEnd(id, inverse.name)] != nil { return nil }
      if relationship.isSymmetric {
        guard end.id == id || end.id < id else { return nil }
      } else if !relationship.isCanonical {
        return nil
      }
    }
    return ObjectLink(end.name, from: end.id, to: id)
  }

  /// Has the save refused if relationships that get another order have changed in the store since.
  private func addExpectedOrders(to request: inout SaveRequest) {
    for (end, change) in context.unsaved.orders where context.isInStore(end) {
      let name = RelationshipName(end.name, of: end.id.entityName)
      request.expectedOrders[name, default: [:]][end.id] = change.base
    }
  }
}
