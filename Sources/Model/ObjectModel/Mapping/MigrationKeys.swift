/// Gives the new objects of a migration their keys: that of the object that one is made of where no
/// other has it, else one that no object has had.
package struct MigrationKeys {
  let storeIdentifier: String
  /// Whether no two objects have the same key, of whatever entities they are.
  let sharesKeys: Bool
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  /// The root entity of the source whose objects keep their keys, by that of the destination.
  private var owners: [String: String] = [:]
  private var taken: [String: Set<ObjectKey>] = [:]
  /// The highest keys, by root entity of the destination.
  private(set) var lastKeys: [String: Int64] = [:]

  /// Plans keys.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - source: The model of the objects that there are.
  ///   - destination: The model that they are to have.
  ///   - storeIdentifier: The identifier of their store.
  ///   - lastKeys: The highest key of each root entity of the source; with `sharesKeys` that of "".
  ///   - sharesKeys: Whether no two objects have the same key.
  package init(
    _ mapping: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    storeIdentifier: String, lastKeys: [String: Int64], sharesKeys: Bool = false
  ) {
    (self.source, self.destination) = (source, destination)
    (self.storeIdentifier, self.sharesKeys) = (storeIdentifier, sharesKeys)
    for entityMapping in mapping.entityMappings {
      guard let before = entityMapping.sourceEntityName,
        let after = entityMapping.destinationEntityName
      else { continue }
      let (old, new) = (root(of: before, in: source), root(of: after, in: destination))
      if owners[new] == nil { owners[new] = old }
      self.lastKeys[new] = max(self.lastKeys[new] ?? 0, lastKeys[old] ?? 0)
    }
    // What had the name of a new entity's table has had keys too.
    for entity in destination.entities {
      let root = root(of: entity.name, in: destination)
      self.lastKeys[root] = max(self.lastKeys[root] ?? 0, lastKeys[root] ?? 0)
    }
  }

  /// Plans keys for rows in memory.
  package init(_ mapping: MappingModel, from rows: InMemoryRows, to destination: ManagedObjectModel)
  {
    self.init(
      mapping, from: rows.model, to: destination, storeIdentifier: rows.storeIdentifier,
      lastKeys: rows.lastKeys, sharesKeys: rows.sharesKeys)
  }

  private func root(of entityName: String, in model: ManagedObjectModel) -> String {
    sharesKeys ? "" : model.line(of: entityName).last ?? entityName
  }

  /// Whether objects that are made by a mapping keep the keys of their sources.
  package func keepsKeys(_ mapping: EntityMapping) -> Bool {
    guard let before = mapping.sourceEntityName, let after = mapping.destinationEntityName else {
      return false
    }
    return owners[root(of: after, in: destination)] == root(of: before, in: source)
  }

  /// The ID of a new object.
  ///
  /// - Parameters:
  ///   - entity: Its entity.
  ///   - id: That of the object that it is made of; nil for none.
  /// - Returns: The ID, which no other object gets.
  /// - Throws: ``StoreError`` if no keys are left.
  mutating func id(of entity: EntityDescription, from id: ObjectID?) throws(StoreError) -> ObjectID
  {
    let root = root(of: entity.name, in: destination)
    if let id, owners[root] == self.root(of: id.entityName, in: source),
      taken[root, default: []].insert(id.key).inserted
    {
      if case .integer(let key) = id.key { lastKeys[root] = max(lastKeys[root] ?? 0, key) }
      return ObjectID(storeIdentifier: storeIdentifier, entityName: entity.name, key: id.key)
    }
    let (next, overflow) = (lastKeys[root] ?? 0).addingReportingOverflow(1)
    guard !overflow else {
      throw StoreError(
        .unsupported, doing: MigrationManager.doing, subject: entity.name,
        detail: "its keys are used up")
    }
    lastKeys[root] = next
    taken[root, default: []].insert(.integer(next))
    return ObjectID(
      storeIdentifier: storeIdentifier, entityName: entity.name, key: .integer(next))
  }
}
