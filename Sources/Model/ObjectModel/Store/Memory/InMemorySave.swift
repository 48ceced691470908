/// A save on a copy of a store's rows.
struct InMemorySave {
  private(set) var rows: InMemoryRows
  private var result = SaveResult()

  init(rows: InMemoryRows) { self.rows = rows }

  mutating func write(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    let doing = request.phrase
    try checkExpectations(of: request, doing)
    for link in request.unlinked { set(link, isLinked: false) }
    let deleted = Set(request.deleted.map(\.id))
    for id in deleted.sorted() { delete(id, among: deleted) }
    unlinkFromOwners(of: deleted)
    try assignKeys(to: request.inserted + request.reserved.map { RowChange(id: $0) }, doing)
    // New objects come last in ordered relationships.
    for change in request.updated { update(change) }
    for change in request.inserted { insert(change) }
    for link in request.linked { set(link, isLinked: true) }
    try checkDestinations(of: request, doing)
    try checkUniqueness(of: request.inserted + request.updated, doing)
    try computeDerived(request)
    for change in request.inserted + request.updated {
      let id = permanent(change.id)
      result.snapshots[id] = rows.rows[id]
    }
    return result
  }

  /// Checks new rows as those of a save, and computes their derived attributes.
  fileprivate static func checked(_ rows: InMemoryRows, _ doing: String) throws(StoreError)
    -> InMemoryRows
  {
    var save = InMemorySave(rows: rows)
    try save.checkUniqueness(of: rows.objectIDs.map { RowChange(id: $0) }, doing)
    try save.computeDerived(SaveRequest())
    return save.rows
  }

  /// Computes all derived attributes, of every object.
  private mutating func computeDerived(_ request: SaveRequest) throws(StoreError) {
    let links = (request.linked + request.unlinked).flatMap { [$0.source, $0.destination] }
    let written = Set(((request.inserted + request.updated).map(\.id) + links).map(permanent))
    for (name, info) in rows.entities where !info.derived.isEmpty {
      for var row in rows.rows.values where row.id.entityName == name {
        let old = row
        for derived in info.derived where !derived.isTime || written.contains(row.id) {
          row.values[derived.index] = try derived.value(of: RowSubject(row.id, in: rows))
        }
        guard row != old else { continue }
        row.version = row.contentDigest
        rows.rows[row.id] = row
        result.snapshots[row.id] = row
        result.changedKeys[row.id] = Set(info.derived.map(\.attribute.name))
      }
    }
  }

  private func permanent(_ id: ObjectID) -> ObjectID { result.permanentIDs[id] ?? id }

  /// Refuses references to objects that do not exist.
  private func checkDestinations(of request: SaveRequest, _ doing: String) throws(StoreError) {
    guard request.checksDestinations else { return }
    for change in request.inserted + request.updated {
      guard let info = rows.entities[change.id.entityName] else { continue }
      for (index, relationship) in info.toOne.enumerated() {
        let names = relationship.description.foreignKeyAttributes
        guard
          change.toOne[relationship.name] != nil
            || names.contains(where: change.values.keys.contains),
          !change.missingDestinations.contains(relationship.name),
          let destination = rows.rows[permanent(change.id)]?.destination(at: index),
          rows.rows[destination] == nil
        else { continue }
        throw StoreError(
          missing: destination, of: relationship.name, referredToBy: change.id, doing: doing)
      }
    }
    for link in request.linked {
      for id in [link.source, link.destination] where rows.rows[permanent(id)] == nil {
        throw StoreError(
          missing: id, of: link.relationshipName,
          referredToBy: id == link.source ? link.destination : link.source, doing: doing)
      }
    }
  }

  private func checkExpectations(of request: SaveRequest, _ doing: String) throws(StoreError) {
    var found = SaveDifference()
    for change in request.updated {
      found.compare(change.id, planned: change.version, present: rows.rows[change.id]?.version)
    }
    for deletion in request.deleted {
      found.compare(
        deletion.id, planned: deletion.version, present: rows.rows[deletion.id]?.version)
    }
    let difference = try request.difference(rows: found) {
      relationship, ids throws(StoreError) in
      try rows.destinations(of: relationship.name, from: ids)
    } matches: { plan throws(StoreError) in
      try plan.evaluated(over: rows).ids
    }
    guard difference.isEmpty else { throw StoreError(difference, doing: doing) }
  }

  private mutating func assignKeys(to inserted: [RowChange], _ doing: String) throws(StoreError) {
    var given: Set<ObjectID> = []
    for change in inserted {
      guard let entity = rows.model.entity(named: change.id.entityName) else {
        throw StoreError(.unknownName, doing: doing, subject: change.id.entityName)
      }
      let id = change.id.isTemporary ? newID(for: change, entity) : change.id
      if rows.rows[id] != nil || !given.insert(id).inserted {
        throw StoreError(
          .keyTaken, doing: doing, subject: id.uriRepresentation,
          detail: "another object has this key", objectIDs: [change.id])
      }
      if change.id.isTemporary { result.permanentIDs[change.id] = id }
      rows.use(id)
    }
  }

  private mutating func newID(for change: RowChange, _ entity: EntityDescription) -> ObjectID {
    let (next, overflow) = (rows.lastKeys[rows.keyRoot(of: entity.name)] ?? 0)
      .addingReportingOverflow(1)
    let key = ObjectKey(entity.keyAttributes.map { change.values[$0] ?? .null })
    return ObjectID(
      storeIdentifier: rows.storeIdentifier, entityName: entity.name,
      key: key ?? .integer(overflow ? Int64.min : next))
  }

  private mutating func insert(_ change: RowChange) {
    guard let info = rows.entities[change.id.entityName] else { return }
    let id = permanent(change.id)
    var row = RowSnapshot(
      id: id, version: 0, values: info.entity.attributes.map { _ in .null },
      toOne: info.entity.toOneRelationships.map { _ in nil })
    if info.keyAttributes.count == 1, case .integer(let key) = id.key {
      for index in info.keyAttributes { row.values[index] = .integer(key) }
    }
    write(change, into: &row, info)
  }

  private mutating func update(_ change: RowChange) {
    guard let info = rows.entities[change.id.entityName], var row = rows.rows[change.id] else {
      return
    }
    write(change, into: &row, info)
  }

  private mutating func write(
    _ change: RowChange, into row: inout RowSnapshot, _ info: InMemoryEntity
  ) {
    for (name, value) in change.values.dictionary {
      if let index = info.entity.attributeIndex(name) { row.values[index] = value }
    }
    for (index, attributes) in info.foreignKeys.enumerated() where !attributes.isEmpty {
      row.toOne[index] = destination(
        of: info.toOne[index].description, key: attributes.map { row.values[$0] })
    }
    for (name, destination) in change.toOne {
      guard let index = info.entity.toOneIndex(name) else { continue }
      row.toOne[index] = destination.map(permanent)
      guard let id = row.toOne[index] else { continue }
      for (attribute, value) in zip(info.foreignKeys[index], id.keyValues) {
        row.values[attribute] = value
      }
    }
    if let old = rows.rows[row.id] { moveToEnd(old, row, info) }
    row.version = row.contentDigest
    rows.rows[row.id] = row
  }

  /// Moves an object that gets another owner from the ordered relationship of the old one to the end
  /// of that of the new one; a new object is at the end because of its key.
  private mutating func moveToEnd(_ old: RowSnapshot, _ new: RowSnapshot, _ info: InMemoryEntity) {
    for (index, relationship) in info.toOne.enumerated() {
      guard let inverse = relationship.inverse, inverse.isOrdered,
        old.destination(at: index) != new.destination(at: index)
      else { continue }
      if let owner = old.destination(at: index) {
        rows.links[RelationshipEnd(owner, inverse.name)]?.removeAll { $0 == new.id }
      }
      guard let owner = new.destination(at: index) else { continue }
      let end = RelationshipEnd(owner, inverse.name)
      var list = (rows.links[end] ?? []).filter { $0 != new.id }
      let members = (try? rows.destinations(of: inverse.name, from: [owner]))?[owner] ?? []
      list += members.filter { !list.contains($0) }
      rows.links[end] = list + [new.id]
    }
  }

  private func destination(of relationship: RelationshipDescription, key: [Value]) -> ObjectID? {
    ObjectKey(key).map {
      ObjectID(
        storeIdentifier: rows.storeIdentifier, entityName: relationship.destinationEntityName,
        key: $0)
    }
  }

  private mutating func delete(_ id: ObjectID, among deleted: Set<ObjectID>) {
    guard let row = rows.rows.removeValue(forKey: id) else { return }
    result.deletedRows.append(row)
    for (relationship, destination) in zip(rows.entities[id.entityName]?.toOne ?? [], row.toOne) {
      if let destination, rows.rows[destination] == nil, !deleted.contains(destination) {
        result.missingDestinations[id, default: []].insert(relationship.name)
      }
    }
    for relationship in (rows.entities[id.entityName]?.relationships ?? [:]).values
    where relationship.kind != .toOne {
      let end = RelationshipEnd(id, relationship.name)
      for other in rows.links[end] ?? [] {
        if relationship.kind == .links {
          result.deletedLinks.append(ObjectLink(relationship.name, from: id, to: other))
          if let inverse = relationship.inverse {
            rows.links[RelationshipEnd(other, inverse.name)]?.removeAll { $0 == id }
          }
        }
      }
      rows.links[end] = nil
    }
  }

  /// Removes deleted objects from the to-many relationships without an inverse that lead to them.
  private mutating func unlinkFromOwners(of deleted: Set<ObjectID>) {
    if deleted.isEmpty { return }
    for (end, others) in rows.links {
      let relationship = rows.entities[end.id.entityName]?.relationships[end.name]
      guard relationship?.kind == .links, relationship?.inverse == nil else { continue }
      let leaving = others.filter(deleted.contains)
      if leaving.isEmpty { continue }
      result.deletedLinks += leaving.map { ObjectLink(end.name, from: end.id, to: $0) }
      let staying = others.filter { !deleted.contains($0) }
      rows.links[end] = staying.isEmpty ? nil : staying
    }
  }

  private mutating func set(_ link: ObjectLink, isLinked: Bool) {
    let (source, destination) = (permanent(link.source), permanent(link.destination))
    guard let relationship = rows.entities[source.entityName]?.relationships[link.relationshipName]
    else { return }
    var ends = [(RelationshipEnd(source, relationship.name), destination)]
    if relationship.kind == .links, let inverse = relationship.inverse {
      ends.append((RelationshipEnd(destination, inverse.name), source))
    }
    for (end, other) in ends {
      var list = rows.links[end] ?? []
      // Links that are listed again are reordered as listed.
      if isLinked, end.id == source || !list.contains(other) {
        list.removeAll { $0 == other }
        list.append(other)
      } else if !isLinked {
        list.removeAll { $0 == other }
      }
      rows.links[end] = list.isEmpty ? nil : list
    }
  }

  private func checkUniqueness(of changes: [RowChange], _ doing: String) throws(StoreError) {
    let temporary = Dictionary(firstOf: result.permanentIDs.map { ($0.value, $0.key) })
    let changed = Set(changes.map { permanent($0.id) })
    let constrained = Set(changes.map(\.id.entityName)).sorted()
      .compactMap(rows.model.entity(named:))
    for entity in constrained {
      for names in entity.uniquenessConstraints {
        let declarer = rows.model.entityName(declaring: names, for: entity.name)
        let family = Set(rows.model.entityNames(inheritingFrom: declarer))
        var seen: [[Value]: ObjectID] = [:]
        let members = rows.rows.values.filter { family.contains($0.id.entityName) }
        // Changed objects last: the error is about the first of them that repeats a value.
        let unchanged = members.filter { !changed.contains($0.id) }
        let rest = members.filter { changed.contains($0.id) }.sorted { $0.id < $1.id }
        for row in unchanged + rest {
          guard let own = rows.entities[row.id.entityName]?.entity else { continue }
          let values = names.map { Self.value(of: $0, in: row, own) }
          guard !values.contains(.null) else { continue }
          if let other = seen.updateValue(row.id, forKey: values) {
            // The keys of new objects were only given in this save, which is refused.
            let ids = [row.id, other].map { temporary[$0] ?? $0 }
            throw StoreError(
              .constraint, doing: doing, subject: entity.name,
              detail: "\(names.joined(separator: ", ")) must be unique", objectIDs: ids)
          }
        }
      }
    }
  }

  /// What a constraint compares: an attribute's value or a to-one's destination.
  private static func value(of name: String, in row: RowSnapshot, _ entity: EntityDescription)
    -> Value
  {
    if let index = entity.attributeIndex(name) { return row.value(at: index) }
    let destination = entity.toOneIndex(name).flatMap { row.destination(at: $0) }
    return destination.map { .string($0.uriRepresentation) } ?? .null
  }
}

extension InMemoryRows {
  /// The rows with derived attributes.
  ///
  /// - Parameter doing: The work, for errors.
  /// - Returns: The rows.
  /// - Throws: ``StoreError`` if values that are to be unique are not.
  package func checked(doing: String) throws(StoreError) -> InMemoryRows {
    try InMemorySave.checked(self, doing)
  }
}
