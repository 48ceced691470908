import ObjectModel

/// Finds the objects of a plan's entities whose position in its results an unsaved change can
/// alter.
///
/// Those are the changed objects, and those related to a changed one by a key path of the plan.
struct AffectedObjects {
  private let context: ManagedObjectContext
  private let plan: FetchPlan
  private let entityNames: Set<String>

  init(_ context: ManagedObjectContext, _ plan: FetchPlan) {
    self.context = context
    self.plan = plan
    entityNames = Set(
      plan.includesSubentities
        ? context.model.entityNames(inheritingFrom: plan.entityName) : [plan.entityName])
  }

  /// The objects, each once.
  func find() throws -> [ObjectID] {
    let paths = keyPaths
    let first = Set(paths.compactMap(\.first))
    var changed: [ObjectID] = []
    changed.reserveCapacity(context.pending.count)
    for (id, kind) in context.pending.kinds where entityNames.contains(id.entityName) {
      switch kind {
      case .inserted, .deleted: changed.append(id)
      case .updated:
        if !context.changedKeys(of: id).isDisjoint(with: first) { changed.append(id) }
      }
    }
    // The store has other values of these, or no row: it may sort or match them otherwise.
    var others = Set(context.unsaved.conflicts.keys.filter { entityNames.contains($0.entityName) })
    for path in Set(paths) { try follow(path, into: &others) }
    // Of very many changed objects a set is large.
    return others.isEmpty ? changed : Array(others.union(changed))
  }

  private var keyPaths: [[String]] {
    let all =
      plan.sortDescriptors.map(\.keyPath) + (plan.predicate?.keyPaths.map(\.self) ?? [])
      + (plan.sectionKey.map { [$0.keyPath] } ?? [])
    return all.compactMap(KeyPathText.components)
  }

  /// Follows a path, and the inverses from the changed objects at each step back to the plan's
  /// entity.
  private func follow(_ path: [String], into affected: inout Set<ObjectID>) throws {
    var steps: [RelationshipInfo] = []
    var entity = plan.entityName
    for component in path {
      guard let relationship = context.info(for: entity).relationships[component] else { return }
      steps.append(relationship)
      entity = relationship.description.destinationEntityName
      var reached = changed(at: relationship)
      for step in steps.reversed() where !reached.isEmpty {
        reached = try sources(of: step, reached)
      }
      affected.formUnion(reached.filter { entityNames.contains($0.entityName) })
      if relationship.kind == .links {
        var ends = Set(context.links.keys.filter { $0.name == component }.map(\.id))
        for step in steps.dropLast().reversed() where !ends.isEmpty {
          ends = try sources(of: step, ends)
        }
        affected.formUnion(ends.filter { entityNames.contains($0.entityName) })
      }
    }
  }

  private func changed(at relationship: RelationshipInfo) -> Set<ObjectID> {
    let names = Set(
      context.model.entityNames(inheritingFrom: relationship.description.destinationEntityName))
    return Set(context.pending.ids.filter { names.contains($0.entityName) })
  }

  /// The objects whose relationship contains any of some objects, now or before the unsaved
  /// changes.
  private func sources(of relationship: RelationshipInfo, _ ids: Set<ObjectID>) throws
    -> Set<ObjectID>
  {
    var sources: Set<ObjectID> = []
    if let inverse = relationship.inverse, !inverse.isToMany {
      try context.prefetch(ids)
      // Where somebody else has saved that these lead is not merged until the conflict is resolved.
      let disputed = ids.filter { context.unsaved.isDisputed($0) }
      let stored = disputed.isEmpty ? [:] : try context.storedRows(of: Array(disputed))
      for id in ids {
        guard let place = context.toOneIndex(inverse.name, of: id) else { continue }
        let rows = [context.pending[id]?.current, context.committedRow(of: id), stored[id]]
        sources.formUnion(rows.compactMap { $0?.destination(at: place) })
      }
      return sources
    }
    if let inverse = relationship.inverse {
      for (_, group) in Dictionary(grouping: ids, by: \.entityName) {
        guard let entityName = group.first?.entityName,
          let back = context.info(for: entityName).relationships[inverse.name]
        else { continue }
        let saved = group.filter { !$0.isTemporary }
        let stored = try context.reading("reading \(back.fullName)") { store throws(StoreError) in
          try store.destinations(of: back.name, from: saved)
        }
        sources.formUnion(stored.values.joined())
        sources.formUnion(try context.contents(of: back, from: group).values.joined())
      }
      return sources
    }
    // Without an inverse, the store is searched for them.
    let saved = ids.filter { !$0.isTemporary }
    if !saved.isEmpty {
      let list = FetchPredicate.Expression.list(saved.map { .object($0) })
      let condition = FetchPredicate.Comparison(
        .keyPath([relationship.name]), .in, list,
        modifier: relationship.kind == .toOne ? .direct : .any)
      let plan = FetchPlan(
        entityName: relationship.entityName,
        predicate: try FetchPredicate(.comparison(condition))
          .validated(forEntity: relationship.entityName, in: context.model))
      sources.formUnion(try context.fetchStored(plan, control: nil).ids)
    }
    let rowSources = context.pending.filter { id, change in
      guard let place = context.toOneIndex(relationship.name, of: id),
        let destination = change.current?.destination(at: place)
      else { return false }
      return ids.contains(destination)
    }
    return sources.union(rowSources.map(\.id))
  }
}
