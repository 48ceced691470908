/// An entity of a model that is created in code.
public struct Entity: Hashable, Sendable {
  package let name: String
  package let superentityName: String?
  var isAbstract: Bool
  package var attributes: [AttributeDescription] = []
  package var relationships: [RelationshipDescription] = []
  package var uniquenessConstraints: [[String]] = []
  /// Without inherited parts.
  package var details = EntityDetails()
  /// The fetch request templates, by name.
  var fetchRequestTemplates: [String: FetchRequestTemplate] = [:]
  /// The typed keys by which members are declared.
  package var keys: [DeclaredKey] = []

  /// Creates an entity.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - superentityName: The name of the super-entity; nil for a root entity.
  ///   - isAbstract: Whether only its sub-entities have objects.
  ///   - members: Its own attributes, relationships, constraints and indexes.
  public init(
    _ name: String, extends superentityName: String? = nil, isAbstract: Bool = false,
    @ModelBuilder<any EntityMember> _ members: () -> [any EntityMember] = { [] }
  ) {
    self.name = name
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    for member in members() { member.add(to: &self) }
  }

  /// The entity description, with inherited properties first.
  func description(among entities: [String: Entity]) -> EntityDescription {
    var line = [self]
    var names: Set<String> = [name]
    while let next = line[0].superentityName.flatMap({ entities[$0] }),
      names.insert(next.name).inserted
    {
      line.insert(next, at: 0)
    }
    var details = details
    details.transientAttributes = line.flatMap(\.details.transientAttributes)
    details.fetchedProperties = line.flatMap(\.details.fetchedProperties)
    return EntityDescription(
      name: name, superentityName: superentityName, isAbstract: isAbstract,
      attributes: line.flatMap(\.attributes), relationships: line.flatMap(\.relationships),
      uniquenessConstraints: line.flatMap(\.uniquenessConstraints), details: details)
  }
}

/// A typed key by which a property is declared, with what the compiler knows of it.
package struct DeclaredKey: Hashable, Sendable {
  /// The key path as text: a name, unless the key leads through relationships.
  package var keyPath: String
  /// Whether it leads through relationships, so that it cannot be declared.
  package var isPath: Bool
  /// The class of the key's objects.
  package var owner: ObjectIdentifier
  /// The name of that class.
  package var ownerName: String
  /// The class of a relationship's destinations; nil for an attribute.
  package var destination: Destination?

  /// The class of a relationship's destinations.
  package struct Destination: Hashable, Sendable {
    package var className: String
    /// Whether the class has an entity of its own.
    package var isEntityClass: Bool

    package init(className: String, isEntityClass: Bool) {
      self.className = className
      self.isEntityClass = isEntityClass
    }
  }

  package init(
    keyPath: String, isPath: Bool, owner: ObjectIdentifier, ownerName: String,
    destination: Destination? = nil
  ) {
    self.keyPath = keyPath
    self.isPath = isPath
    self.owner = owner
    self.ownerName = ownerName
    self.destination = destination
  }
}
