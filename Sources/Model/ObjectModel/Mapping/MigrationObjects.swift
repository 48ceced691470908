/// The new objects of a migration by number: IDs and links are in memory, values in a temporary file
/// but for those of the objects that are being made.
package final class MigrationObjects {
  /// A relationship as the objects of an entity have it.
  ///
  /// It is a class so that its arrays are changed in place.
  final class Relationship {
    let description: RelationshipDescription
    let inverse: RelationshipDescription?
    /// The entities that it may lead to.
    let allowed: Set<String>
    /// Whether its links are stored apart from rows: those that no row has, and ordered ones.
    let hasStoredLinks: Bool
    /// The destinations of a to-one relationship, by the objects of the entity; -1 for none.
    private var toOne: [Int32] = []
    private var toMany: [LinkList?] = []

    init(
      _ description: RelationshipDescription, of entity: EntityDescription,
      in model: ManagedObjectModel
    ) {
      self.description = description
      inverse = model.inverse(of: description)
      allowed = Set(model.entityNames(inheritingFrom: description.destinationEntityName))
      let info = RelationshipInfo(description, of: entity, in: model)
      hasStoredLinks =
        description.isToMany
        && (description.isOrdered || info.kind == .links && info.isCanonical)
    }

    /// The objects of the one with a number, in order.
    func objects(of index: Int) -> [Int32] {
      if description.isToMany {
        return toMany.indices.contains(index) ? toMany[index]?.list ?? [] : []
      }
      return toOne.indices.contains(index) && toOne[index] >= 0 ? [toOne[index]] : []
    }

    func contains(_ object: Int32, of index: Int) -> Bool {
      if description.isToMany {
        return toMany.indices.contains(index) && toMany[index]?.contains(object) == true
      }
      return toOne.indices.contains(index) && toOne[index] == object
    }

    func add(_ object: Int32, to index: Int) {
      if description.isToMany {
        while toMany.count <= index { toMany.append(nil) }
        let list = toMany[index] ?? LinkList()
        list.append(object)
        toMany[index] = list
      } else {
        while toOne.count <= index { toOne.append(-1) }
        toOne[index] = object
      }
    }

    func remove(_ object: Int32, from index: Int) {
      if description.isToMany {
        if toMany.indices.contains(index) { toMany[index]?.remove(object) }
      } else if contains(object, of: index) {
        toOne[index] = -1
      }
    }

    func removeAll(from index: Int) {
      if toMany.indices.contains(index) { toMany[index] = nil }
      if toOne.indices.contains(index) { toOne[index] = -1 }
    }
  }

  /// The objects of a to-many relationship.
  final class LinkList {
    private(set) var list: [Int32] = []
    private var members: Set<Int32>?

    private static let longList = 16

    func contains(_ object: Int32) -> Bool { members?.contains(object) ?? list.contains(object) }

    func append(_ object: Int32) {
      guard !contains(object) else { return }
      list.append(object)
      if members != nil { members?.insert(object) }
      if list.count == Self.longList { members = Set(list) }
    }

    func remove(_ object: Int32) {
      guard contains(object) else { return }
      members?.remove(object)
      list.removeAll { $0 == object }
    }
  }

  /// What the objects of an entity have in common.
  struct Entity {
    let description: EntityDescription
    let relationships: [Relationship]
    let relationshipIndexes: [String: Int]
    let defaults: [Value]
    var count: Int32 = 0
  }

  let model: ManagedObjectModel
  private(set) var entities: [Entity]
  private let entityIndexes: [String: Int]
  private var ids: [ObjectID] = []
  /// The entity of each object, and its number among those of the entity.
  private var places: [(entity: Int32, index: Int32)] = []
  /// Where the values of each object are.
  private var rows: [Int] = []
  private let spilled = SpilledRows()
  /// The values of the objects that are being made or changed.
  private var current: [Int32: [Value]] = [:]
  /// The first failure of a read of the temporary file: a value cannot throw.
  private(set) var error: StoreError?

  init(of model: ManagedObjectModel) {
    self.model = model
    entities = model.entities.map { entity in
      Entity(
        description: entity,
        relationships: entity.relationships.map { Relationship($0, of: entity, in: model) },
        relationshipIndexes: Dictionary(
          firstOf: zip(entity.relationships.map(\.name), entity.relationships.indices)),
        defaults: entity.attributes.map {
          $0.details.derivation == nil ? (try? $0.encode($0.defaultValue)) ?? .null : .null
        })
    }
    entityIndexes = Dictionary(firstOf: zip(model.entities.map(\.name), model.entities.indices))
  }

  /// The number of objects.
  package var count: Int { ids.count }

  func id(of object: Int32) -> ObjectID { ids[Int(object)] }

  func entity(of object: Int32) -> EntityDescription {
    entities[Int(places[Int(object)].entity)].description
  }

  /// Makes an object with its defaults.
  func make(_ id: ObjectID, _ entityName: String) -> Int32 {
    let object = Int32(ids.count)
    let entity = entityIndexes[entityName] ?? 0
    ids.append(id)
    places.append((Int32(entity), entities[entity].count))
    rows.append(-1)
    entities[entity].count += 1
    current[object] = entities[entity].defaults
    return object
  }

  // MARK: Values

  func value(at index: Int, of object: Int32) -> Value {
    if let values = current[object] { return values[index] }
    return read(object)?[index] ?? .null
  }

  func setValue(_ value: Value, at index: Int, of object: Int32) {
    if current[object] == nil { current[object] = read(object).map(Array.init) }
    current[object]?[index] = value
  }

  private func read(_ object: Int32) -> RowValues? {
    do throws(FileError) { return try spilled.row(at: rows[Int(object)]) } catch {
      self.error = self.error ?? StoreError(error, doing: MigrationManager.doing)
      return nil
    }
  }

  /// Writes the values of the objects that were made or changed to the temporary file.
  func flush() throws(StoreError) {
    if let error { throw error }
    for (object, values) in current.sorted(by: { $0.key < $1.key }) {
      do throws(FileError) { rows[Int(object)] = try spilled.add(values) } catch {
        throw StoreError(error, doing: MigrationManager.doing)
      }
    }
    current.removeAll(keepingCapacity: true)
  }

  // MARK: Links

  private func place(_ name: String, of object: Int32) -> (links: Relationship, index: Int)? {
    let (entity, index) = places[Int(object)]
    let found = entities[Int(entity)]
    return found.relationshipIndexes[name].map { (found.relationships[$0], Int(index)) }
  }

  func relationship(_ name: String, of object: Int32) -> RelationshipDescription? {
    place(name, of: object)?.links.description
  }

  /// The entities that a relationship of an object may lead to; empty if it does not have it.
  func allowedEntities(_ name: String, of object: Int32) -> Set<String> {
    place(name, of: object)?.links.allowed ?? []
  }

  /// The objects of a relationship, in the order in which they were set.
  func objects(_ name: String, of object: Int32) -> [Int32] {
    place(name, of: object).map { $0.links.objects(of: $0.index) } ?? []
  }

  /// Sets the objects of a relationship, and the inverse of each; of a to-one the first counts.
  func setObjects(_ objects: [Int32], _ name: String, of object: Int32) {
    guard let (links, index) = place(name, of: object) else { return }
    let inverse = links.inverse
    let wanted = Set(objects)
    for old in links.objects(of: index) where !wanted.contains(old) {
      if let inverse, let (others, place) = place(inverse.name, of: old) {
        others.remove(object, from: place)
      }
    }
    links.removeAll(from: index)
    for other in links.description.isToMany ? objects[...] : objects.prefix(1) {
      links.add(other, to: index)
      guard let inverse, let (others, otherIndex) = place(inverse.name, of: other),
        !others.contains(object, of: otherIndex)
      else { continue }
      if !inverse.isToMany, let former = others.objects(of: otherIndex).first,
        let (theirs, place) = place(name, of: former)
      {
        theirs.remove(other, from: place)
      }
      others.add(object, to: otherIndex)
    }
  }

  // MARK: What is stored

  /// The objects by entity and key.
  package var sorted: [Int32] {
    (0..<Int32(count)).sorted { first, second in
      let names = (entity(of: first).name, entity(of: second).name)
      return names.0 == names.1 ? id(of: first) < id(of: second) : names.0 < names.1
    }
  }

  /// The row of an object, as it is stored.
  package func row(_ object: Int32) throws(StoreError) -> RowSnapshot {
    let values = try values(of: object)
    return RowSnapshot(
      id: id(of: object), version: 0, values: values,
      toOne: entity(of: object).toOneRelationships.map {
        objects($0.name, of: object).first.map(id)
      })
  }

  private func values(of object: Int32) throws(StoreError) -> RowValues {
    if let values = current[object] { return RowValues(values) }
    do throws(FileError) { return try spilled.row(at: rows[Int(object)]) } catch {
      throw StoreError(error, doing: MigrationManager.doing)
    }
  }

  /// The links of the relationships that no row has, and of the ordered ones, those of each together
  /// and in order.
  package func storedLinks(of object: Int32) -> [[ObjectLink]] {
    let (entity, index) = places[Int(object)]
    return entities[Int(entity)].relationships.compactMap { relationship in
      guard relationship.hasStoredLinks else { return nil }
      let list = relationship.objects(of: Int(index))
      return list.isEmpty
        ? nil
        : list.map {
          ObjectLink(relationship.description.name, from: id(of: object), to: id(of: $0))
        }
    }
  }

  /// How many objects have no value or object of what is required, by `Entity.property`; the first
  /// that is missing counts.
  func missing() throws(StoreError) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (number, entity) in entities.enumerated() where entity.count > 0 {
      let attributes = entity.description.attributes.enumerated().filter {
        !$0.element.isOptional && $0.element.details.derivation == nil
      }
      let relationships = entity.description.relationships.filter { !$0.isOptional }
      if attributes.isEmpty, relationships.isEmpty { continue }
      for object in 0..<Int32(count) where Int(places[Int(object)].entity) == number {
        var missing: String?
        if !attributes.isEmpty {
          let values = try values(of: object)
          missing = attributes.first { values.isNull(at: $0.offset) }?.element.name
        }
        missing =
          missing ?? relationships.first { objects($0.name, of: object).isEmpty }?.name
        if let missing { counts["\(entity.description.name).\(missing)", default: 0] += 1 }
      }
    }
    return counts
  }

  /// The rows of a store that has them all in memory.
  func inMemoryRows(_ storeIdentifier: String, sharesKeys: Bool) throws(StoreError) -> InMemoryRows
  {
    var rows: [RowSnapshot] = []
    for object in 0..<Int32(count) { rows.append(try row(object)) }
    return InMemoryRows(
      model: model, storeIdentifier: storeIdentifier, rows: rows,
      links: (0..<Int32(count)).flatMap { storedLinks(of: $0).joined() }, sharesKeys: sharesKeys)
  }
}
