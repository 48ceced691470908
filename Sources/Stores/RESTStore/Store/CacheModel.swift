import ObjectModel

/// The model of a cache: that of the service without its rules, which the service checks itself,
/// and with the bookkeeping.
///
/// Rows come in any order, so that a row may refer to one that is not there yet: no relationship is
/// a foreign key of the database.
enum CacheModel {
  /// A key of the service that is a text: its row's key is that of the object here.
  static let key = "_RemoteKey"
  /// An entity of the service: when it was listed, and what to ask for changes with.
  static let listing = "_RemoteListing"

  static func model(for service: ManagedObjectModel) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: service.entities.map { relaxed($0, in: service) } + bookkeeping.entities
        + service.entities.filter { $0.superentityName == nil }.map {
          EntityDescription(
            name: version(of: $0.name), attributes: [AttributeDescription("version", .string)])
        })
  }

  /// The entity of the versions of objects, whose rows have the keys of the objects.
  static func version(of root: String) -> String { "_\(root)Version" }

  /// Whether a cache has the model for a service.
  static func fits(_ cache: ManagedObjectModel, _ service: ManagedObjectModel) -> Bool {
    ModelDifference.isEmpty(from: cache, to: model(for: service))
  }

  private static let bookkeeping = ManagedObjectModel {
    Entity(key) {
      Attribute("entity", .string)
      Attribute("key", .string)
      Unique("entity", "key")
    }
    Entity(listing) {
      Attribute("entity", .string, isUnique: true)
      Attribute("completed", .double)
      Attribute("token", .string)
      Attribute("version", .string)
    }
  }

  private static func relaxed(_ entity: EntityDescription, in model: ManagedObjectModel)
    -> EntityDescription
  {
    let attributes = entity.attributes.map {
      AttributeDescription($0.name, $0.type, encoding: $0.encoding)
    }
    var relationships = entity.relationships.map { relationship in
      var relaxed = RelationshipDescription(
        relationship.name, to: relationship.destinationEntityName,
        inverse: relationship.inverseName, isToMany: relationship.isToMany,
        deleteRule: .noAction)
      if relationship.inverseName == nil, !relationship.isToMany {
        relaxed.inverseName = inverseName(
          of: relationship.name, owner(of: relationship, entity, model))
      }
      return relaxed
    }
    // Without an inverse the column would be a foreign key.
    let line = Set(model.line(of: entity.name))
    for source in model.entities {
      for relationship in source.relationships
      where relationship.inverseName == nil && !relationship.isToMany
        && line.contains(relationship.destinationEntityName)
        && owner(of: relationship, source, model) == source.name
      {
        relationships.append(
          RelationshipDescription(
            inverseName(of: relationship.name, source.name), to: source.name,
            inverse: relationship.name, isToMany: true, deleteRule: .noAction))
      }
    }
    return EntityDescription(
      name: entity.name, superentityName: entity.superentityName, isAbstract: entity.isAbstract,
      attributes: attributes, relationships: relationships)
  }

  /// The topmost entity that has a relationship.
  private static func owner(
    of relationship: RelationshipDescription, _ entity: EntityDescription,
    _ model: ManagedObjectModel
  ) -> String {
    model.line(of: entity.name).last {
      model.entity(named: $0)?.relationship(named: relationship.name) != nil
    } ?? entity.name
  }

  private static func inverseName(of relationship: String, _ owner: String) -> String {
    "_\(owner)_\(relationship)"
  }
}
