/// An object that predicates can be evaluated for.
public protocol PredicateSubject {
  /// The object's ID; subjects with equal IDs are the same object.
  var objectID: ObjectID { get }

  /// Returns the value of an attribute or a relationship.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: A decoded value, an object or a collection; ``PredicateOperand/missing`` if there
  ///   is no such property.
  func operand(forKey key: String) -> PredicateOperand
}

/// The value of an expression in a predicate.
public enum PredicateOperand {
  /// A decoded value.
  case value(Value)
  /// An object, such as the destination of a to-one relationship.
  case object(any PredicateSubject)
  /// Objects, such as the destinations of a to-many relationship.
  case collection([any PredicateSubject])
  /// A list of values or objects.
  case values([PredicateOperand])
  /// A missing key; equivalent to null.
  case missing
}
