/// The static type of an expression, as far as the model determines it.
enum PredicateType {
  /// A value of an attribute.
  case attribute(AttributeDescription)
  /// A computed value.
  case value
  /// An object of an entity.
  case object(EntityDescription)
  /// A collection reached through a to-many relationship.
  indirect case collection(of: PredicateType)
  /// Unknown, as for a literal or a variable.
  case unknown

  var isCollection: Bool { if case .collection = self { true } else { false } }

  /// The type of a collection's members; any other type itself.
  var member: PredicateType { if case .collection(let member) = self { member } else { self } }

  /// The type of a collection with such members; nested collections are flattened.
  var collected: PredicateType { isCollection ? self : .collection(of: self) }
}
