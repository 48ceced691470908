/// The rows and links of a store that has them all in memory, as a value: a copy is a snapshot.
public struct InMemoryRows: StoredRows {
  /// The model of the rows.
  public let model: ManagedObjectModel
  /// The identifier of their store.
  package let storeIdentifier: String
  var rows: [ObjectID: RowSnapshot] = [:]
  /// Destinations in order, at both ends of relationships that are stored as links.
  var links: [RelationshipEnd: [ObjectID]] = [:]
  /// The highest key of each root entity.
  package internal(set) var lastKeys: [String: Int64] = [:]
  /// Whether no two objects have the same key, of whatever entities they are.
  let sharesKeys: Bool
  let entities: [String: InMemoryEntity]

  /// Makes a store's rows.
  ///
  /// - Parameters:
  ///   - model: Their model.
  ///   - storeIdentifier: The identifier of their store, which their IDs have.
  ///   - rows: The rows; of two of one object the first counts. What they have as version is replaced
  ///     by a digest of their values.
  ///   - links: The destinations of to-many relationships that no to-one leads back from, and of
  ///     ordered ones, in order; given from one end or from both.
  public init(
    model: ManagedObjectModel, storeIdentifier: String, rows: some Sequence<RowSnapshot> = [],
    links: some Sequence<ObjectLink> = []
  ) {
    self.init(
      model: model, storeIdentifier: storeIdentifier, rows: rows, links: links, sharesKeys: false)
  }

  /// Makes a store's rows; with `sharesKeys` no two new objects have the same key, of whatever
  /// entities they are.
  package init(
    model: ManagedObjectModel, storeIdentifier: String, rows: some Sequence<RowSnapshot>,
    links: some Sequence<ObjectLink>, sharesKeys: Bool
  ) {
    self.sharesKeys = sharesKeys
    self.model = model
    self.storeIdentifier = storeIdentifier
    entities = Dictionary(firstOf: model.entities.map { ($0.name, InMemoryEntity($0, in: model)) })
    for var row in rows where self.rows[row.id] == nil {
      row.version = row.contentDigest
      self.rows[row.id] = row
      use(row.id)
    }
    for link in links {
      self.links[RelationshipEnd(link.source, link.relationshipName), default: []]
        .append(link.destination)
    }
    // An end that was not given, or not wholly, follows from the other.
    for (end, destinations) in self.links.sorted(by: { $0.key < $1.key }) {
      guard let relationship = entities[end.id.entityName]?.relationships[end.name],
        relationship.kind == .links, let inverse = relationship.inverse
      else { continue }
      for destination in destinations {
        let other = RelationshipEnd(destination, inverse.name)
        if self.links[other]?.contains(end.id) != true {
          self.links[other, default: []].append(end.id)
        }
      }
    }
  }

  /// The rows by key, entity by entity.
  package var storedRows: [RowSnapshot] {
    rows.values.sorted { ($0.id.entityName, $0.id) < ($1.id.entityName, $1.id) }
  }

  /// The objects that there are, in any order.
  public var objectIDs: some Collection<ObjectID> { rows.keys }

  /// See ``StoredRows/row(of:)``.
  public func row(of id: ObjectID) -> RowSnapshot? { rows[id] }

  /// Among what objects the keys of an entity's differ: an entity, or "" for all.
  func keyRoot(of entityName: String) -> String {
    sharesKeys ? "" : model.line(of: entityName).last ?? entityName
  }

  /// Sees to it that no new object gets the key of this one, whether it is there or not.
  package mutating func use(_ id: ObjectID) {
    guard case .integer(let key) = id.key else { return }
    let root = keyRoot(of: id.entityName)
    lastKeys[root] = max(lastKeys[root] ?? 0, key)
  }

  /// See ``StoredRows/destinations(of:from:)``.
  public func destinations(of name: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    guard let first = ids.first else { return [:] }
    guard let relationship = entities[first.entityName]?.relationships[name] else {
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
    let names = Set(
      model.entityNames(inheritingFrom: relationship.description.destinationEntityName))
    var found: [ObjectID: [ObjectID]] = [:]
    for id in rows.keys where names.contains(id.entityName) {
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

/// What the rows of an entity are written by, computed once.
struct InMemoryEntity: Sendable {
  let entity: EntityDescription
  let relationships: [String: RelationshipInfo]
  /// The to-one relationships, in the order of the destinations in a snapshot.
  let toOne: [RelationshipInfo]
  /// The indexes of the foreign-key attributes of each to-one relationship, in the same order.
  let foreignKeys: [[Int]]
  let keyAttributes: [Int]
  /// The derived attributes that can be computed.
  let derived: [DerivedAttribute]

  init(_ entity: EntityDescription, in model: ManagedObjectModel) {
    self.entity = entity
    let all = entity.relationships.map { RelationshipInfo($0, of: entity, in: model) }
    relationships = Dictionary(firstOf: all.map { ($0.name, $0) })
    toOne = all.filter { $0.kind == .toOne }
    foreignKeys = toOne.map { entity.foreignKeyIndexes(of: $0.description) }
    keyAttributes = entity.keyAttributes.compactMap(entity.attributeIndex)
    derived = DerivedAttribute.all(of: entity)
  }
}

extension RowSnapshot {
  /// A digest of the values and destinations, as the version of a row that has no counter: equal in
  /// every process.
  package var contentDigest: UInt64 {
    var digest = RowDigest()
    for value in values {
      switch value {
      case .null: digest.add(kind: 0, 0)
      case .integer(let number): digest.add(kind: 1, UInt64(bitPattern: number))
      case .double(let number): digest.add(kind: 2, number.bitPattern)
      case .string: digest.add(kind: 3, value.longHash ?? 0)
      case .data: digest.add(kind: 4, value.longHash ?? 0)
      default: digest.add(kind: 5, Value.string("\(value)").longHash ?? 0)
      }
    }
    for destination in toOne {
      digest.add(kind: 0, Value.string(destination?.uriRepresentation ?? "").longHash ?? 0)
    }
    return digest.state
  }

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
