package import ObjectModel

/// What the results of a plan depend on: the objects of its entities, and the relationships on its
/// key paths, through which a change of a related object changes the results.
package struct Dependencies {
  /// A path of relationships from the plan's entity to related objects.
  fileprivate struct Step {
    let path: [RelationshipInfo]
    /// The entities of the related objects.
    let entityNames: Set<String>
    /// The property that the key path reads of them; nil for the objects themselves.
    let reading: String?
  }

  private var steps: [Step] = []
  /// The first names of the key paths.
  private let firstNames: Set<String>
  /// The entities of the plan's objects.
  private let entityNames: Set<String>
  /// Paths of to-one relationships to prefetch before rows are compared, shortest first.
  let toOnePaths: [[String]]

  /// Finds what the results of a plan depend on.
  package init(_ plan: FetchPlan, in context: ManagedObjectContext) {
    let model = context.model
    entityNames = plan.entityNames(in: model)
    let keyPaths = (plan.predicate?.keyPaths ?? []).union(plan.sortDescriptors.map(\.keyPath))
      .union(plan.sectionKey.map { [$0.keyPath] } ?? [])
      .map { KeyPathText.components(of: $0) ?? [$0] }
    firstNames = Set(keyPaths.compactMap(\.first))
    var known: [[String]: Set<String?>] = [:]
    var toOne: Set<[String]> = []
    for names in keyPaths {
      var path: [RelationshipInfo] = []
      var source = plan.entityName
      for (index, name) in names.enumerated() {
        guard let relationship = context.info(for: source).relationships[name] else { break }
        path.append(relationship)
        source = relationship.description.destinationEntityName
        let reading = index + 1 < names.count ? names[index + 1] : nil
        let ways = path.map(\.name)
        if path.allSatisfy({ $0.kind == .toOne }) { toOne.insert(ways) }
        guard known[ways, default: []].insert(reading).inserted else { continue }
        steps.append(
          Step(
            path: path, entityNames: Set(model.entityNames(inheritingFrom: source)),
            reading: reading))
      }
    }
    toOnePaths = toOne.sorted { $0.count < $1.count }
  }

  /// Whether an object is of an entity of the plan.
  package func concerns(_ id: ObjectID) -> Bool { entityNames.contains(id.entityName) }

  /// Whether the results depend on the plan's own objects only.
  package var isEmpty: Bool { steps.isEmpty }

  // MARK: A change

  /// The objects whose position in the results a change of related objects may affect.
  ///
  /// - Returns: The objects; nil if they cannot be found, because a relationship has no inverse or
  ///   the store cannot be read.
  package func affected(
    by change: ContextChange, in context: ManagedObjectContext
  ) -> Set<ObjectID>? {
    try? context.throwingReports { related(to: change, in: context) }
  }

  private func related(
    to change: ContextChange, in context: ManagedObjectContext
  ) -> Set<ObjectID>? {
    var affected: Set<ObjectID> = []
    let changed = change.inserted.union(change.updated).union(change.refreshed)
      .union(change.invalidated)
    for step in steps {
      let related = changed.filter { id in
        step.entityNames.contains(id.entityName) && step.reads(change.changedKeys[id])
      }
      let isAnyDeleted = change.deleted.contains { step.entityNames.contains($0.entityName) }
      if related.isEmpty, !isAnyDeleted { continue }
      // Objects that were related before (a deletion, a new destination) have changed themselves.
      var reached = related
      for relationship in step.path.reversed() {
        guard let inverse = relationship.inverse?.name else { return nil }
        reached = Set(reached.flatMap { context.object(with: $0).objectIDs(forKey: inverse) })
      }
      affected.formUnion(reached)
    }
    return affected
  }

  // MARK: Unsaved changes

  /// The objects of the plan's entities whose position in the results an unsaved change can alter: the
  /// changed ones, and those related to a changed one, now or before; each once.
  func affectedByUnsavedChanges(of context: ManagedObjectContext) throws -> [ObjectID] {
    var changed: [ObjectID] = []
    changed.reserveCapacity(context.pending.count)
    for (id, kind) in context.pending.kinds where concerns(id) {
      switch kind {
      case .inserted, .deleted: changed.append(id)
      case .updated:
        if !context.changedKeys(of: id).isDisjoint(with: firstNames) { changed.append(id) }
      }
    }
    // The store has other values of these, or no row: it may sort or match them otherwise.
    var others = Set(context.unsaved.conflicts.keys)
    var followed: Set<[String]> = []
    for step in steps where followed.insert(step.path.map(\.name)).inserted {
      let related = context.pending.ids.filter { step.entityNames.contains($0.entityName) }
      others.formUnion(try context.sources(of: step.path[...], Set(related)))
      guard let last = step.path.last, last.kind == .links else { continue }
      let ends = context.links.keys.filter { $0.name == last.name }.map(\.id)
      others.formUnion(try context.sources(of: step.path.dropLast(), Set(ends)))
    }
    others = others.filter(concerns)
    // Of very many changed objects a set is large.
    return others.isEmpty ? changed : Array(others.union(changed))
  }
}

extension Dependencies.Step {
  /// Whether a change of some keys (nil for any), the inverse included, affects the key path.
  fileprivate func reads(_ changed: Set<String>?) -> Bool {
    guard let changed else { return true }
    if let inverse = path.last?.inverse, changed.contains(inverse.name) {
      guard path.last?.kind == .toOne, inverse.isToMany, reading != inverse.name else {
        return true
      }
      // Objects that it was given or that were taken from it have changed themselves.
      let others = changed.subtracting([inverse.name])
      return !others.isEmpty && reads(others)
    }
    return reading.map(changed.contains) ?? true
  }
}

// Back along relationships, from where they lead.
extension ManagedObjectContext {
  /// The objects from which a path of relationships leads to any of some objects, now or before the
  /// unsaved changes.
  fileprivate func sources(
    of path: ArraySlice<RelationshipInfo>, _ ids: Set<ObjectID>
  ) throws -> Set<ObjectID> {
    var reached = ids
    for relationship in path.reversed() where !reached.isEmpty {
      reached = try sources(of: relationship, reached)
    }
    return reached
  }

  private func sources(of relationship: RelationshipInfo, _ ids: Set<ObjectID>) throws
    -> Set<ObjectID>
  {
    guard let inverse = relationship.inverse else {
      let saved = ids.filter { !$0.isTemporary }
      return Set(try storedSources(of: relationship, leadingTo: Array(saved)))
        .union(unsavedSources(of: relationship, leadingTo: ids))
    }
    var sources: Set<ObjectID> = []
    guard inverse.isToMany else {
      try prefetch(ids)
      // Where somebody else has saved that these lead is not merged until the conflict is resolved.
      let disputed = ids.filter(unsaved.isDisputed)
      let stored = disputed.isEmpty ? [:] : try storedRows(of: Array(disputed))
      for id in ids {
        guard let index = toOneIndex(inverse.name, of: id) else { continue }
        let rows = [pending[id]?.current, committedRow(of: id), stored[id]]
        sources.formUnion(rows.compactMap { $0?.destination(at: index) })
      }
      return sources
    }
    for (entityName, group) in DeletionPlanner.byEntity(Array(ids)) {
      guard let back = info(for: entityName).relationships[inverse.name] else { continue }
      let stored = try storedDestinations(of: back, from: group.filter { !$0.isTemporary })
      sources.formUnion(stored.values.joined())
      sources.formUnion(try contents(of: back, from: group).values.joined())
    }
    return sources
  }

  /// The objects of the store that lead to any of some objects by a relationship without inverse.
  func storedSources(
    of relationship: RelationshipInfo, leadingTo ids: [ObjectID]
  ) throws -> ObjectIDList {
    if ids.isEmpty { return ObjectIDList() }
    let condition = FetchPredicate.Comparison(
      .keyPath([relationship.name]), .in, .list(ids.map { .object($0) }),
      modifier: relationship.kind == .toOne ? .direct : .any)
    let predicate = try FetchPredicate(.comparison(condition))
      .validated(forEntity: relationship.entityName, in: model)
    return try fetchStored(
      FetchPlan(entityName: relationship.entityName, predicate: predicate)
    ).ids
  }

  /// The objects whose unsaved row leads to any of some objects by a to-one relationship.
  func unsavedSources(
    of relationship: RelationshipInfo, leadingTo ids: Set<ObjectID>
  ) -> [ObjectID] {
    let names = Set(model.entityNames(inheritingFrom: relationship.entityName))
    return pending.compactMap { id, change in
      guard names.contains(id.entityName), let index = toOneIndex(relationship.name, of: id),
        let destination = change.current?.destination(at: index), ids.contains(destination)
      else { return nil }
      return id
    }
  }
}
