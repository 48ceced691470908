import ObjectModel
import OrderedCollections

extension SaveSummary {
  /// Summarizes what a save of the unsaved changes of a context and of a deletion would do, without
  /// changing anything.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - plan: The deletion; an empty one for the unsaved changes alone.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  package init(of context: ManagedObjectContext, deleting plan: DeletionPlan = DeletionPlan())
    throws
  {
    context.processPendingChanges()
    self = try context.assuming(plan) { try SaveSummarizer(context).summary(deleting: plan) }
  }
}

/// Summarizes the unsaved changes of a context, among which are those of a planned deletion.
private struct SaveSummarizer {
  private let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  func summary(deleting plan: DeletionPlan) throws -> SaveSummary {
    var summary = SaveSummary()
    let planned = Set(plan.deleted)
    var direct = plan.direct
    var cascaded = EffectsByRelationship()
    for (id, change) in context.pending.sorted where !planned.contains(id) {
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
    summary.inserted = try groups(context.insertedObjectIDs)
    summary.denied = try denials(context.standingDenials())
    summary.refused = try denials(plan.refusals)
    summary.problems = try ChangeValidation(of: context).problems()
    summary.left = Self.effects(
      context.destinationsOfDeleted(by: \.leavesDestinations).reduce(into: [:]) { left, found in
        let staying = Set(found.contents.values.joined().filter(context.isAlive))
        left.add(staying.sorted(), to: found.relationship.fullName)
      })
    summary.dangling = Self.effects(try danglingEnds())
    summary.triggers = try triggers(of: summary)
    summary.unenforcedKeys = unenforcedKeys(of: summary)
    var request = SaveRequest()
    try SaveRequestMaker(context).addLinks(to: &request)
    summary.linkCount = request.linked.count + request.unlinked.count
    return summary
  }

  private func summarizeUpdates(_ summary: inout SaveSummary) throws {
    var nullified = EffectsByRelationship()
    var defaulted = EffectsByRelationship()
    var changedKeys: [ObjectID: Set<String>] = [:]
    for (id, change) in context.pending.sorted {
      guard case .updated(let update) = change else { continue }
      let (base, current) = (update.base, update.current)
      let info = context.info(for: id.entityName)
      var keys = update.changes.names(in: info)
      for (index, relationship) in info.toOne.enumerated() {
        guard let old = base.destination(at: index), context.pending.isDeleted(old) == true else {
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
      try context.prefetch(ids.prefix(3))
      return .init(
        entityName: ids[0].entityName, relationship: denials[0].relationship, ids: ids,
        names: ids.prefix(3).map(context.displayName),
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
    return try context.reading("reading triggers") { store throws(StoreError) in
      try store.triggers(of: changes)
    }
  }

  /// The foreign keys that the store cannot enforce of the objects that a summary is about.
  private func unenforcedKeys(of summary: SaveSummary) -> [String] {
    let groups = summary.deleted + summary.changed + summary.inserted
    let names = groups.map(\.entityName) + (summary.cascaded + summary.nullified).map(\.entityName)
    let keys = OrderedSet(names).flatMap { context.info(for: $0).entity.details.unenforcedKeys }
    return Array(OrderedSet(keys))
  }

  private func groups(_ ids: [ObjectID], _ changedKeys: [ObjectID: Set<String>] = [:]) throws
    -> [SaveSummary.Group]
  {
    try DeletionPlanner.byEntity(ids).map { entityName, ids in
      try context.prefetch(ids.prefix(3))
      return SaveSummary.Group(
        entityName: entityName, ids: ids, names: ids.prefix(3).map(context.displayName),
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

  /// The objects that stay and lead to an object whose deletion is not saved by a to-one
  /// relationship without inverse, which no delete rule sets to nil.
  ///
  /// - Returns: The objects, by the relationship as the entity that declares it has it.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  /// - Complexity: One query for each such relationship to an entity of deleted objects.
  private func danglingEnds() throws -> EffectsByRelationship {
    let deleted = context.pending.ids(where: \.isDeleted).sorted()
    var found: EffectsByRelationship = [:]
    guard !deleted.isEmpty else { return found }
    for entity in context.model.entities {
      let above = context.model.superentity(of: entity)
      for relationship in context.info(for: entity.name).toOne
      where relationship.inverse == nil && above?.relationship(named: relationship.name) == nil {
        let names = Set(
          context.model.entityNames(inheritingFrom: relationship.description.destinationEntityName))
        let targets = deleted.filter { names.contains($0.entityName) }
        guard !targets.isEmpty else { continue }
        let stored = try context.storedSources(of: relationship, leadingTo: targets)
        let sources = Set(stored.filter { !context.pending.contains($0) })
          .union(context.unsavedSources(of: relationship, leadingTo: Set(targets)))
        found.add(sources.sorted(), to: relationship.fullName)
      }
    }
    return found
  }
}
