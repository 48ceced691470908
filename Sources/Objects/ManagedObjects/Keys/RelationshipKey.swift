public import ObjectModel

/// A relationship of a class, with its Swift type.
///
///     final class Disc: ManagedObject, EntityClass {
///       static let entityName = "Disc"
///       static let title = AttributeKey<Disc, String>("title")
///       static let owner = RelationshipKey<Disc, Person?>("owner")
///     }
///
/// It reads and sets, and leads on to the keys of the destination:
///
///     disc[Disc.owner] = ada
///     let predicates = [
///       Disc.owner == ada,
///       Disc.owner.username == "ada",  // a key path through typed keys
///       Person.discs.any.title == "Alien",  // ANY discs.title == "Alien"
///       Person.discs.count > 3,
///     ]
///
/// The key has few members of its own, because each hides an attribute of that name: for an attribute
/// named `keyPath` write `DVD.owner[Person.keyPath]`.
@dynamicMemberLookup
public struct RelationshipKey<Object: ManagedObject, Destinations: RelationshipValue>: Sendable {
  /// The names of to-one relationships, and last that of this one.
  let path: [String]

  /// Creates the key of a relationship.
  ///
  /// - Parameter name: The name of the relationship in the model, not a key path.
  public init(_ name: String) { path = [name] }

  init(path: [String]) { self.path = path }

  /// The key path as text, for what takes key paths as text.
  public var keyPath: String { KeyPathText.text(path) }

  /// The key without its type.
  package var propertyKey: PropertyKey { PropertyKey(path: path) }
}

extension RelationshipKey: PredicateArgument {
  /// The key path as a predicate argument.
  public var predicateArgument: FetchPredicate.Argument { propertyKey.predicateArgument }
}

// To-one relationships.
extension RelationshipKey where Destinations: ToOneValue {
  /// An attribute of the destination.
  public subscript<Owner, Attribute>(
    key: AttributeKey<Owner, Attribute>
  ) -> AttributeKey<Object, Attribute> {
    AttributeKey(path: path + key.path)
  }

  /// A relationship of the destination.
  public subscript<Owner, Next>(
    key: RelationshipKey<Owner, Next>
  ) -> RelationshipKey<Object, Next> {
    RelationshipKey<Object, Next>(path: path + key.path)
  }

  /// An attribute of the destination, by the name of its key.
  public subscript<Owner, Attribute>(
    dynamicMember key: KeyPath<Destinations.Destination.Type, AttributeKey<Owner, Attribute>>
  ) -> AttributeKey<Object, Attribute> {
    self[Destinations.Destination.self[keyPath: key]]
  }

  /// A relationship of the destination, by the name of its key.
  public subscript<Owner, Next>(
    dynamicMember key: KeyPath<Destinations.Destination.Type, RelationshipKey<Owner, Next>>
  ) -> RelationshipKey<Object, Next> {
    self[Destinations.Destination.self[keyPath: key]]
  }

  /// The predicate that the relationship leads to an object; nil: that it leads to no object.
  public static func == (
    lhs: Self, rhs: Destinations.Destination?
  ) -> FetchPredicate { lhs.propertyKey == rhs }

  /// The predicate that the relationship does not lead to an object.
  public static func != (
    lhs: Self, rhs: Destinations.Destination?
  ) -> FetchPredicate { lhs.propertyKey != rhs }

  /// The predicate that the relationship leads to the object of an ID, as from another context.
  public static func == (
    lhs: Self, rhs: ObjectID
  ) -> FetchPredicate { lhs.propertyKey == rhs }

  /// The predicate that the relationship leads to one of some objects.
  public func isIn(
    _ objects: some Sequence<Destinations.Destination>
  ) -> FetchPredicate {
    propertyKey.isIn(FetchPredicate.Argument(list: Array(objects)))
  }
}

// To-many relationships.
extension RelationshipKey where Destinations: ToManyValue {
  /// Any object of the relationship (ANY).
  public var any: QuantifiedKey<Destinations.Destination> { .init(collection: propertyKey.any) }

  /// Every object of the relationship (ALL).
  public var all: QuantifiedKey<Destinations.Destination> { .init(collection: propertyKey.all) }

  /// The number of objects.
  public var count: ComputedKey<Int> { .init(propertyKey: propertyKey.count) }

  /// The predicate that an object is in the relationship.
  public func contains(_ object: Destinations.Destination) -> FetchPredicate {
    propertyKey.any == object
  }

  /// The predicate that the object of an ID is in the relationship, as from another context.
  public func contains(_ id: ObjectID) -> FetchPredicate { propertyKey.any == id }
}

/// Any or every object of a to-many relationship, in a predicate: `Person.dvds.any`.
///
/// Its members are the attributes of the destination: `Person.dvds.any.title == "Alien"`.
@dynamicMemberLookup
public struct QuantifiedKey<Destination: ManagedObject>: Sendable {
  let collection: PropertyKey

  /// An attribute of those objects.
  public subscript<Owner, Attribute>(
    key: AttributeKey<Owner, Attribute>
  ) -> ComputedKey<Attribute> { ComputedKey(propertyKey: collection.appending(key.path)) }

  /// An attribute of those objects, by the name of its key.
  public subscript<Owner, Attribute>(
    dynamicMember key: KeyPath<Destination.Type, AttributeKey<Owner, Attribute>>
  ) -> ComputedKey<Attribute> { self[Destination.self[keyPath: key]] }

  /// The predicate that it is an object: `Person.dvds.any == dvd`.
  public static func == (lhs: Self, rhs: Destination) -> FetchPredicate { lhs.collection == rhs }
}

/// What a predicate computes of a to-many relationship, as its count; it cannot be read from an
/// object.
public struct ComputedKey<Attribute: AttributeValue>: AttributeOperand {
  /// The operand without its type.
  public let propertyKey: PropertyKey
}
