/// What a predicate is matched against: an object whose keys can be read.
public protocol PredicateSubject {
  /// The object's ID; two subjects are the same object when their IDs are equal.
  var objectID: ObjectID { get }

  /// Reads an attribute or a relationship.
  ///
  /// - Parameter key: Its name.
  /// - Returns: A decoded value, an object, or a collection; ``PredicateOperand/missing`` when there is no such key.
  func operand(forKey key: String) -> PredicateOperand
}

/// What an expression of a predicate comes to.
public enum PredicateOperand {
  /// A decoded value.
  case value(Value)
  /// An object, the destination of a to-one relationship.
  case object(any PredicateSubject)
  /// Objects, the destinations of a to-many relationship.
  case collection([any PredicateSubject])
  /// Values or objects, such as a list.
  case values([PredicateOperand])
  /// No such key; counts as null.
  case missing
}
