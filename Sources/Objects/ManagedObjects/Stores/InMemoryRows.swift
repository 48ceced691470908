import ObjectModel

/// The rows and links of a store in memory.
///
/// It is a value: a copy is a snapshot.
struct InMemoryRows: StoredRows {
  let model: ManagedObjectModel
  let storeIdentifier: String
  var rows: [ObjectID: RowSnapshot] = [:]
  /// Destinations in order, at both ends of relationships that are stored as links.
  var links: [RelationshipEnd: [ObjectID]] = [:]
  /// The highest key of each root entity.
  var lastKeys: [String: Int64] = [:]
  var lastVersion: UInt64 = 0
  let infos: [String: EntityInfo]

  init(model: ManagedObjectModel, storeIdentifier: String) {
    self.model = model
    self.storeIdentifier = storeIdentifier
    infos = Dictionary(firstOf: model.entities.map { ($0.name, EntityInfo($0, in: model)) })
  }

  var objectIDs: some Collection<ObjectID> { rows.keys }

  func row(of id: ObjectID) -> RowSnapshot? { rows[id] }

  func destinations(of name: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    guard let first = ids.first else { return [:] }
    guard let relationship = infos[first.entityName]?.relationships[name] else {
      throw StoreError(
        .unknownName, doing: "reading a relationship", subject: "\(first.entityName).\(name)")
    }
    var found: [ObjectID: [ObjectID]] = [:]
    switch relationship.kind {
    case .toOne:
      for id in ids {
        if let destination = destination(of: name, from: id) { found[id] = [destination] }
      }
    case .toManyByInverse: found = sources(of: relationship, leadingTo: Set(ids))
    case .links: break
    }
    if relationship.kind != .toOne {
      for id in ids {
        found[id] = ordered(found[id] ?? [], RelationshipEnd(id, name), relationship)
      }
    }
    return found
  }

  private func sources(of relationship: RelationshipInfo, leadingTo ids: Set<ObjectID>)
    -> [ObjectID: [ObjectID]]
  {
    guard let inverse = relationship.inverse else { return [:] }
    let entities = Set(
      model.entityNames(inheritingFrom: relationship.description.destinationEntityName))
    var found: [ObjectID: [ObjectID]] = [:]
    for id in rows.keys where entities.contains(id.entityName) {
      if let destination = destination(of: inverse.name, from: id), ids.contains(destination) {
        found[destination, default: []].append(id)
      }
    }
    return found
  }

  private func ordered(
    _ found: [ObjectID], _ end: RelationshipEnd, _ relationship: RelationshipInfo
  ) -> [ObjectID]? {
    let linked = links[end] ?? []
    let contents: [ObjectID]
    if relationship.kind == .links {
      contents = relationship.description.isOrdered ? linked : linked.sorted()
    } else {
      let members = Set(found)
      let ordered = relationship.description.isOrdered ? linked.filter(members.contains) : []
      contents = ordered + found.filter { !ordered.contains($0) }.sorted()
    }
    return contents.isEmpty ? nil : contents
  }
}

extension RowSnapshot {
  /// Truncates long text and bytes, as stores do.
  func cut(to length: Int) -> RowSnapshot {
    guard length < .max else { return self }
    var row = self
    for (index, value) in values.enumerated() {
      switch value {
      case .string(let text) where text.utf8.count > length:
        // No character is cut in two.
        let whole = (max(0, length - 3)...length).reversed().lazy
          .compactMap { String(text.utf8.prefix($0)) }.first
        row.values[index] = .string(whole ?? "")
        row.cutLengths[index] = text.utf8.count
        row.longHashes[index] = value.longHash
      case .data(let data) where data.count > length:
        row.values[index] = .data(data.prefix(length))
        row.cutLengths[index] = data.count
        row.longHashes[index] = value.longHash
      default: continue
      }
    }
    return row
  }
}
