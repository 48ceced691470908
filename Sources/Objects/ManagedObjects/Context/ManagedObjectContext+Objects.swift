public import ObjectModel

extension ManagedObjectContext {
  /// Registers a subclass for an entity; objects that are created from now on are instances of it.
  ///
  /// - Parameters:
  ///   - type: The subclass.
  ///   - entityName: The entity. Subentities without a class of their own have it too.
  package func register(_ type: ManagedObject.Type, forEntity entityName: String) {
    classes[entityName] = type
  }

  /// Registers the class of typed objects for an entity that no class is registered for.
  package func registerIfNeeded(_ type: ManagedObject.Type, forEntity entityName: String) {
    guard type != ManagedObject.self, classes[entityName] == nil else { return }
    register(type, forEntity: entityName)
  }

  /// The class of an entity's objects: the one that is registered for it or for the nearest of its
  /// superentities; nil if none is registered for any of them.
  func objectClass(ofEntity name: String) -> ManagedObject.Type? {
    if classes.isEmpty { return nil }
    return classes[name] ?? info(for: name).line.lazy.compactMap { self.classes[$0] }.first
  }

  /// Those of some objects, not computed if no class is registered, whose hooks are called: their
  /// entity has a class.
  func hooked(_ ids: @autoclosure () -> [ObjectID]) -> [ObjectID] {
    classes.isEmpty ? [] : ids().filter { objectClass(ofEntity: $0.entityName) != nil }
  }

  /// The object of an ID, without reading the store; a fault if its row is not cached.
  ///
  /// - Parameter id: The ID; a temporary one of an object that was saved since returns that object.
  /// - Returns: The object; the same one for the same ID while it is referenced.
  public func object(with id: ObjectID) -> ManagedObject {
    if let object = objects[id]?.object { return object }
    if id.isTemporary {
      let permanent = resolve(id)
      if permanent != id { return self.object(with: permanent) }
    }
    let object = newInstance(of: id)
    if !unsaved.isEmpty { unsaved.retain(object) }
    return object
  }

  /// Makes the object of an ID that has none.
  func newInstance(of id: ObjectID) -> ManagedObject {
    guard !classes.isEmpty, let type = objectClass(ofEntity: id.entityName) else {
      return ManagedObject(objectID: id, context: self)
    }
    let object = type.init(objectID: id, context: self)
    object.needsAwaking = type != ManagedObject.self
    return object
  }

  /// The object of an ID with its row read, if it exists in the store.
  ///
  /// - Throws: ``ManagedObjectError`` if there is no such row or it cannot be read.
  public func existingObject(with id: ObjectID) throws -> ManagedObject {
    let id = resolve(id)
    if pending[id]?.current == nil {
      try prefetch(CollectionOfOne(id))
      guard !pending.contains(id), objects.hasRow(id) else {
        throw ManagedObjectError(
          .gone, doing: "getting an object", subject: displayName(of: id), objectIDs: [id])
      }
    }
    return object(with: id)
  }

  /// The object of an ID if it is referenced; nil otherwise.
  public func registeredObject(for id: ObjectID) -> ManagedObject? { objects[resolve(id)]?.object }

  /// The objects whose instances are in use, or that have unsaved changes.
  public var registeredObjects: Set<ManagedObject> { Set(objects.instances) }

  /// Reads the rows of objects that are not cached, in one query for each entity.
  ///
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  public func prefetch(_ ids: some Collection<ObjectID>) throws { try read(Array(ids)) }

  /// Not generic, so that it is compiled once.
  private func read(_ ids: [ObjectID]) throws {
    let isUnchanged = pending.isEmpty
    func isWanted(_ id: ObjectID) -> Bool {
      if id.isTemporary || objects.hasRow(id) { return false }
      return isUnchanged || pending[id]?.current == nil
    }
    let wanted = resolved(ids).selected(where: isWanted)
    guard !wanted.isEmpty else { return }
    var rows = try reading("reading \(wanted.count) objects") { store throws(StoreError) in
      try store.rows(of: wanted)
    }
    noteExisting(rows.lazy.compactMap { $0?.id })
    for index in rows.indices {
      if let row = rows[index].take() { cache.keep(row) } else { cache.setMissing(wanted[index]) }
    }
  }

  /// Notes that objects are in the store, as it was just read: somebody may have inserted one again
  /// that was deleted here, or another one with its key.
  func noteExisting(_ ids: some Sequence<ObjectID>) {
    guard cache.hasMissing || undoMemory.hasDeletions else { return }
    for id in ids where !pending.contains(id) {
      cache.setExisting(id)
      undoMemory.forgetDeletion(of: id)
    }
  }

  /// Evicts the rows of unchanged objects.
  package func trim(keeping ids: Set<ObjectID>) {
    turnIntoFaults(
      instances.filter { !ids.contains($0.objectID) && !pending.contains($0.objectID) }
    ) {
      cache.trim { ids.contains($0) }
    }
  }

  /// Whether an object was deleted in this context, and was not inserted again by another one.
  func isDeletedHere(_ id: ObjectID) -> Bool {
    if let pending = pending[id] { return pending.isDeleted }
    guard undoMemory.isDeleted(id) else { return false }
    cache.forget(id)
    return readRow(of: id) == nil
  }

  func resolve(_ id: ObjectID) -> ObjectID { id.permanent }

  /// The permanent IDs of objects, where they have one by now.
  func resolved(_ ids: [ObjectID]) -> [ObjectID] {
    // As a rule all are permanent, and very many need no copy.
    ids.contains(where: \.isTemporary) ? ids.map(resolve) : ids
  }

  /// The row with unsaved changes, read if it is not cached; nil if it is deleted or does not
  /// exist.
  func currentRow(of id: ObjectID) -> RowSnapshot? {
    if !pending.isEmpty, let pending = pending[id] { return pending.current }
    return committedRow(of: id)
  }

  /// The row with unsaved changes; that of an unsaved deletion as it was before.
  func readableRow(of id: ObjectID) -> RowSnapshot? {
    if !pending.isEmpty, let pending = pending[id] {
      if let row = pending.current ?? pending.base { return row }
    }
    return committedRow(of: id) ?? tracking.removedRow(of: id)
  }

  /// Whether it is not known if an object exists: its row was not read, as after an attempt while
  /// another program holds the store's lock.
  ///
  /// - Parameter id: The object.
  /// - Returns: Whether reading its row is still to be done.
  package func isUnread(_ id: ObjectID) -> Bool {
    let id = resolve(id)
    return !id.isTemporary && pending[id] == nil && !objects.hasRow(id) && !cache.isMissing(id)
      && (deletedMayExist || !undoMemory.isDeleted(id)) && tracking.removedRow(of: id) == nil
  }

  /// Whether an object exists and is not deleted; reads its row if it is not cached.
  func isChangeable(_ id: ObjectID) -> Bool {
    switch pending[id] {
    case .inserted, .updated: true
    case .deleted: false
    case nil: readableRow(of: id) != nil
    }
  }

  /// The rows of an object that exists and is not deleted; nil otherwise, or if its row cannot be
  /// read.
  func rows(of id: ObjectID) -> ObjectRows? {
    switch pending[id] {
    case .inserted(let new): ObjectRows(base: nil, current: new.row)
    case .updated(let update): ObjectRows(base: update.base, current: update.current)
    case .deleted: nil
    case nil: storedRow(of: id).map(ObjectRows.init(unchanged:))
    }
  }

  /// The row in the store, read if it is not cached; nil if it does not exist or cannot be read.
  func committedRow(of id: ObjectID) -> RowSnapshot? {
    if !pending.isEmpty, let base = pending[id]?.base { return base }
    return storedRow(of: id)
  }

  /// The row in the store of an object that has no other in its unsaved change.
  private func storedRow(of id: ObjectID) -> RowSnapshot? {
    if id.isTemporary { return nil }
    if let row = objects.row(of: id) { return row }
    guard !cache.isMissing(id), deletedMayExist || !undoMemory.isDeleted(id),
      pending[id]?.isInserted != true
    else { return nil }
    return readRow(of: id)
  }

  /// Reads the row of an object, even of one that is known to be missing; nil if it does not exist
  /// or cannot be read.
  func readRow(of id: ObjectID) -> RowSnapshot? {
    do {
      try prefetch(objects[id]?.object?.faultNeighbours ?? [id])
    } catch {
      report(error)
    }
    return objects.row(of: id)
  }

  /// A row with full values at some indexes where it was read truncated.
  func whole(_ row: RowSnapshot, at indexes: [Int]) throws -> RowSnapshot {
    var row = row
    for index in indexes where row.cutLengths[index] != nil {
      row.values[index] = try wholeValue(at: index, of: row.id)
      row.cutLengths[index] = nil
    }
    return row
  }

  /// The stored value of a row at an index, read in full from the store if it is truncated.
  func wholeValue(at index: Int, of id: ObjectID, in row: RowSnapshot?) throws -> Value {
    guard let row else { return .null }
    return try row.cutLengths[index] == nil
      ? row.value(at: index) : wholeValue(at: index, of: id)
  }

  /// The stored value of an attribute of an object, in full from the store.
  ///
  /// - Throws: ``ManagedObjectError`` if it cannot be read, or the row no longer exists.
  func wholeValue(at index: Int, of id: ObjectID) throws -> Value {
    let name = info(for: id.entityName).entity.attributes[index].name
    let doing = "reading \(name)"
    let value = try reading(doing) { store throws(StoreError) in
      try store.value(of: name, for: id)
    }
    if value.isNull {
      let rows = try reading(doing) { store throws(StoreError) in try store.rows(of: [id]) }
      guard rows != [nil] else {
        throw ManagedObjectError(
          .gone, doing: doing, subject: displayName(of: id),
          detail: "it was deleted before its long value was read", objectIDs: [id])
      }
    }
    return value
  }

  /// Reads from the store; its errors are wrapped.
  func reading<Result>(
    _ doing: @autoclosure () -> String,
    _ body: (any PersistentStore) throws(StoreError) -> Result
  ) throws -> Result {
    do { return try body(store) } catch { throw ManagedObjectError(error, doing: doing()) }
  }

  /// Throws if the work was cancelled through `FetchControl.current`.
  ///
  /// - Throws: ``ManagedObjectError``, whose ``ManagedObjectError/storeError`` has the reason
  ///   `cancelled`.
  func checkCancelled(_ doing: @autoclosure () -> String, completed: Int? = nil, total: Int = 0)
    throws
  {
    guard FetchControl.current != nil else { return }
    try reading(doing()) { _ throws(StoreError) in
      try FetchControl.check(doing: doing(), completed: completed, total: total)
    }
  }

  /// The rows that objects have in the store now; those without a row are missing.
  func storedRows(of ids: [ObjectID], doing: String? = nil) throws -> [ObjectID: RowSnapshot] {
    try reading(doing ?? "reading \(ids.count) objects") { store throws(StoreError) in
      try store.snapshots(of: ids)
    }
  }
}
