import ObjectModel

/// New objects of a context that have the unique values of others, here or in the store.
struct UniquenessConflicts {
  private let context: ManagedObjectContext

  init(of context: ManagedObjectContext) { self.context = context }

  /// Merges new objects that have the same unique values into one, and into the object of the store
  /// that has them, as the merge policy says.
  ///
  /// The new object is another instance of that one afterwards. What it was related to is
  /// related to that one. Undo cannot go back behind it.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read, or a stored object cannot have
  ///   a value of the new one; nothing is merged then.
  @discardableResult
  func merge() throws -> Bool {
    guard context.mergePolicy != .error else { return false }
    let merged = try context.unchangedIfItThrows {
      let merged = try mergeNewObjects()
      if !merged.isEmpty { try redirect(merged) }
      return merged
    }
    guard !merged.isEmpty else { return false }
    for new in merged.keys { context.removeRow(new) }
    context.undoHistory.removeAllActions()
    context.processPendingChanges()
    ObjectID.remember(merged)
    for (new, stays) in merged { context.objects.merge(new, into: context.resolve(stays)) }
    return true
  }

  /// Gives the first of new objects with the same unique values, or the stored one that has them,
  /// what the others have.
  ///
  /// - Returns: The objects that stay by those that do not.
  private func mergeNewObjects() throws -> [ObjectID: ObjectID] {
    var merged: [ObjectID: ObjectID] = [:]
    for (entityName, ids) in DeletionPlanner.byEntity(
      context.insertedObjectIDs.filter(\.isTemporary))
    {
      let info = context.info(for: entityName)
      for names in info.entity.uniquenessConstraints {
        for same in equals(names, among: ids.filter { merged[$0] == nil }, info) {
          for other in same.dropFirst() {
            try merge(other, into: same[0], info)
            merged[other] = same[0]
          }
        }
        let new = ids.filter { merged[$0] == nil }
        for (new, stored) in try uniquenessConflicts(names, of: new, info) {
          try merge(new, into: stored, info)
          merged[new] = stored
        }
      }
    }
    return merged.mapValues { stays in
      // It may have been merged itself since.
      var stays = stays
      while let next = merged[stays] { stays = next }
      return stays
    }
  }

  /// Those of some objects of an entity that have the same values of a constraint, in the order of
  /// their insertion.
  private func equals(
    _ names: [String], among ids: [ObjectID], _ info: EntityInfo
  ) -> [[ObjectID]] {
    var groups: [[Value]: [ObjectID]] = [:]
    for id in ids {
      guard let values = constraintValues(names, of: id, info) else { continue }
      groups[values, default: []].append(id)
    }
    return groups.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// The decoded values that a constraint compares; nil if one is null or no attribute's.
  private func constraintValues(
    _ names: [String], of id: ObjectID, _ info: EntityInfo
  ) -> [Value]? {
    guard let row = context.currentRow(of: id) else { return nil }
    let values = names.compactMap(info.entity.attributeIndex).map {
      info.entity.attributes[$0].decode(row.value(at: $0))
    }
    return values.count == names.count && !values.contains(.null) ? values : nil
  }

  /// The new objects that have the values of objects in the store, by key.
  private func uniquenessConflicts(
    _ names: [String], of ids: [ObjectID], _ info: EntityInfo
  ) throws -> [(new: ObjectID, stored: ObjectID)] {
    let new = Dictionary(
      firstOf: ids.compactMap { id in constraintValues(names, of: id, info).map { ($0, id) } })
    guard !new.isEmpty else { return [] }
    var conflicts: [(new: ObjectID, stored: ObjectID)] = []
    let owner = context.model.entityName(declaring: names, for: info.entity.name)
    for stored in try storedObjects(owner, names, with: Array(new.keys))
    where stored.entityName == info.entity.name && context.isAlive(stored) {
      // Its values here may be others that are not saved.
      let values = constraintValues(names, of: stored, info)
      if let id = values.flatMap({ new[$0] }) { conflicts.append((id, stored)) }
    }
    return conflicts.sorted { $0.new < $1.new }
  }

  /// The objects in the store that have one of some values of a constraint, with their rows read.
  private func storedObjects(
    _ owner: String, _ names: [String], with values: [[Value]]
  ) throws -> [ObjectID] {
    try values.chunks(of: Self.constraintsPerFetch).flatMap { part in
      let same = part.map { values in
        FetchPredicate.all(zip(names, values).map { PropertyKey(path: [$0]) == $1 })
      }
      let request = FetchRequest<ManagedObject>(entityName: owner, predicate: .any(same))
      let found = Array(try context.fetchStored(request.plan(in: context.model)).ids)
      try context.prefetch(found)
      return found
    }
  }

  /// The constraints that a save of the unsaved changes would break.
  ///
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  func all() throws -> [ConstraintConflict] {
    struct Constraint: Hashable { let owner: String, names: [String] }
    var groups: [Constraint: [[Value]: [ObjectID]]] = [:]
    for id in context.pending.ids where context.pending.isDeleted(id) == false {
      let info = context.info(for: id.entityName)
      for names in info.entity.uniquenessConstraints {
        guard let values = constraintValues(names, of: id, info) else { continue }
        let owner = context.model.entityName(declaring: names, for: id.entityName)
        groups[Constraint(owner: owner, names: names), default: [:]][values, default: []].append(id)
      }
    }
    var conflicts: [ConstraintConflict] = []
    for (constraint, groups) in groups {
      var stored: [[Value]: ObjectID] = [:]
      // Those with unsaved changes are among the others, or have other values by now.
      for id in try storedObjects(constraint.owner, constraint.names, with: Array(groups.keys))
      where !context.pending.contains(id) {
        let values = constraintValues(constraint.names, of: id, context.info(for: id.entityName))
        if let values { stored[values] = id }
      }
      for (values, ids) in groups where ids.count > 1 || stored[values] != nil {
        conflicts.append(
          ConstraintConflict(
            constraint: constraint.names,
            constraintValues: Dictionary(firstOf: zip(constraint.names, values)),
            databaseObjectID: stored[values],
            databaseSnapshot: stored[values].flatMap(decodedValues),
            conflictingObjectIDs: ids.sorted(),
            conflictingSnapshots: ids.sorted().compactMap(decodedValues)))
      }
    }
    return conflicts.sorted {
      ($0.conflictingObjectIDs[0], $0.constraint.joined(separator: ","))
        < ($1.conflictingObjectIDs[0], $1.constraint.joined(separator: ","))
    }
  }

  private func decodedValues(of id: ObjectID) -> [String: Value]? {
    context.currentRow(of: id)?.decoded(context.info(for: id.entityName).entity)
  }

  /// How many objects are looked for with one fetch.
  private static let constraintsPerFetch = 100

  /// Gives a stored object the values and relationships of a new one, which stays without any.
  private func merge(_ new: ObjectID, into stored: ObjectID, _ info: EntityInfo) throws {
    guard let row = context.currentRow(of: new) else { return }
    let (isOverwriting, object) = (context.mergePolicy == .overwrite, context.object(with: stored))
    let isMine = isOverwriting || context.mergePolicy == .mergeByPropertyObjectTrump
    for (index, attribute) in info.entity.attributes.enumerated()
    where isMine && !attribute.isReadOnly && !info.keyAttributes.contains(index) {
      // What the new object has no value for is no change of it.
      guard isOverwriting || !row.value(at: index).isNull else { continue }
      try context.setAttribute(index, to: row.value(at: index), of: object)
    }
    for (index, _) in info.toOne.enumerated() {
      let (mine, theirs) = (
        row.destination(at: index), context.currentRow(of: stored)?.destination(at: index)
      )
      guard mine != nil || isOverwriting, isMine || theirs == nil else { continue }
      try context.setToOne(index, to: nil, of: new)
      try context.setToOne(index, to: mine, of: stored)
    }
    for relationship in info.relationships.values.sorted(by: { $0.name < $1.name })
    where relationship.kind != .toOne {
      for id in try context.contents(of: relationship, from: [new])[new] ?? [] {
        try context.remove(id, from: relationship, of: new)
        try context.add(id, to: relationship, of: stored, at: nil)
      }
    }
  }

  /// Has what leads to merged objects, by relationships without inverse, lead to those in the store.
  private func redirect(_ merged: [ObjectID: ObjectID]) throws {
    for (id, change) in context.pending {
      for (index, destination) in (change.current?.toOne ?? []).enumerated() {
        if let stored = destination.flatMap({ merged[$0] }) {
          try context.setToOne(index, to: stored, of: id)
        }
      }
    }
    for (end, change) in context.links {
      for id in change.added {
        guard let stored = merged[id] else { continue }
        context.setLink(end.name, from: end.id, to: id, isLinked: false)
        context.setLink(end.name, from: end.id, to: stored, isLinked: true)
      }
    }
  }
}
