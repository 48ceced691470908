/// Gathers the entities of a model written in code; see ``ManagedObjectModel/init(_:)``.
@resultBuilder
public enum ModelBuilder {
  /// The entities of a block.
  public static func buildBlock(_ entities: Entity...) -> [Entity] { entities }
}

/// Gathers the members of an entity written in code.
@resultBuilder
public enum EntityBuilder {
  /// The members of a block.
  public static func buildBlock(_ members: any EntityMember...) -> [any EntityMember] { members }
}

/// What an entity is made of: ``Attribute``, ``ToOne``, ``ToMany`` or ``Unique``.
public protocol EntityMember: Sendable {
  /// Adds itself to an entity that is being made.
  func add(to entity: inout Entity)
}

extension ManagedObjectModel {
  /// Makes a model in code.
  ///
  ///     ManagedObjectModel {
  ///       Entity("Person") {
  ///         Attribute("name", .string, isOptional: false)
  ///         ToMany("dvds", "DVD", inverse: "owner", deleteRule: .cascade)
  ///       }
  ///       Entity("DVD") {
  ///         Attribute("title", .string)
  ///         ToOne("owner", "Person", inverse: "dvds")
  ///       }
  ///     }
  ///
  /// An entity that extends another gets that one's properties before its own. Call ``validate()`` to check the whole.
  ///
  /// - Parameter entities: The entities, in any order.
  public init(@ModelBuilder _ entities: () -> [Entity]) {
    let written = entities()
    let byName = Dictionary(written.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.init(entities: written.map { $0.description(among: byName) })
  }
}

/// An entity of a model written in code.
public struct Entity: Sendable {
  let name: String
  let superentityName: String?
  let isAbstract: Bool
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  var uniquenessConstraints: [[String]] = []

  /// Describes an entity.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - superentityName: The entity it inherits from.
  ///   - isAbstract: Whether it has no objects of its own.
  ///   - members: What it has beside what it inherits.
  public init(
    _ name: String, extends superentityName: String? = nil, isAbstract: Bool = false,
    @EntityBuilder _ members: () -> [any EntityMember] = { [] }
  ) {
    self.name = name
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    for member in members() { member.add(to: &self) }
  }

  /// The description, inherited properties first.
  fileprivate func description(among entities: [String: Entity]) -> EntityDescription {
    var line = [self]
    var names: Set<String> = [name]
    while let next = line[0].superentityName.flatMap({ entities[$0] }),
      names.insert(next.name).inserted
    {
      line.insert(next, at: 0)
    }
    return EntityDescription(
      name: name, superentityName: superentityName, isAbstract: isAbstract,
      attributes: line.flatMap(\.attributes), relationships: line.flatMap(\.relationships),
      uniquenessConstraints: line.flatMap(\.uniquenessConstraints))
  }
}

/// An attribute of an entity written in code.
public struct Attribute: EntityMember {
  private let description: AttributeDescription

  /// Describes an attribute.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: The type of its values.
  ///   - isOptional: Whether nil is allowed.
  ///   - defaultValue: The value of a new object.
  ///   - encoding: How values are stored; nil for the usual encoding of the type.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true,
    default defaultValue: Value = .null,
    encoding: ValueEncoding? = nil
  ) {
    description = AttributeDescription(
      name, type, encoding: encoding, isOptional: isOptional, defaultValue: defaultValue)
  }

  /// Adds the attribute.
  public func add(to entity: inout Entity) { entity.attributes.append(description) }
}

/// A relationship to one object, of an entity written in code.
public struct ToOne: EntityMember {
  private let description: RelationshipDescription

  /// Describes a relationship to one object.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destination: The entity at the other end.
  ///   - inverse: The relationship back.
  ///   - isOptional: Whether it may be nil.
  ///   - deleteRule: What happens to the destination when the source is deleted.
  public init(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) {
    description = RelationshipDescription(
      name, to: destination, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule)
  }

  /// Adds the relationship.
  public func add(to entity: inout Entity) { entity.relationships.append(description) }
}

/// A relationship to many objects, of an entity written in code.
public struct ToMany: EntityMember {
  private let description: RelationshipDescription

  /// Describes a relationship to many objects.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destination: The entity at the other end.
  ///   - inverse: The relationship back; a to-many too for many-to-many.
  ///   - isOrdered: Whether the objects have an order of their own.
  ///   - isOptional: Whether it may be empty.
  ///   - deleteRule: What happens to the destinations when the source is deleted.
  public init(
    _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false,
    isOptional: Bool = true, deleteRule: DeleteRule = .nullify
  ) {
    description = RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered,
      isOptional: isOptional, deleteRule: deleteRule,
      details: RelationshipDetails(minCount: isOptional ? 0 : 1))
  }

  /// Adds the relationship.
  public func add(to entity: inout Entity) { entity.relationships.append(description) }
}

/// Attributes whose values are unique together, of an entity written in code.
public struct Unique: EntityMember {
  private let attributes: [String]

  /// Names the attributes.
  ///
  /// - Parameter attributes: Their names.
  public init(_ attributes: String...) { self.attributes = attributes }

  /// Adds the constraint.
  public func add(to entity: inout Entity) { entity.uniquenessConstraints.append(attributes) }
}
