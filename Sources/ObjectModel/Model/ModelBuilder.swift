/// The result builder of ``ManagedObjectModel/init(_:)``, with loops and conditions.
@resultBuilder
public enum ModelBuilder {
  /// Takes one.
  public static func buildExpression(_ part: Entity) -> [Entity] { [part] }
  /// Takes those that were made elsewhere.
  public static func buildExpression(_ parts: [Entity]) -> [Entity] { parts }
  /// Collects those of a block.
  public static func buildBlock(_ parts: [Entity]...) -> [Entity] { parts.flatMap(\.self) }
  /// Collects those of a loop.
  public static func buildArray(_ parts: [[Entity]]) -> [Entity] { parts.flatMap(\.self) }
  /// Takes those of an `if` without `else`.
  public static func buildOptional(_ parts: [Entity]?) -> [Entity] { parts ?? [] }
  /// Takes those of an `if`.
  public static func buildEither(first parts: [Entity]) -> [Entity] { parts }
  /// Takes those of an `else`.
  public static func buildEither(second parts: [Entity]) -> [Entity] { parts }
}

/// The result builder of ``Entity``, with loops and conditions.
@resultBuilder
public enum EntityBuilder {
  /// Takes one.
  public static func buildExpression(_ part: any EntityMember) -> [any EntityMember] { [part] }
  /// Takes those that were made elsewhere.
  public static func buildExpression(_ parts: [any EntityMember]) -> [any EntityMember] { parts }
  /// Collects those of a block.
  public static func buildBlock(_ parts: [any EntityMember]...) -> [any EntityMember] {
    parts.flatMap(\.self)
  }
  /// Collects those of a loop.
  public static func buildArray(_ parts: [[any EntityMember]]) -> [any EntityMember] {
    parts.flatMap(\.self)
  }
  /// Takes those of an `if` without `else`.
  public static func buildOptional(_ parts: [any EntityMember]?) -> [any EntityMember] {
    parts ?? []
  }
  /// Takes those of an `if`.
  public static func buildEither(first parts: [any EntityMember]) -> [any EntityMember] { parts }
  /// Takes those of an `else`.
  public static func buildEither(second parts: [any EntityMember]) -> [any EntityMember] { parts }
}

/// A member of an ``Entity``: an ``Attribute``, ``ToOne``, ``ToMany`` or ``Unique``.
public protocol EntityMember: Sendable {
  /// Adds itself to an entity.
  func add(to entity: inout Entity)
}

extension ManagedObjectModel {
  /// Creates a model in code.
  ///
  ///     let model = ManagedObjectModel {
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
  /// An entity with a super-entity gets the inherited properties before its own. Call
  /// ``validate()`` to check the model.
  ///
  /// - Parameter entities: The entities, in any order.
  public init(@ModelBuilder _ entities: () -> [Entity]) {
    let written = entities()
    let byName = Dictionary(firstOf: written.map { ($0.name, $0) })
    self.init(entities: written.map { $0.description(among: byName) })
  }
}

/// An entity of a model that is created in code.
public struct Entity: Sendable {
  let name: String
  let superentityName: String?
  let isAbstract: Bool
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  var uniquenessConstraints: [[String]] = []

  /// Creates an entity.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - superentityName: The name of the super-entity; nil for a root entity.
  ///   - isAbstract: Whether only its sub-entities have objects.
  ///   - members: Its own attributes, relationships and uniqueness constraints.
  public init(
    _ name: String, extends superentityName: String? = nil, isAbstract: Bool = false,
    @EntityBuilder _ members: () -> [any EntityMember] = { [] }
  ) {
    self.name = name
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    for member in members() { member.add(to: &self) }
  }

  /// The entity description, with inherited properties first.
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

/// An attribute of an ``Entity``.
public struct Attribute: EntityMember {
  private let description: AttributeDescription

  /// Creates an attribute.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: The type of its values.
  ///   - isOptional: Whether the value may be null.
  ///   - defaultValue: The default value of a new object.
  ///   - encoding: How values are stored; nil for the default encoding of the type.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true,
    default defaultValue: Value = .null,
    encoding: ValueEncoding? = nil
  ) {
    description = AttributeDescription(
      name, type, encoding: encoding, isOptional: isOptional, defaultValue: defaultValue)
  }

  /// Adds the attribute to an entity.
  public func add(to entity: inout Entity) { entity.attributes.append(description) }
}

/// A to-one relationship of an ``Entity``.
public struct ToOne: EntityMember {
  private let description: RelationshipDescription

  /// Creates a to-one relationship.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destination: The name of the destination entity.
  ///   - inverse: The name of the inverse relationship; nil for none.
  ///   - isOptional: Whether it may be nil.
  ///   - deleteRule: What happens to the destination when the source object is deleted.
  public init(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) {
    description = RelationshipDescription(
      name, to: destination, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule)
  }

  /// Adds the relationship to an entity.
  public func add(to entity: inout Entity) { entity.relationships.append(description) }
}

/// A to-many relationship of an ``Entity``.
public struct ToMany: EntityMember {
  private let description: RelationshipDescription

  /// Creates a to-many relationship.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destination: The name of the destination entity.
  ///   - inverse: The name of the inverse relationship; nil for none. If it is a to-many, the
  ///     relationship is many-to-many.
  ///   - isOrdered: Whether the relationship is ordered.
  ///   - isOptional: Whether it may be empty.
  ///   - deleteRule: What happens to the destinations when the source object is deleted.
  public init(
    _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false,
    isOptional: Bool = true, deleteRule: DeleteRule = .nullify
  ) {
    description = RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered,
      isOptional: isOptional, deleteRule: deleteRule,
      details: RelationshipDetails(minCount: isOptional ? 0 : 1))
  }

  /// Adds the relationship to an entity.
  public func add(to entity: inout Entity) { entity.relationships.append(description) }
}

/// A uniqueness constraint of an ``Entity``.
public struct Unique: EntityMember {
  private let attributes: [String]

  /// Creates a uniqueness constraint.
  ///
  /// - Parameter attributes: The names of the attributes whose combined values are unique.
  public init(_ attributes: String...) { self.attributes = attributes }

  /// Adds the constraint to an entity.
  public func add(to entity: inout Entity) { entity.uniquenessConstraints.append(attributes) }
}
