import ObjectModel
import OrderedCollections

extension ManagedObjectContext {
  /// The objects that stay and lead to an object whose deletion is not saved by a to-one relationship
  /// without inverse, which no delete rule sets to nil.
  ///
  /// - Returns: The objects, by the relationship as the entity that declares it has it.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  /// - Complexity: One query for each such relationship to an entity of deleted objects.
  func danglingEnds() throws -> EffectsByRelationship {
    let deleted = pending.ids(where: \.isDeleted).sorted()
    var found: EffectsByRelationship = [:]
    guard !deleted.isEmpty else { return found }
    for entity in model.entities {
      let above = entity.superentityName.flatMap(model.entity(named:))
      for relationship in info(for: entity.name).toOne
      where relationship.inverse == nil && above?.relationship(named: relationship.name) == nil {
        let names = Set(
          model.entityNames(inheritingFrom: relationship.description.destinationEntityName))
        let targets = deleted.filter { names.contains($0.entityName) }
        guard !targets.isEmpty else { continue }
        found.add(try sources(of: relationship, leadingTo: targets), to: relationship.fullName)
      }
    }
    return found
  }

  /// The objects that lead to some objects of the store by a to-one relationship, with unsaved
  /// changes.
  private func sources(of relationship: RelationshipInfo, leadingTo targets: [ObjectID]) throws
    -> [ObjectID]
  {
    let condition = FetchPredicate.Comparison(
      .keyPath([relationship.name]), .in, .list(targets.map { .object($0) }))
    let plan = FetchPlan(
      entityName: relationship.entityName,
      predicate: try FetchPredicate(.comparison(condition))
        .validated(forEntity: relationship.entityName, in: model))
    let stored = try reading("following \(relationship.fullName)") { store throws(StoreError) in
      try store.fetch(plan, control: nil)
    }.ids
    var sources = Set(stored.filter { !pending.contains($0) })
    let names = Set(model.entityNames(inheritingFrom: relationship.entityName))
    let isTarget = Set(targets).contains
    for (id, change) in pending where names.contains(id.entityName) {
      guard let index = toOneIndex(relationship.name, of: id),
        let destination = change.current?.destination(at: index), isTarget(destination)
      else { continue }
      sources.insert(id)
    }
    return sources.sorted()
  }
}
