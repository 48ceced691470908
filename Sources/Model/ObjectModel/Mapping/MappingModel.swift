/// How the objects of one version of a model become those of another, entity by entity: Core Data's
/// `NSMappingModel`.
///
/// Begin with what can be inferred, and change the mappings of the entities that need more:
///
///     var mapping = MappingModel(inferredFrom: first, to: second)
///     mapping["PersonToPerson"]?.values = { person in
///       ["mail": .string("\(person["name"])@example.com")]
///     }
///     let plan = MigrationPlan([.init("1", first), .init("2", second, mapping: mapping)])
///     try plan.migrate(path: path)
public struct MappingModel: Sendable {
  /// The mappings of entities, in the order in which they are carried out.
  public var entityMappings: [EntityMapping]

  /// Makes a mapping model.
  ///
  /// - Parameter entityMappings: The mappings, in the order in which they are carried out.
  public init(_ entityMappings: [EntityMapping]) { self.entityMappings = entityMappings }

  /// The mapping with a name; setting another one adds it, setting nil removes it.
  public subscript(name: String) -> EntityMapping? {
    get { entityMappings.first { $0.name == name } }
    set {
      let index = entityMappings.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let mapping?): entityMappings[index] = mapping
      case (let index?, nil): entityMappings.remove(at: index)
      case (nil, let mapping?): entityMappings.append(mapping)
      case (nil, nil): break
      }
    }
  }

  /// Makes the mapping that can be inferred: see ``ModelDifference``.
  ///
  /// What cannot be inferred is empty in it. The mappings are named `PersonToPerson`.
  ///
  /// - Parameters:
  ///   - source: The model of the objects that there are.
  ///   - destination: The model that they are to have.
  public init(inferredFrom source: ManagedObjectModel, to destination: ManagedObjectModel) {
    entityMappings = VersionPairs<EntityDescription>(from: source, to: destination).pairs
      .compactMap { before, after in
        guard let before, let after, !before.isAbstract, !after.isAbstract else { return nil }
        var mapping = EntityMapping(before.name, to: after.name)
        for case let (old?, new?) in VersionPairs<AttributeDescription>(from: before, to: after)
          .pairs where new.details.derivation == nil
        {
          mapping.attributeMappings.append(PropertyMapping(new.name, copying: old.name))
        }
        for case let (old?, new?) in VersionPairs<RelationshipDescription>(
          from: before, to: after
        ).pairs {
          mapping.relationshipMappings.append(PropertyMapping(new.name, following: old.name))
        }
        return mapping
      }
  }
}
