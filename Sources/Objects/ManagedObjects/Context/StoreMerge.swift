import ObjectModel

/// Merges what others have saved into a context, and collects what changes there by it.
struct StoreMerge {
  private let context: ManagedObjectContext
  /// What has changed.
  var change: ContextChange

  init(_ context: ManagedObjectContext, adding change: ContextChange = ContextChange()) {
    self.context = context
    self.change = change
  }

  /// Merges the present rows of objects.
  mutating func mergeRows(of ids: [ObjectID], doing: String) throws {
    let found = try context.storedRows(of: ids, doing: doing)
    for id in ids { merge(found[id], for: id) }
  }

  /// Merges what others have saved, and reads what is outdated.
  ///
  /// A save says which objects it has changed. Those that are known here are read: somebody may
  /// have saved them again since, this context too.
  mutating func mergeSaves() throws {
    var gone: Set<ObjectID> = []
    let saves = context.persistentStoreCoordinator.takeSaves(from: context.inbox)
    for save in saves { note(save, gone: &gone) }
    if !context.tracking.outdated.isEmpty {
      let ids = context.tracking.outdated.sorted()
      let found = try context.storedRows(of: ids, doing: "refreshing")
      context.tracking.outdated = []
      for id in ids { merge(found[id], for: id) }
    }
    if !saves.isEmpty { try mergeOrders() }
    change.forgetUpdatesOfDeleted()
  }

  /// Notes what a save has changed; `gone` has what the saves before it have deleted.
  private mutating func note(_ save: SavedChange, gone: inout Set<ObjectID>) {
    context.cache.forgetDestinations()
    for id in save.inserted {
      context.undoMemory.forgetDeletion(of: id)
      change.deleted.remove(id)
      if gone.remove(id) == nil {
        change.inserted.insert(id)
      } else {
        // A merge policy kept an object that another context had deleted.
        change.noteRefreshed(id, context.info(for: id.entityName).propertyNames)
      }
      if isKnown(id) { context.tracking.outdated.insert(id) } else { context.cache.forget(id) }
    }
    for id in save.updated where isKnown(id) { context.tracking.outdated.insert(id) }
    for id in save.deleted {
      if isKnown(id) || context.objects[id] != nil { context.tracking.outdated.insert(id) }
      if change.inserted.remove(id) == nil { gone.insert(id) }
      // Also one that was inserted since, or that was found missing: a list that was fetched or
      // updated meanwhile may have it.
      if !context.pending.contains(id) { change.deleted.insert(id) }
    }
    // Also those that were read since, perhaps to be changed here: a list may be older.
    for (id, keys) in save.changedKeys where context.pending.isDeleted(id) != true {
      if !change.inserted.contains(id) { change.refreshed.insert(id) }
      change.changedKeys[id, default: []].formUnion(keys)
    }
    change.forgetUpdatesOfDeleted()
  }

  /// Whether the context has a row or an unsaved change of an object, which a save may concern.
  private func isKnown(_ id: ObjectID) -> Bool {
    context.pending.contains(id) || context.objects.hasRow(id)
  }

  /// Merges the present row of the store; nil if it was deleted.
  mutating func merge(_ row: RowSnapshot?, for id: ObjectID) {
    let info = context.info(for: id.entityName)
    func note(mine: Set<String> = [], _ theirs: Set<String> = []) {
      guard let pending = context.pending[id] else { return }
      context.unsaved.note(
        ContextConflict(of: pending, id, info, with: row, myKeys: mine, theirKeys: theirs))
    }
    switch context.pending[id] {
    case .inserted: return
    case .deleted(let deletion):
      guard let row else {
        // Deleted here and in the store: nothing is left to save.
        context.setPending(nil, for: id)
        context.cache.setMissing(id)
        return
      }
      guard let version = deletion.version, version != row.version else { return }
      let theirs = deletion.base.map { Patch(from: $0, to: row).names(in: info) } ?? []
      note(theirs)
    case .updated(let update):
      let (base, mine) = (update.base, update.changes)
      guard base.version != row?.version else {
        // The store has returned to what was read here.
        if context.unsaved.isDisputed(id) { context.unsaved.removeConflict(of: id) }
        return
      }
      guard let row else {
        let wasGone = context.unsaved.conflicts[id]?.isGone == true
        note(mine: mine.names(in: info))
        if wasGone { return }
        // Its links are gone with the row.
        let toMany = info.relationships.values.filter { $0.kind != .toOne }
        change.noteRefreshed(id, toMany.map(\.name))
        return
      }
      let theirs = Patch(from: base, to: row)
      let (myKeys, theirKeys) = (mine.names(in: info), theirs.names(in: info))
      let disputed = theirKeys.subtracting(forcedKeys(mine, theirs, of: base, info))
      if !myKeys.isDisjoint(with: disputed) {
        note(mine: myKeys, theirKeys)
      } else {
        context.unsaved.removeConflict(of: id)
        context.setUpdated(id, row.applying(mine), on: row)
        guard !theirKeys.isEmpty else { return }
        change.noteRefreshed(id, theirKeys)
        noteOwners(from: base, to: row)
      }
    case nil:
      guard let row else {
        if let old = context.objects.row(of: id) { noteOwners(from: old, to: nil) }
        noteSources(of: id)
        if !context.isMissing(id) { change.deleted.insert(id) }
        context.cache.setMissing(id)
        return
      }
      guard let old = context.objects.row(of: id), old.version != row.version else {
        return context.cache.keep(row)
      }
      context.cache.keep(row)
      change.noteRefreshed(id, Patch(from: old, to: row).names(in: info))
      noteOwners(from: old, to: row)
    }
  }

  /// The properties that both have set to nil because what they led to was deleted: nobody could
  /// choose anything else.
  private func forcedKeys(
    _ mine: Patch, _ theirs: Patch, of base: RowSnapshot, _ info: EntityInfo
  ) -> Set<String> {
    var names: Set<String> = []
    for (index, destination) in mine.toOne {
      guard destination == nil, theirs.toOne[index] == .some(nil),
        let former = base.destination(at: index), !context.isAlive(former)
      else { continue }
      names.insert(info.toOne[index].name)
      for attribute in info.foreignKeys[index]
      where mine.values[attribute]?.isNull == true && theirs.values[attribute]?.isNull == true {
        names.insert(info.attributeNames[attribute])
      }
    }
    return names
  }

  /// Notes the objects whose to-many relationship has lost or gained an object, because its row in
  /// the store has another destination now, or was deleted.
  private mutating func noteOwners(from old: RowSnapshot, to row: RowSnapshot?) {
    for (index, relationship) in context.info(for: old.id.entityName).toOne.enumerated() {
      guard let inverse = relationship.inverse, inverse.isToMany else { continue }
      let (before, after) = (old.destination(at: index), row?.destination(at: index))
      guard before != after else { continue }
      for owner in [before, after].compactMap(\.self) where context.isAlive(owner) {
        change.noteRefreshed(owner, [inverse.name])
      }
    }
  }

  /// Notes the objects that lead to a deleted one by unsaved changes.
  private mutating func noteSources(of id: ObjectID) {
    guard !context.unsaved.isEmpty else { return }
    for relationship in context.info(for: id.entityName).relationships.values {
      guard let inverse = relationship.inverse else { continue }
      let end = RelationshipEnd(id, relationship.name)
      let sources = Array(context.unsaved.incoming[end] ?? []) + (context.links[end]?.added ?? [])
      for source in sources where context.isAlive(source) {
        change.noteRefreshed(source, [inverse.name])
      }
    }
  }

  /// Reads the owners that were noted without having been read: they may be gone themselves.
  mutating func mergeUnreadOwners(read: Set<ObjectID>) throws {
    let unread = change.changedKeys.keys.filter {
      !read.contains($0) && !context.pending.contains($0)
    }
    if !unread.isEmpty { try mergeRows(of: Array(unread), doing: "refreshing") }
    change.forgetUpdatesOfDeleted()
  }

  /// Reads again what is in the relationships that have an unsaved order.
  ///
  /// Objects that were added or removed elsewhere are merged. If both have changed the order, that is
  /// a conflict, because any other would be one that nobody chose.
  mutating func mergeOrders() throws {
    let ends = context.unsaved.orders.keys.filter(context.isInStore)
    for (name, ends) in Dictionary(grouping: ends, by: \.name) {
      for (entityName, ids) in DeletionPlanner.byEntity(ends.map(\.id)) {
        guard let relationship = context.info(for: entityName).relationships[name] else { continue }
        let found = try context.storedDestinations(of: relationship, from: ids)
        context.cache.keepDestinations(found, of: name, from: ids)
        for id in ids
        where context.merge(found[id] ?? [], of: RelationshipEnd(id, name), relationship) {
          change.noteRefreshed(id, [name])
        }
      }
    }
  }
}
