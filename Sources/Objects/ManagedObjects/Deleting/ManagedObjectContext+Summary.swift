import ObjectModel
import OrderedCollections

extension ManagedObjectContext {
  /// Summarizes what a save of the unsaved changes and of a deletion would do, without changing
  /// anything.
  ///
  /// - Parameter plan: The deletion; an empty one for the unsaved changes alone.
  /// - Returns: Counts, names and relationships to show.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  package func saveSummary(deleting plan: DeletionPlan = DeletionPlan()) throws -> SaveSummary {
    processPendingChanges()
    return try assuming(plan) {
      var summary = SaveSummary()
      let planned = Set(plan.deleted)
      var direct = plan.direct
      var cascaded = EffectsByRelationship()
      for (id, change) in pending.sorted where !planned.contains(id) {
        guard case .deleted(let deletion) = change else { continue }
        if let origin = deletion.origin {
          cascaded.add([id], to: origin)
        } else {
          direct.append(id)
        }
      }
      for effect in plan.cascaded { cascaded.add(effect.ids, to: effect.relationship) }
      summary.deleted = try groups(direct)
      summary.cascaded = Self.effects(cascaded)
      try summarizeUpdates(&summary)
      summary.inserted = try groups(insertedObjectIDs)
      summary.denied = try denials(standingDenials())
      summary.refused = try denials(plan.refusals)
      summary.problems = try ChangeValidation(of: self).problems()
      summary.left = Self.effects(
        destinationsOfDeleted(by: \.leavesDestinations).reduce(into: [:]) { left, found in
          let staying = Set(found.contents.values.joined().filter(isAlive))
          left.add(staying.sorted(), to: found.relationship.fullName)
        })
      summary.dangling = Self.effects(try danglingEnds())
      summary.triggers = try triggers(of: summary)
      summary.unenforcedKeys = unenforcedKeys(of: summary)
      var request = SaveRequest()
      try SaveRequestMaker(self).addLinks(to: &request)
      summary.linkCount = request.linked.count + request.unlinked.count
      return summary
    }
  }

  private func summarizeUpdates(_ summary: inout SaveSummary) throws {
    var nullified = EffectsByRelationship()
    var defaulted = EffectsByRelationship()
    var changedKeys: [ObjectID: Set<String>] = [:]
    for (id, change) in pending.sorted {
      guard case .updated(let update) = change else { continue }
      let (base, current) = (update.base, update.current)
      let info = info(for: id.entityName)
      var keys = update.changes.names(in: info)
      for (index, relationship) in info.toOne.enumerated() {
        guard let old = base.destination(at: index), pending.isDeleted(old) == true else {
          continue
        }
        if current.destination(at: index) == nil {
          nullified.add([id], to: relationship.fullName)
        } else if relationship.inverse?.deleteRule == .setDefault,
          info.foreignKeys[index].map(current.value) == info.defaultKey(index)
        {
          defaulted.add([id], to: relationship.fullName)
        } else {
          continue
        }
        keys.remove(relationship.name)
        keys.subtract(relationship.description.foreignKeyAttributes)
      }
      if !keys.isEmpty { changedKeys[id] = keys }
    }
    summary.nullified = Self.effects(nullified)
    summary.defaulted = Self.effects(defaulted)
    summary.changed = try groups(changedKeys.keys.sorted(), changedKeys)
  }

  /// Groups denials by rule and entity.
  private func denials(_ found: [DeletionPlan.Denial]) throws -> [SaveSummary.Denial] {
    let rules = Dictionary(grouping: found) { denial in
      [denial.relationship.description, denial.objectID.entityName]
    }
    return try rules.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }).map { _, denials in
      let ids = denials.map(\.objectID)
      try prefetch(ids.prefix(3))
      return .init(
        entityName: ids[0].entityName, relationship: denials[0].relationship, ids: ids,
        names: ids.prefix(3).map(displayName),
        destinations: Array(OrderedSet(denials.lazy.flatMap(\.destinations))),
        destinationEntityName: denials[0].destinationEntityName)
    }
  }

  /// The triggers of the store that run when what a summary says is saved.
  private func triggers(of summary: SaveSummary) throws -> [StoreTrigger] {
    var changes = StoreChanges()
    changes.deleted = Set(summary.deleted.map(\.entityName) + summary.cascaded.map(\.entityName))
    changes.inserted = Set(summary.inserted.map(\.entityName))
    for group in summary.changed {
      changes.updated[group.entityName, default: []].formUnion(group.changedKeys)
    }
    for effect in summary.nullified + summary.defaulted {
      changes.updated[effect.entityName, default: []].insert(effect.relationship.name)
    }
    return try reading("reading triggers") { store throws(StoreError) in
      try store.triggers(of: changes)
    }
  }

  /// The foreign keys that the store cannot enforce of the objects that a summary is about.
  private func unenforcedKeys(of summary: SaveSummary) -> [String] {
    let groups = summary.deleted + summary.changed + summary.inserted
    let names = groups.map(\.entityName) + (summary.cascaded + summary.nullified).map(\.entityName)
    let keys = OrderedSet(names).flatMap { info(for: $0).entity.details.unenforcedKeys }
    return Array(OrderedSet(keys))
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

  private static func effects(_ found: EffectsByRelationship) -> [SaveSummary.Effect] {
    found.flatMap { relationship, ids in
      DeletionPlanner.byEntity(ids).map {
        SaveSummary.Effect(entityName: $0, relationship: relationship, ids: $1)
      }
    }
  }
}
