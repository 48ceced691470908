package import ObjectModel

extension ManagedObjectContext {
  /// Reads the objects that relationships of some objects lead to: one query for the links of each
  /// to-many relationship, and one for the rows that it leads to, however many objects there are.
  ///
  /// Rows that are cached are not read again. No more is kept than the context keeps of rows whose
  /// objects nobody references: of very many objects prefetch those that are used next.
  ///
  /// - Parameters:
  ///   - keyPaths: Key paths of relationships. A relationship that several have in common is read
  ///     once.
  ///   - ids: The objects.
  /// - Throws: ``ManagedObjectError`` if a relationship does not exist, or the store cannot be read.
  package func prefetch(relationships keyPaths: [String], of ids: [ObjectID]) throws {
    guard !ids.isEmpty else { return }
    try prefetch(ids)
    var read: [[String]: [ObjectID]] = [[]: ids]
    for keyPath in keyPaths {
      guard let names = KeyPathText.components(of: keyPath) else {
        throw unknownRelationship(keyPath, of: ids)
      }
      for (depth, name) in names.enumerated() {
        let path = Array(names[...depth])
        guard read[path] == nil, let sources = read[Array(path.dropLast())] else { continue }
        read[path] = try destinations(prefetching: name, of: sources)
      }
    }
  }

  /// The objects that a relationship leads to from some objects, after reading their rows.
  private func destinations(
    prefetching name: String, of sources: [ObjectID]
  ) throws -> [ObjectID] {
    var found: [ObjectID] = []
    var seen: Set<ObjectID> = []
    var isKnown = sources.isEmpty
    for (entityName, ids) in DeletionPlanner.byEntity(sources) {
      // Only some subentities may have the relationship.
      guard let relationship = info(for: entityName).relationships[name] else { continue }
      isKnown = true
      let destinations = try destinationIDs(of: relationship, from: ids)
      for id in ids { found += (destinations[id] ?? []).filter { seen.insert($0).inserted } }
    }
    guard isKnown else { throw unknownRelationship(name, of: sources) }
    try prefetch(found)
    return found
  }

  private func unknownRelationship(_ name: String, of ids: [ObjectID]) -> ManagedObjectError {
    let entityName = ids.first?.entityName ?? ""
    return .unknownKey(
      name, among: info(for: entityName).entity.relationships.map(\.name),
      doing: "prefetching \(name)", subject: entityName)
  }
}

extension FetchRequest {
  /// Prefetches a relationship: `request.prefetch(DVD.owner)`.
  public mutating func prefetch<Destinations>(
    _ relationship: RelationshipKey<Object, Destinations>
  ) { relationshipKeyPathsForPrefetching.append(relationship.keyPath) }
}
