extension FetchPredicate.Comparison {
  /// Whether the comparison of two operands is true, ignoring its modifier.
  func holds(_ left: PredicateOperand, _ right: PredicateOperand) -> Bool {
    switch operation {
    case .in: isMember(left, of: right)
    case .contains where left.isCollection: isMember(right, of: left)
    case .between:
      if case .values(let bounds) = right, bounds.count == 2 {
        holds(.greaterOrEqual, left, bounds[0]) && holds(.lessOrEqual, left, bounds[1])
      } else {
        false
      }
    default: holds(operation, left, right)
    }
  }

  private func isMember(_ member: PredicateOperand, of collection: PredicateOperand) -> Bool {
    if collection.isCollection {
      return !member.isNull && collection.members.contains { holds(.equal, member, $0) }
    }
    return FetchPredicate.holds(.in, member.single, collection.single, options: options)
  }

  private func holds(
    _ operation: FetchPredicate.Operator, _ left: PredicateOperand, _ right: PredicateOperand
  ) -> Bool {
    if case .value(let left) = left, case .value(let right) = right {
      return FetchPredicate.holds(operation, left, right, options: options)
    }
    switch operation {
    case .equal: return isSame(left, right)
    case .notEqual: return !isSame(left, right)
    default: return false
    }
  }

  /// Whether two operands are equal, of which at most one is a value.
  private func isSame(_ left: PredicateOperand, _ right: PredicateOperand) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)): return left.objectID == right.objectID
    case _ where left.isNull || right.isNull: return left.isNull && right.isNull
    case _ where left.isCollection && right.isCollection:
      let (left, right) = (left.members, right.members)
      return left.count == right.count && zip(left, right).allSatisfy { holds(.equal, $0, $1) }
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
