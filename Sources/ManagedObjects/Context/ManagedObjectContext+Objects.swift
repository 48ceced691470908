public import ObjectModel

extension ManagedObjectContext {
  /// Makes objects of an entity instances of a subclass, from now on.
  ///
  /// - Parameters:
  ///   - type: The subclass.
  ///   - entityName: The entity; subentities are registered on their own.
  public func register(_ type: ManagedObject.Type, forEntity entityName: String) {
    classes[entityName] = type
  }

  /// The object of an ID, without asking the store: a fault when nothing is known of it.
  ///
  /// - Parameter id: The ID; a temporary one that was saved since gives the saved object.
  /// - Returns: The one object of that ID.
  public func object(with id: ObjectID) -> ManagedObject {
    let id = resolve(id)
    if let object = objects[id]?.object { return object }
    let type = classes[id.entityName] ?? ManagedObject.self
    let object = type.init(objectID: id, context: self)
    objects[id] = WeakObject(object: object)
    unsaved.retain(object)
    return object
  }

  /// The object of an ID that exists.
  ///
  /// - Parameter id: The ID.
  /// - Returns: The object, its row read.
  /// - Throws: ``ManagedObjectError`` when its row is gone or cannot be read.
  public func existingObject(with id: ObjectID) throws -> ManagedObject {
    let id = resolve(id)
    if pending[id]?.current == nil {
      try prefetch(CollectionOfOne(id))
      guard pending[id] == nil, cache.contains(id) else {
        throw ManagedObjectError(
          .gone, doing: "getting an object", subject: displayName(of: id), objectIDs: [id])
      }
    }
    return object(with: id)
  }

  /// The object of an ID if someone holds it; nil otherwise.
  ///
  /// - Parameter id: The ID.
  /// - Returns: The object.
  public func registeredObject(for id: ObjectID) -> ManagedObject? { objects[resolve(id)]?.object }

  /// Reads the rows of objects that are not held yet, in one go.
  ///
  /// - Parameter ids: The IDs.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  public func prefetch(_ ids: some Collection<ObjectID>) throws { try read(Array(ids)) }

  /// Reads rows that are not held yet; of one type of list, so that it is not made anew for every caller's own.
  private func read(_ ids: [ObjectID]) throws {
    var wanted: [ObjectID] = []
    wanted.reserveCapacity(ids.count)
    for id in ids {
      let id = resolve(id)
      if id.isTemporary || cache.contains(id) || pending[id]?.current != nil { continue }
      wanted.append(id)
    }
    guard !wanted.isEmpty else { return }
    let found = try reading("reading \(wanted.count) objects") { store throws(StoreError) in
      try store.snapshots(of: wanted)
    }
    for id in wanted {
      if let row = found[id] { keep(row) } else { cache.setMissing(id) }
    }
  }

  /// Forgets the rows of clean objects.
  ///
  /// - Parameter ids: Those to remember.
  public func trim(keeping ids: Set<ObjectID>) {
    cache.trim { ids.contains($0) }
  }

  /// What a person calls an object: the value of its display attribute, else its entity and key.
  ///
  /// - Parameter id: The object.
  /// - Returns: A short text, never empty.
  public func displayName(of id: ObjectID) -> String {
    let id = resolve(id)
    let entity = info(for: id.entityName).entity
    if let name = entity.displayAttributeName, let attribute = entity.attribute(named: name),
      let place = entity.attributeIndex(name),
      let row = readableRow(of: id) ?? undoMemory.deletedRow(of: id)
    {
      let text = attribute.decode(row.values[place]).description
      if !text.isEmpty { return text }
    }
    return switch id.key {
    case .integer(let key): "\(id.entityName) \(key)"
    case .composite(let values):
      "\(id.entityName) \(values.map(\.description).joined(separator: ", "))"
    case .temporary: "new \(id.entityName)"
    }
  }

  func resolve(_ id: ObjectID) -> ObjectID { undoMemory.resolve(id) }

  func info(for entityName: String) -> EntityInfo {
    if let info = infos[entityName] { return info }
    // An ID may name an entity that the store does not have; its objects have no attributes and no row.
    let entity =
      model.entity(named: entityName) ?? EntityDescription(name: entityName, attributes: [])
    let info = EntityInfo(entity, in: model)
    infos[entityName] = info
    return info
  }

  /// The row as it now stands, read if need be; nil when it is deleted or gone.
  func currentRow(of id: ObjectID) -> RowSnapshot? {
    if !pending.isEmpty, let pending = pending[id] { return pending.current }
    return committedRow(of: id)
  }

  /// The row as it now stands, or as it stood when its deletion is not saved yet.
  func readableRow(of id: ObjectID) -> RowSnapshot? {
    if !pending.isEmpty, let pending = pending[id] {
      if let row = pending.current ?? pending.base { return row }
    }
    return committedRow(of: id) ?? tracking.removedRows[id]
  }

  /// Whether an object is there and not deleted, so that it can be changed; reads its row if need be.
  func isChangeable(_ id: ObjectID) -> Bool {
    switch pending[id] {
    case .inserted, .updated: true
    case .deleted: false
    case nil: readableRow(of: id) != nil
    }
  }

  /// The row as the store has it, read if need be; nil when it is gone or cannot be read.
  func committedRow(of id: ObjectID) -> RowSnapshot? {
    if id.isTemporary { return nil }
    if !pending.isEmpty, let base = pending[id]?.base { return base }
    if let row = cache.find(id) { return row }
    guard !cache.isMissing(id), pending[id]?.isInserted != true else {
      return nil
    }
    do {
      try prefetch(objects[id]?.object?.faultNeighbours ?? [id])
    } catch {
      report(error)
    }
    return cache.find(id)
  }

  /// Reads a value that a snapshot holds cut, and keeps the whole.
  func committedRow(of id: ObjectID, wholeAt places: some Sequence<Int>) throws -> RowSnapshot? {
    guard var row = committedRow(of: id) else { return nil }
    let cut = places.filter { row.cutLengths[$0] != nil }
    guard !cut.isEmpty else { return row }
    for place in cut {
      let name = info(for: id.entityName).entity.attributes[place].name
      row.values[place] = try reading("reading \(name)") { store throws(StoreError) in
        try store.value(of: name, for: id)
      }
      row.cutLengths[place] = nil
    }
    return row
  }

  func keep(_ row: RowSnapshot) {
    cache.keep(row) { !objects.isEmpty && objects[$0]?.object != nil }
  }

  /// Asks the store, its errors made ours.
  func reading<Result>(
    _ doing: @autoclosure () -> String,
    _ body: (any PersistentStore) throws(StoreError) -> Result
  ) throws -> Result {
    do { return try body(store) } catch { throw ManagedObjectError(error, doing: doing()) }
  }

  /// Called by an object that nobody holds any more.
  func forget(_ id: ObjectID) {
    guard let place = objects.index(forKey: id), objects.values[place].object == nil else { return }
    objects.remove(at: place)
  }
}
