import ObjectModel

extension ManagedObjectContext {
  /// Merges new objects into those of the store that have the same unique values, as the merge
  /// policy says.
  ///
  /// The new object is another instance of the stored one afterwards. What it was related to is
  /// related to that one. Undo cannot go back behind it.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read, or a stored object cannot have
  ///   a value of the new one; nothing is merged then.
  @discardableResult
  func mergeUniquenessConflicts() throws -> Bool {
    guard mergePolicy != .error else { return false }
    let (before, recording) = ((unsaved, tracking), undoHistory.recording)
    var merged: [ObjectID: ObjectID] = [:]
    do {
      merged = try mergeNewObjects()
      if !merged.isEmpty { try redirect(merged) }
    } catch {
      restore(before)
      undoHistory.restore(recording)
      throw error
    }
    guard !merged.isEmpty else { return false }
    let handles = merged.compactMap { new, stored in objects[new]?.object.map { ($0, stored) } }
    for new in merged.keys { removeRow(new) }
    undoHistory.removeAllActions()
    processPendingChanges()
    ObjectID.remember(merged)
    for (handle, stored) in handles {
      objects[handle.objectID] = nil
      handle.objectID = stored
      if objects[stored]?.object == nil { objects[stored] = WeakObject(object: handle) }
    }
    return true
  }

  /// Gives stored objects what the new ones with the same unique values have.
  ///
  /// - Returns: The stored objects by the new ones.
  private func mergeNewObjects() throws -> [ObjectID: ObjectID] {
    var merged: [ObjectID: ObjectID] = [:]
    for (entityName, ids) in DeletionPlanner.byEntity(insertedObjectIDs.filter(\.isTemporary)) {
      let info = info(for: entityName)
      for names in info.entity.uniquenessConstraints {
        let new = ids.filter { merged[$0] == nil }
        for (new, stored) in try uniquenessConflicts(names, of: new, info) {
          try merge(new, into: stored, info)
          merged[new] = stored
        }
      }
    }
    return merged
  }

  /// The new objects that have the values of objects in the store, by key.
  private func uniquenessConflicts(
    _ names: [String], of ids: [ObjectID], _ info: EntityInfo
  ) throws -> [(new: ObjectID, stored: ObjectID)] {
    let indexes = names.compactMap(info.entity.attributeIndex)
    guard indexes.count == names.count, !ids.isEmpty else { return [] }
    func values(of id: ObjectID) -> [Value]? {
      guard let row = currentRow(of: id) else { return nil }
      let values = indexes.map { info.entity.attributes[$0].decode(row.value(at: $0)) }
      return values.contains(.null) ? nil : values
    }
    // Of new objects that are equal among themselves the others are refused by the store.
    let new = Dictionary(firstOf: ids.compactMap { id in values(of: id).map { ($0, id) } })
    let owner = info.line.last {
      model.entity(named: $0)?.uniquenessConstraints.contains(names) == true
    }
    var conflicts: [(new: ObjectID, stored: ObjectID)] = []
    for part in Array(new.keys).chunks(of: Self.constraintsPerFetch) {
      let same = part.map { values in
        FetchPredicate.all(zip(names, values).map { PropertyKey(path: [$0]) == $1 })
      }
      let request = FetchRequest<ManagedObject>(
        entityName: owner ?? info.entity.name, predicate: .any(same))
      let found = try fetchStored(request.plan(in: model), control: nil).ids
      try prefetch(found)
      for stored in found where stored.entityName == info.entity.name && isAlive(stored) {
        // Its values here may be others that are not saved.
        if let id = values(of: stored).flatMap({ new[$0] }) { conflicts.append((id, stored)) }
      }
    }
    return conflicts.sorted { $0.new < $1.new }
  }

  /// How many objects are looked for with one fetch.
  private static let constraintsPerFetch = 100

  /// Gives a stored object the values and relationships of a new one, which stays without any.
  private func merge(_ new: ObjectID, into stored: ObjectID, _ info: EntityInfo) throws {
    guard let row = currentRow(of: new) else { return }
    let (isOverwriting, object) = (mergePolicy == .overwrite, object(with: stored))
    let isMine = isOverwriting || mergePolicy == .mergeByPropertyObjectTrump
    for (index, attribute) in info.entity.attributes.enumerated()
    where isMine && !attribute.isReadOnly && !info.keyAttributes.contains(index) {
      // What the new object has no value for is no change of it.
      guard isOverwriting || !row.value(at: index).isNull else { continue }
      try setAttribute(index, to: row.value(at: index), of: object)
    }
    for (index, _) in info.toOne.enumerated() {
      let (mine, theirs) = (
        row.destination(at: index), currentRow(of: stored)?.destination(at: index)
      )
      guard mine != nil || isOverwriting, isMine || theirs == nil else { continue }
      try setToOne(index, to: nil, of: new)
      try setToOne(index, to: mine, of: stored)
    }
    for relationship in info.relationships.values.sorted(by: { $0.name < $1.name })
    where relationship.kind != .toOne {
      for id in try contents(of: relationship, from: [new])[new] ?? [] {
        try remove(id, from: relationship, of: new)
        try add(id, to: relationship, of: stored, at: nil)
      }
    }
  }

  /// Has what leads to merged objects, by relationships without inverse, lead to those in the store.
  private func redirect(_ merged: [ObjectID: ObjectID]) throws {
    for (id, change) in pending {
      for (index, destination) in (change.current?.toOne ?? []).enumerated() {
        if let stored = destination.flatMap({ merged[$0] }) {
          try setToOne(index, to: stored, of: id)
        }
      }
    }
    for (end, change) in links {
      for id in change.added {
        guard let stored = merged[id] else { continue }
        setLink(end.name, from: end.id, to: id, isLinked: false)
        setLink(end.name, from: end.id, to: stored, isLinked: true)
      }
    }
  }
}
