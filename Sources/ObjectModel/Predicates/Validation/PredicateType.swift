/// What an expression is of, as far as the model tells.
enum PredicateType {
  /// A value of an attribute.
  case attribute(AttributeDescription)
  /// A value of a kind that a function gives.
  case value
  /// An object of an entity.
  case object(EntityDescription)
  /// What is found through a to-many.
  indirect case collection(of: PredicateType)
  /// Nothing is known: a literal, a variable.
  case unknown

  var isCollection: Bool { if case .collection = self { true } else { false } }

  /// What the members of a collection are; what is no collection is its own member.
  var member: PredicateType { if case .collection(let member) = self { member } else { self } }

  /// The collection of such things; collections of collections are one.
  var gathered: PredicateType { isCollection ? self : .collection(of: self) }
}
