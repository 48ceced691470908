extension FetchPredicate.Comparison {
  /// Whether the comparison of two operands is true, ignoring its modifier.
  func holds(_ left: PredicateOperand, _ right: PredicateOperand) throws -> Bool {
    switch operation {
    case .in: return try isMember(left, of: right)
    case .contains where left.isCollection: return try isMember(right, of: left)
    case .between:
      guard case .values(let bounds) = right, bounds.count == 2 else { return false }
      return try holds(.greaterOrEqual, left, bounds[0]) && holds(.lessOrEqual, left, bounds[1])
    default: return try holds(operation, left, right)
    }
  }

  private func isMember(
    _ member: PredicateOperand, of collection: PredicateOperand
  ) throws -> Bool {
    if collection.isCollection {
      return try !member.isNull && collection.members.contains { try holds(.equal, member, $0) }
    }
    return try FetchPredicate.holds(.in, member.single, collection.single, options: options)
  }

  private func holds(
    _ operation: FetchPredicate.Operator, _ left: PredicateOperand, _ right: PredicateOperand
  ) throws -> Bool {
    if case .value(let left) = left, case .value(let right) = right {
      return try FetchPredicate.holds(operation, left, right, options: options)
    }
    switch operation {
    case .equal: return try isSame(left, right)
    case .notEqual: return try !isSame(left, right)
    default: return false
    }
  }

  /// Whether two operands are equal, of which at most one is a value.
  private func isSame(_ left: PredicateOperand, _ right: PredicateOperand) throws -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)): return left.objectID == right.objectID
    case _ where left.isNull || right.isNull: return left.isNull && right.isNull
    case _ where left.isCollection && right.isCollection:
      let (left, right) = (left.members, right.members)
      return try left.count == right.count
        && zip(left, right).allSatisfy { try holds(.equal, $0, $1) }
    default: return false
    }
  }
}

extension PredicateOperand {
  fileprivate var isNull: Bool {
    switch self {
    case .missing, .value(.null): true
    case .value, .object, .collection, .values: false
    }
  }
}
