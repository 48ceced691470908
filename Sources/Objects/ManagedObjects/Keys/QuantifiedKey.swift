public import ObjectModel

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
