public import ObjectModel

extension ManagedObject: PredicateArgument {
  /// The object as a predicate argument; a predicate with a new object goes on meaning it when a
  /// save has given it a permanent ID.
  public var predicateArgument: FetchPredicate.Argument { .init(objectID) }
}

extension ManagedObject: PredicateSubject {
  /// The operand that a key stands for in a predicate: the value of an attribute, or the
  /// destinations of a relationship.
  ///
  /// - Parameter key: The attribute or relationship.
  /// - Returns: The operand; missing for an unknown key.
  public func operand(forKey key: String) -> PredicateOperand {
    if entity.attributeIndex(key) != nil { return .value(value(forKey: key)) }
    if info.transients[key] != nil { return .value(transientValue(forKey: key)) }
    guard let relationship = info.relationships[key] else { return .missing }
    if relationship.kind == .toOne {
      return object(forKey: key).map(PredicateOperand.object) ?? .value(.null)
    }
    return .collection(objects(forKey: key))
  }
}
