import ObjectModel

// The primitive changes. Each registers its undo; none of them updates inverses or follows delete
// rules.
extension ManagedObjectContext {
  /// Whether an object exists, as far as is known without reading the store.
  func isAlive(_ id: ObjectID) -> Bool { isAlive(id, isDeletionPending: pending.isDeleted(id)) }

  /// Whether an object exists of which it is known whether its unsaved change is a deletion; nil if
  /// it has none.
  func isAlive(_ id: ObjectID, isDeletionPending: Bool?) -> Bool {
    if let isDeletionPending { return !isDeletionPending }
    return !id.isTemporary && !isMissing(id)
  }

  /// Those of some objects that exist, as far as is known without reading the store; the array
  /// itself if all do.
  func alive(_ ids: [ObjectID]) -> [ObjectID] { ids.selected { isAlive($0) } }

  /// Whether an object is known to have no row in the store: it was looked for, or its deletion was
  /// saved.
  func isMissing(_ id: ObjectID) -> Bool { cache.isMissing(id) || undoMemory.isDeleted(id) }

  /// Notes that an object changes.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - keys: The attributes and relationships that change.
  ///   - exists: Whether it exists before the change, if that is known.
  func touch(_ id: ObjectID, _ keys: Set<String> = [], exists: Bool? = nil) {
    tracking.touch(id, keys, exists: exists ?? isAlive(id))
  }

  func setPending(_ new: Pending?, for id: ObjectID) {
    // What was read before the unsaved change is not what the store has now.
    if new == nil, unsaved.isDisputed(id) { tracking.outdated.insert(id) }
    let released = unsaved.set(
      new, for: id, info(for: id.entityName), object: objects[id]?.object)
    withExtendedLifetime(released) {}
  }

  func insertRow(_ row: RowSnapshot) {
    touch(row.id, exists: false)
    setPending(.inserted(NewRow(row)), for: row.id)
    if let run = insertedRun, run.endsWithLastStep(of: undoHistory) {
      run.ids.append(row.id)
    } else {
      let run = InsertedRun(row.id)
      undoHistory.register { [reference] in
        reference.context?.removeRows(run.ids.reversed()) { _ in }
      }
      run.noteLastStep(of: undoHistory)
      insertedRun = run
    }
  }

  /// Changes columns of a row.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - patch: The new values.
  ///   - rows: The object's rows, if they are at hand.
  /// - Returns: Whether anything changed.
  /// - Throws: ``ManagedObjectError`` when a long value cannot be read.
  @discardableResult
  func patch(_ id: ObjectID, _ patch: Patch, of rows: ObjectRows? = nil) throws -> Bool {
    let id = resolve(id)
    let patch = resolved(patch, for: id)
    guard var rows = rows ?? self.rows(of: id) else { return false }
    if !rows.current.isWhole { rows = try whole(rows, for: patch) }
    let old = rows.current
    let changes = patch.changing(old)
    guard !changes.isEmpty else { return false }
    let new = old.applying(patch)
    touch(id, changes.names(in: info(for: id.entityName)), exists: true)
    if let base = rows.base {
      // Most objects are changed once: then the changes are known.
      let update = RowUpdate(of: base, to: new, changes: rows.isUnchanged ? changes : nil)
      if update.changes.isEmpty {
        cache.keep(base)
        setPending(nil, for: id)
      } else {
        setPending(.updated(update), for: id)
      }
    } else {
      setPending(.inserted(NewRow(new)), for: id)
    }
    if !changes.toOne.isEmpty { touchInverses(of: id, from: old, to: new) }
    let inverse = patch.inverse(on: old)
    undoHistory.register { [reference] in
      guard let context = reference.context else { return }
      context.attempt { try context.patch(id, inverse) }
    }
    return true
  }

  /// The rows of an object in the store, with full values where a patch changes truncated ones.
  private func whole(_ rows: ObjectRows, for patch: Patch) throws -> ObjectRows {
    guard let base = rows.base else { return rows }
    let indexes = patch.values.indexes
    guard indexes.contains(where: { rows.current.cutLengths[$0] != nil }) else { return rows }
    let whole = try whole(base, at: indexes)
    if rows.isUnchanged { return ObjectRows(unchanged: whole) }
    return ObjectRows(
      base: whole, current: whole.applying(Patch(from: base, to: rows.current)))
  }

  /// Adds or removes a link, at both ends.
  func setLink(
    _ name: String, from source: ObjectID, to destination: ObjectID, isLinked: Bool
  ) {
    let (source, destination) = (resolve(source), resolve(destination))
    guard let relationship = info(for: source.entityName).relationships[name] else { return }
    change(RelationshipEnd(source, name), destination, isLinked: isLinked)
    if let inverse = relationship.inverse,
      source != destination || !relationship.isSymmetric
    {
      change(RelationshipEnd(destination, inverse.name), source, isLinked: isLinked)
    }
    undoHistory.register { [reference] in
      reference.context?.setLink(name, from: source, to: destination, isLinked: !isLinked)
    }
  }

  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { report(error) }
  }

  private func change(_ end: RelationshipEnd, _ id: ObjectID, isLinked: Bool) {
    touch(end.id, [end.name])
    unsaved.setLink(id, at: end, isLinked: isLinked)
  }

  /// A row of an undo step, with the permanent IDs that were assigned since.
  func resolved(_ row: RowSnapshot, as id: ObjectID) -> RowSnapshot {
    var row = row
    row.id = id
    row.apply(resolved(Patch(from: RowSnapshot(id: id, version: 0, values: []), to: row), for: id))
    return row
  }

  func resolved(_ patch: Patch, for id: ObjectID) -> Patch {
    guard !patch.toOne.isEmpty else { return patch }
    var patch = patch
    let info = info(for: id.entityName)
    for (index, destination) in patch.toOne {
      guard let destination else { continue }
      let known = resolve(destination)
      patch.toOne[index] = .some(known)
      guard info.foreignKeys.indices.contains(index) else { continue }
      if known != destination || !known.isTemporary {
        for (attribute, value) in zip(info.foreignKeys[index], known.keyValues) {
          patch.values[attribute] = value
        }
      }
    }
    return patch
  }

  /// Notes the objects that lose or gain an object because its to-one relationships change; a row
  /// that is nil leads nowhere.
  func touchInverses(of id: ObjectID, from old: RowSnapshot?, to new: RowSnapshot?) {
    let toOne = info(for: id.entityName).toOne
    if toOne.isEmpty { return }
    for (index, relationship) in toOne.enumerated() {
      let (old, new) = (old?.destination(at: index), new?.destination(at: index))
      guard let inverse = relationship.inverse, old != new else { continue }
      for end in [old, new].compactMap(\.self) where isAlive(end) {
        touch(end, [inverse.name])
      }
    }
  }
}
