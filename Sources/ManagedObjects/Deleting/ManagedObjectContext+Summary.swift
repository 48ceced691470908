public import ObjectModel

extension ManagedObjectContext {
  /// Says what a save would do if some objects were deleted first, without changing anything.
  ///
  /// - Parameter ids: The objects to delete; none for the unsaved changes alone.
  /// - Returns: Counts, names and relationships for a person to read.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  public func saveSummary(deleting ids: [ObjectID] = []) throws -> SaveSummary {
    processPendingChanges()
    let plan = try deletionPlan(for: ids)
    let going = Set(plan.deleted)
    var summary = SaveSummary()
    let deleted = pending.filter(\.value.isDeleted).map(\.key).sorted()
    summary.deleted = try groups(plan.direct + deleted.filter { cascadeOrigins[$0] == nil })
    var cascaded = OrderedEffects()
    for id in deleted { cascadeOrigins[id].map { cascaded.add([id], to: $0) } }
    for effect in plan.cascaded { cascaded.add(effect.ids, to: effect.relationship) }
    summary.cascaded = Self.effects(cascaded)
    try summarizeUpdates(plan, going: going, &summary)
    summary.inserted = try groups(
      pending.filter(\.value.isInserted).map(\.key).filter { !going.contains($0) }.sorted())
    let denials = try standingDenials().compactMap { denial in
      try stillDenied(denial, going: going)
    }
    summary.denied = (denials + plan.denied).map {
      .init(name: displayName(of: $0.objectID), rule: $0)
    }
    let request = try saveRequest()
    summary.linkCount = request.linked.count + request.unlinked.count
    return summary
  }

  private func summarizeUpdates(
    _ plan: DeletionPlan, going: Set<ObjectID>, _ summary: inout SaveSummary
  ) throws {
    var nullified = OrderedEffects()
    var changedKeys: [ObjectID: Set<String>] = [:]
    for (id, change) in pending.sorted(by: { $0.key < $1.key }) where !going.contains(id) {
      guard case .updated(let base, let current) = change else { continue }
      let info = info(for: id.entityName)
      var keys = Patch(from: base, to: current).names(in: info.entity)
      for (place, relationship) in info.toOne.enumerated() {
        guard let old = base.destination(at: place), current.destination(at: place) == nil,
          pending[old]?.isDeleted == true
        else { continue }
        nullified.add([id], to: relationship.fullName)
        keys.remove(relationship.name)
        keys.subtract(relationship.description.foreignKeyAttributes)
      }
      if !keys.isEmpty { changedKeys[id] = keys }
    }
    for effect in plan.nullified { nullified.add(effect.ids, to: effect.relationship) }
    summary.nullified = Self.effects(nullified)
    summary.changed = try groups(changedKeys.keys.sorted(), changedKeys)
  }

  private func groups(_ ids: [ObjectID], _ changedKeys: [ObjectID: Set<String>] = [:]) throws
    -> [SaveSummary.Group]
  {
    try DeletionPlanner.byEntity(ids).map { entityName, ids in
      try prefetch(ids.prefix(3))
      return SaveSummary.Group(
        entityName: entityName, ids: ids, names: ids.prefix(3).map(displayName),
        changedKeys: Set(ids.flatMap { changedKeys[$0] ?? [] }).sorted())
    }
  }

  private static func effects(_ effects: OrderedEffects) -> [SaveSummary.Effect] {
    effects.effects.flatMap { effect in
      DeletionPlanner.byEntity(effect.ids).map {
        SaveSummary.Effect(entityName: $0, relationship: effect.relationship, ids: $1)
      }
    }
  }

  /// A standing denial, less the objects that would be deleted now.
  private func stillDenied(_ denial: DeletionPlan.Denial, going: Set<ObjectID>) throws
    -> DeletionPlan.Denial?
  {
    let name = String(denial.relationship.drop { $0 != "." }.dropFirst())
    guard let relationship = info(for: denial.objectID.entityName).relationships[name] else {
      return nil
    }
    let ids = try destinationIDs(of: relationship, from: [denial.objectID])[denial.objectID] ?? []
    var left = denial
    left.count = ids.count { isAlive($0) && !going.contains($0) }
    return left.count > 0 ? left : nil
  }
}
