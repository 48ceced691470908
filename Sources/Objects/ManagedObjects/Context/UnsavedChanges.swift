import ObjectModel

/// The unsaved changes of a context.
///
/// It is a value: restoring a copy undoes what was tried on it.
struct UnsavedChanges {
  /// Inserted, updated and deleted objects.
  private(set) var pending = PendingChanges()
  private(set) var counts = PendingCounts()
  /// The updated and inserted rows whose to-one leads to an object, by the inverse relationship of
  /// that object.
  private(set) var incoming: [RelationshipEnd: Set<ObjectID>] = [:]
  /// The updated and deleted rows that led to an object in the store and do not any more, by the
  /// inverse to-many relationship of that object.
  private(set) var departed: [RelationshipEnd: Set<ObjectID>] = [:]
  /// Changes with every change.
  private(set) var revision = 0
  /// Links of many-to-many relationships, at both ends.
  private(set) var links: [RelationshipEnd: LinkChange] = [:]
  /// The orders of ordered relationships, where they changed.
  private(set) var orders: [RelationshipEnd: OrderChange] = [:]
  /// Where relationships of deleted objects led in the store when the deletion was planned.
  private(set) var expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]] = [:]
  /// What the deletions have nullified.
  private(set) var nullified: [DeletionPlan.Effect] = []
  /// The condition that the deletion of a plan was chosen by.
  private(set) var selection: SaveRequest.Selection?
  /// Objects whose rows another context or process has changed too.
  private(set) var conflicts: [ObjectID: ContextConflict] = [:]

  /// The transient attributes that were set since the last save, by object.
  private(set) var transients: [ObjectID: TransientChange] = [:]

  var isEmpty: Bool { isStored && transients.isEmpty }

  /// Whether a save has nothing to write.
  var isStored: Bool { pending.isEmpty && links.isEmpty && orders.isEmpty }

  /// The ends of relationships whose destinations changed although their object's row did not.
  var relatedEnds: Set<RelationshipEnd> {
    Set(links.keys).union(orders.keys).union(incoming.keys).union(departed.keys)
  }

  /// Whether the destinations of a to-many relationship changed.
  func isChanged(_ end: RelationshipEnd) -> Bool {
    links[end] != nil || orders[end] != nil || incoming[end] != nil || departed[end] != nil
  }

  /// The number of objects whose own row is unchanged and whose links or order changed.
  var linkedCount: Int {
    if links.isEmpty, orders.isEmpty { return 0 }
    return Set(links.keys.map(\.id)).union(orders.keys.map(\.id)).count { !pending.contains($0) }
  }

  /// Makes room for the changes of a number of objects.
  mutating func reserveCapacity(_ count: Int) { pending.reserveCapacity(count) }

  /// Sets the change of an object, or removes it if nil, and returns the object that is no longer
  /// retained here, to be released after the change.
  mutating func set(
    _ new: Pending?, for id: ObjectID, _ info: EntityInfo, object: @autoclosure () -> ManagedObject?
  ) -> ManagedObject? {
    revision += 1
    var (old, released): (Pending?, ManagedObject?)
    if let new {
      old = pending.set(new, for: id, object: object())
    } else {
      conflicts[id] = nil
      if let row = pending.remove(id) { (old, released) = row }
    }
    if let old { note(old, of: id, info, isAdded: false) }
    if let new { note(new, of: id, info, isAdded: true) }
    if counts.deleted == 0, !nullified.isEmpty { nullified = [] }
    return released
  }

  /// Sets a value in the row of a new object, without copying the row.
  ///
  /// - Parameters:
  ///   - index: The attribute's index.
  ///   - id: The object.
  ///   - value: The new value.
  /// - Returns: Whether the object is new and its values are known in full.
  mutating func setInserted(_ index: Int, of id: ObjectID, to value: Value) -> Bool {
    guard let isChanged = pending.setInserted(index, of: id, to: value) else { return false }
    if isChanged { revision += 1 }
    return true
  }

  /// Notes that a transient attribute of an object was set, and retains the object, until the
  /// attribute has again what it had at the last save.
  mutating func noteTransient(
    _ key: String, of object: ManagedObject, from old: TransientContent?,
    to new: TransientContent?
  ) {
    revision += 1
    var change = transients[object.objectID] ?? TransientChange(object: object)
    let saved = change.saved[key] ?? old
    change.saved[key] = saved === new ? nil : .some(saved)
    transients[object.objectID] = change.saved.isEmpty ? nil : change
  }

  /// Forgets that transient attributes of an object were set.
  mutating func forgetTransients(of id: ObjectID) {
    if !transients.isEmpty { transients[id] = nil }
  }

  /// Retains an object if it has unsaved changes.
  mutating func retain(_ object: ManagedObject) { pending.retain(object) }

  /// The changed objects that are referenced elsewhere, too.
  mutating func referencedIDs() -> Set<ObjectID> { pending.referencedIDs() }

  /// Adds or removes a link at one end.
  mutating func setLink(_ id: ObjectID, at end: RelationshipEnd, isLinked: Bool) {
    revision += 1
    var change = links[end] ?? LinkChange()
    if isLinked {
      if change.removed.remove(id) == nil, !change.added.contains(id) { change.added.append(id) }
    } else if let index = change.added.firstIndex(of: id) {
      change.added.remove(at: index)
    } else {
      change.removed.insert(id)
    }
    links[end] = change.isEmpty ? nil : change
  }

  /// Sets the order of an ordered relationship; nil returns to the order in the store.
  mutating func setOrder(_ order: OrderChange?, of end: RelationshipEnd) {
    revision += 1
    orders[end] = order
  }

  /// Remembers the state of the store that a deletion was planned on, until it is saved.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - ids: The plan's objects if some were deleted before it was made; empty if it has deleted
  ///     all of them, because those deletions have its versions.
  mutating func expect(_ plan: DeletionPlan, of ids: [ObjectID]) {
    expectedDestinations.merge(plan.expectedDestinations) { $0.merging($1) { $1 } }
    nullified += plan.nullified
    selection = plan.condition.map { .init(plan: $0, ids: plan.direct) } ?? selection
    for id in ids {
      guard case .deleted(let deletion) = pending[id],
        deletion.version == nil || deletion.former != plan.former[id] ?? deletion.former
      else { continue }
      let planned = Deletion(
        base: deletion.base, version: deletion.version ?? plan.version(of: id),
        origin: deletion.origin, former: plan.former[id] ?? deletion.former)
      for end in deletion.former { Self.set(id, at: end, in: &departed, isMember: false) }
      for end in planned.former { Self.set(id, at: end, in: &departed, isMember: true) }
      _ = pending.set(.deleted(planned), for: id)
    }
  }

  /// Sets the version of the row that an update was planned on.
  mutating func setVersion(_ version: UInt64, of id: ObjectID) {
    guard case .updated(let update) = pending[id] else { return }
    var base = update.base
    base.version = version
    _ = pending.set(
      .updated(RowUpdate(of: base, to: update.current, changes: update.changes)), for: id)
  }

  /// Whether another context or program has changed the row of an object too.
  func isDisputed(_ id: ObjectID) -> Bool { !conflicts.isEmpty && conflicts[id] != nil }

  mutating func note(_ conflict: ContextConflict) { conflicts[conflict.objectID] = conflict }

  mutating func removeConflict(of id: ObjectID) { conflicts[id] = nil }

  /// Notes that a change is added or removed.
  private mutating func note(
    _ pending: Pending, of id: ObjectID, _ info: EntityInfo, isAdded: Bool
  ) {
    counts.add(pending, isAdded ? 1 : -1)
    if case .deleted(let deletion) = pending {
      for end in deletion.former { Self.set(id, at: end, in: &departed, isMember: isAdded) }
      return
    }
    guard !info.toOne.isEmpty, let row = pending.current, !row.toOne.isEmpty else { return }
    let base = pending.base
    for (index, relationship) in info.toOne.enumerated() {
      guard let inverse = relationship.inverse, row.toOne.indices.contains(index) else { continue }
      let (old, new) = (base?.destination(at: index), row.toOne[index])
      guard old != new else { continue }
      if let new {
        let end = RelationshipEnd(new, inverse.name)
        Self.set(id, at: end, in: &incoming, isMember: isAdded)
      }
      guard let old, inverse.isToMany else { continue }
      let end = RelationshipEnd(old, inverse.name)
      Self.set(id, at: end, in: &departed, isMember: isAdded)
    }
  }

  private static func set(
    _ id: ObjectID, at end: RelationshipEnd, in ends: inout [RelationshipEnd: Set<ObjectID>],
    isMember: Bool
  ) {
    if isMember {
      ends[end, default: []].insert(id)
    } else {
      ends[end]?.remove(id)
      if ends[end]?.isEmpty == true { ends[end] = nil }
    }
  }
}

/// The transient attributes of an object that were set since the last save.
struct TransientChange {
  let object: ManagedObject
  /// What they had at the last save, by name; nil for the default.
  var saved: [String: TransientContent?] = [:]

  /// The names of the attributes.
  var keys: Set<String> { Set(saved.keys) }
}

/// Unsaved links of one end of a relationship.
struct LinkChange {
  var added: [ObjectID] = []
  var removed: Set<ObjectID> = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}

/// How many objects have unsaved changes, by kind.
struct PendingCounts {
  var inserted = 0
  var updated = 0
  var deleted = 0

  mutating func add(_ pending: Pending, _ count: Int) {
    switch pending {
    case .inserted: inserted += count
    case .updated: updated += count
    case .deleted: deleted += count
    }
  }
}
