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
      let above = model.superentity(of: entity)
      for relationship in info(for: entity.name).toOne
      where relationship.inverse == nil && above?.relationship(named: relationship.name) == nil {
        let names = Set(
          model.entityNames(inheritingFrom: relationship.description.destinationEntityName))
        let targets = deleted.filter { names.contains($0.entityName) }
        guard !targets.isEmpty else { continue }
        let stored = try storedSources(of: relationship, leadingTo: targets)
        let sources = Set(stored.filter { !pending.contains($0) })
          .union(unsavedSources(of: relationship, leadingTo: Set(targets)))
        found.add(sources.sorted(), to: relationship.fullName)
      }
    }
    return found
  }
}
