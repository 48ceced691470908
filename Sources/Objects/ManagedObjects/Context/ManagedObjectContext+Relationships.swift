import ObjectModel

extension ManagedObjectContext {
  /// The destinations of a to-many relationship of objects of one entity, with unsaved changes, in
  /// one query.
  func contents(of relationship: RelationshipInfo, from ids: [ObjectID]) throws
    -> [ObjectID: [ObjectID]]
  {
    let stored = try destinations(of: relationship, from: ids)
    var contents: [ObjectID: [ObjectID]] = [:]
    for id in ids {
      let list = overlay(stored[id] ?? [], of: RelationshipEnd(id, relationship.name), relationship)
      if !list.isEmpty { contents[id] = list }
    }
    return contents
  }

  /// The destinations of a relationship of any kind of objects of one entity, with unsaved changes.
  func destinationIDs(of relationship: RelationshipInfo, from ids: [ObjectID]) throws
    -> [ObjectID: [ObjectID]]
  {
    guard relationship.kind == .toOne else { return try contents(of: relationship, from: ids) }
    try prefetch(ids)
    return ids.reduce(into: [:]) { result, id in
      guard let index = toOneIndex(relationship.name, of: id),
        let row = tracking.removedRow(of: id) ?? readableRow(of: id),
        let destination = row.destination(at: index)
      else { return }
      result[id] = [destination]
    }
  }

  /// The destinations of a relationship of any kind, by source, of objects of one entity that are
  /// being deleted, with unsaved changes; sources without destinations are missing.
  func destinationIDs(
    of relationship: RelationshipInfo, from ids: [ObjectID], stored: [ObjectID: [ObjectID]]
  ) -> [ObjectID: [ObjectID]] {
    ids.reduce(into: [:]) { result, id in
      var found = stored[id] ?? []
      if relationship.kind != .toOne {
        found = overlay(found, of: RelationshipEnd(id, relationship.name), relationship)
      } else if let row = tracking.removedRow(of: id) ?? pending[id]?.current,
        let index = toOneIndex(relationship.name, of: id)
      {
        found = row.destination(at: index).map { [$0] } ?? []
      }
      if !found.isEmpty { result[id] = found }
    }
  }

  /// The destinations of a relationship as they were last read, of objects of one entity.
  func destinations(of relationship: RelationshipInfo, from ids: [ObjectID]) throws
    -> [ObjectID: [ObjectID]]
  {
    let name = relationship.name
    var found: [ObjectID: [ObjectID]] = [:]
    var wanted: [ObjectID] = []
    for id in ids where !id.isTemporary {
      if let known = cache.destinations(of: RelationshipEnd(id, name)) {
        found[id] = known
      } else {
        wanted.append(id)
      }
    }
    guard !wanted.isEmpty else { return found }
    let read = try storedDestinations(of: relationship, from: wanted)
    cache.keepDestinations(read, of: name, from: wanted)
    return found.merging(read) { $1 }
  }

  /// The destinations of a relationship of any kind in the store now, of objects of one entity, in
  /// one query.
  func storedDestinations(of relationship: RelationshipInfo, from ids: [ObjectID]) throws
    -> [ObjectID: [ObjectID]]
  {
    guard !ids.isEmpty else { return [:] }
    let found = try reading("reading \(relationship.fullName)") { store throws(StoreError) in
      try store.destinations(of: relationship.name, from: ids)
    }
    // A row that leads to its owner exists.
    if relationship.kind == .toManyByInverse { noteExisting(found.values.lazy.joined()) }
    return found
  }

  /// Objects of a relationship in the store, with unsaved changes.
  ///
  /// - Parameters:
  ///   - stored: The objects.
  ///   - end: The relationship.
  ///   - relationship: Its description.
  ///   - isOrdered: Whether an unsaved order is one of the changes.
  /// - Returns: The objects with unsaved changes.
  func overlay(
    _ stored: [ObjectID], of end: RelationshipEnd, _ relationship: RelationshipInfo,
    isOrdered: Bool = true
  ) -> [ObjectID] {
    if unsaved.isEmpty { return stored }
    var list: [ObjectID]
    var added: [ObjectID]
    if relationship.kind == .toManyByInverse, let inverse = relationship.inverse {
      list = stored.filter { id in
        guard let pending = pending[id] else { return true }
        guard let row = pending.current, let index = toOneIndex(inverse.name, of: id) else {
          return false
        }
        return row.destination(at: index) == end.id
      }
      let known = Set(list)
      // Sorted by key: a save writes them in this order, and an ordered relationship appends them
      // so.
      added = (unsaved.incoming[end] ?? []).filter { !known.contains($0) }.sorted()
    } else {
      let change = links[end] ?? LinkChange()
      let removed = change.removed
      list = stored.filter { !removed.contains($0) && pending.isDeleted($0) != true }
      added = change.added.filter { isAlive($0) && !list.contains($0) }
    }
    if isOrdered, let order = unsaved.orders[end]?.order {
      let members = Set(list).union(added)
      let ordered = order.filter(members.contains)
      let known = Set(ordered)
      return ordered + (list + added).filter { !known.contains($0) }
    }
    guard !added.isEmpty else { return list }
    if relationship.description.isOrdered { return list + added }
    list += added
    return list.sorted()
  }

  func toOneIndex(_ name: String, of id: ObjectID) -> Int? {
    info(for: id.entityName).entity.toOneIndex(name)
  }

  // MARK: Changing

  /// Sets a to-one relationship with its foreign keys, and both ends of a one-to-one relationship.
  func setToOne(_ index: Int, to destination: ObjectID?, of id: ObjectID) throws {
    let relationship = info(for: id.entityName).toOne[index]
    guard let row = currentRow(of: id) else { return }
    let old = row.destination(at: index)
    guard old != destination else { return }
    try checkKey(index, of: id)
    guard let inverse = relationship.inverse, !inverse.isToMany else {
      let ends = relationship.inverse.map { inverse in
        [old, destination].compactMap { $0.map { RelationshipEnd($0, inverse.name) } }
      }
      return try keepingOrders(of: relationship.inverse?.isOrdered == true ? ends ?? [] : []) {
        _ = try patch(id, referencePatch(index, to: destination, of: id, row))
      }
    }
    try patch(id, referencePatch(index, to: destination, of: id, row))
    if let old, let back = toOneIndex(inverse.name, of: old),
      currentRow(of: old)?.destination(at: back) == id
    {
      try patch(old, referencePatch(back, to: nil, of: old, nil))
    }
    guard let destination, let back = toOneIndex(inverse.name, of: destination) else { return }
    let rival = currentRow(of: destination)?.destination(at: back)
    guard rival != id else { return }
    if let rival, let rivalIndex = toOneIndex(relationship.name, of: rival),
      currentRow(of: rival)?.destination(at: rivalIndex) == destination
    {
      try patch(rival, referencePatch(rivalIndex, to: nil, of: rival, nil))
    }
    try patch(destination, referencePatch(back, to: id, of: destination, nil))
  }

  /// Checks that a to-one relationship of a saved object is no part of its key, as each end of a row
  /// of a join table is.
  private func checkKey(_ index: Int, of id: ObjectID) throws {
    let info = info(for: id.entityName)
    let isKey = info.foreignKeys[index].contains(where: info.keyAttributes.contains)
    guard isKey, !id.isTemporary else { return }
    let name = info.toOne[index].name
    throw ManagedObjectError(
      .readOnly, doing: "setting \(name)", subject: displayName(of: id),
      detail: "it is part of the key, which a saved object keeps",
      remedy: "make a new object and delete this one", objectIDs: [id])
  }

  /// Sets an attribute and, if it is a foreign key, its relationships.
  func setAttribute(
    _ index: Int, to value: Value, of object: ManagedObject, _ rows: ObjectRows? = nil
  ) throws {
    let id = object.objectID
    guard let rows = rows ?? self.rows(of: id) else { return }
    var change = Patch()
    change.values[index] = value
    derive(&change, from: [index], on: rows.current, but: nil)
    // Only setting the relationship updates the other end of a one-to-one relationship.
    if let (toOne, destination) = change.toOne.first, change.toOne.count == 1,
      let inverse = object.info.toOne[toOne].inverse, !inverse.isToMany
    {
      try setToOne(toOne, to: destination, of: id)
      try patch(id, change)
    } else {
      try patch(id, change, of: rows)
    }
  }

  func add(
    _ id: ObjectID, to relationship: RelationshipInfo, of source: ObjectID, at index: Int?
  ) throws {
    let before = try contents(of: relationship, from: [source])[source] ?? []
    if !before.contains(id) {
      if relationship.kind == .toManyByInverse, let inverse = relationship.inverse,
        let back = toOneIndex(inverse.name, of: id)
      {
        try setToOne(back, to: source, of: id)
      } else {
        relink(relationship, from: source, to: id, isLinked: true)
      }
    }
    guard relationship.description.isOrdered else { return }
    var order = before.filter { $0 != id }
    order.insert(id, at: min(max(index ?? order.count, 0), order.count))
    let end = RelationshipEnd(source, relationship.name)
    if try contents(of: relationship, from: [source])[source] != order {
      try setOrder(order, of: end)
    }
  }

  func remove(_ id: ObjectID, from relationship: RelationshipInfo, of source: ObjectID) throws {
    guard try contents(of: relationship, from: [source])[source]?.contains(id) == true else {
      return
    }
    if relationship.kind == .toManyByInverse, let inverse = relationship.inverse,
      let back = toOneIndex(inverse.name, of: id)
    {
      try setToOne(back, to: nil, of: id)
    } else {
      relink(relationship, from: source, to: id, isLinked: false)
    }
  }

  private func relink(
    _ relationship: RelationshipInfo, from source: ObjectID, to id: ObjectID, isLinked: Bool
  ) {
    var ends =
      relationship.description.isOrdered ? [RelationshipEnd(source, relationship.name)] : []
    if let inverse = relationship.inverse, inverse.isOrdered {
      ends.append(RelationshipEnd(id, inverse.name))
    }
    keepingOrders(of: ends) {
      setLink(relationship.name, from: source, to: id, isLinked: isLinked)
    }
  }

  /// The patch that sets a to-one relationship, its foreign keys, and other relationships that
  /// share them.
  func referencePatch(
    _ index: Int, to destination: ObjectID?, of id: ObjectID, _ row: RowSnapshot?
  ) -> Patch {
    var patch = Patch()
    patch.toOne[index] = .some(destination)
    let attributes = info(for: id.entityName).foreignKeys[index]
    guard !attributes.isEmpty, let row = row ?? currentRow(of: id) else { return patch }
    let values = destination?.keyValues ?? []
    for (offset, attribute) in attributes.enumerated() {
      patch.values[attribute] = values.indices.contains(offset) ? values[offset] : .null
    }
    derive(&patch, from: attributes, on: row, but: index)
    return patch
  }

  /// The patch that sets the foreign key of a to-one relationship to the defaults of its columns.
  func defaultPatch(_ index: Int, on row: RowSnapshot) -> Patch {
    let info = info(for: row.id.entityName)
    var patch = Patch()
    patch.toOne[index] = .some(nil)
    for (attribute, value) in zip(info.foreignKeys[index], info.defaultKey(index)) {
      patch.values[attribute] = value
    }
    derive(&patch, from: info.foreignKeys[index], on: row, but: nil)
    return patch
  }

  /// Adds to a patch of foreign keys the destinations of their relationships.
  private func derive(
    _ patch: inout Patch, from attributes: [Int], on row: RowSnapshot, but exception: Int?
  ) {
    let info = info(for: row.id.entityName)
    guard !info.references.isEmpty else { return }
    for index in Set(attributes.flatMap { info.references[$0] ?? [] }) where index != exception {
      let values = info.foreignKeys[index].map { patch.values[$0] ?? row.value(at: $0) }
      patch.toOne[index] = .some(
        destination(of: info.toOne[index].description, key: values))
    }
  }

  /// The ID that a foreign key refers to; nil if a part of it is null.
  private func destination(of relationship: RelationshipDescription, key: [Value]) -> ObjectID? {
    guard var objectKey = ObjectKey(key) else { return nil }
    let entityName = relationship.destinationEntityName
    if case .integer = objectKey, !hasIntegerKeys(entityName) { objectKey = .composite(key) }
    return ObjectID(
      storeIdentifier: store.identifier(of: entityName), entityName: entityName, key: objectKey)
  }

  /// Whether the keys of an entity are integers: decided by its first object, or else by the type
  /// of the key.
  private func hasIntegerKeys(_ entityName: String) -> Bool {
    if let known = keyShapes[entityName] { return known }
    var first: ObjectID?
    attempt {
      first = try reading("reading \(entityName)") { store throws(StoreError) in
        try store.fetch(FetchPlan(entityName: entityName, limit: 1), control: nil)
      }.ids.first
    }
    guard let first else {
      let entity = info(for: entityName).entity
      return entity.keyAttributes.count < 2
        && entity.keyAttributes.allSatisfy { entity.attribute(named: $0)?.type != .string }
    }
    if case .integer = first.key {
      keyShapes[entityName] = true
    } else {
      keyShapes[entityName] = false
    }
    return keyShapes[entityName] ?? true
  }

  func check(
    _ object: ManagedObject, fits relationship: RelationshipInfo, of source: ManagedObject
  ) throws {
    let destination = relationship.description.destinationEntityName
    let problem: String? =
      if object.managedObjectContext !== self {
        "\(object.displayName) is of another context"
      } else if object.isDeleted {
        "\(object.displayName) is deleted"
      } else if !model.entityNames(inheritingFrom: destination).contains(object.entity.name) {
        "\(relationship.fullName) leads to \(destination), not \(object.entity.name)"
      } else { nil }
    guard let problem else { return }
    throw ManagedObjectError(
      .wrongType, doing: "setting \(relationship.name)", subject: source.displayName,
      detail: problem, objectIDs: [source.objectID, object.objectID])
  }
}
