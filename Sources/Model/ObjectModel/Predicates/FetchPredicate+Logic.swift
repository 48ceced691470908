extension FetchPredicate {
  /// The predicate that is true for every object.
  public static let `true` = FetchPredicate(.constant(true))

  /// The predicate that is false for every object.
  public static let `false` = FetchPredicate(.constant(false))

  /// The conjunction of two predicates (AND).
  public static func && (lhs: FetchPredicate, rhs: FetchPredicate) -> FetchPredicate {
    if case .and(let nodes) = lhs.node { return FetchPredicate(.and(nodes + [rhs.node])) }
    return FetchPredicate(.and([lhs.node, rhs.node]))
  }

  /// The disjunction of two predicates (OR).
  public static func || (lhs: FetchPredicate, rhs: FetchPredicate) -> FetchPredicate {
    if case .or(let nodes) = lhs.node { return FetchPredicate(.or(nodes + [rhs.node])) }
    return FetchPredicate(.or([lhs.node, rhs.node]))
  }

  /// The negation of a predicate (NOT).
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.not(predicate.node))
  }

  /// Combines predicates with AND.
  ///
  /// - Parameter predicates: The predicates.
  /// - Returns: Their conjunction; ``true`` if there are none. If all were validated for one
  ///   entity, so is the conjunction.
  public static func all(_ predicates: [FetchPredicate]) -> FetchPredicate {
    predicates.count < 2
      ? predicates.first ?? .true
      : FetchPredicate(
        .and(predicates.map(\.node)), source: nil, validation: .shared(by: predicates))
  }

  /// Combines predicates with OR.
  ///
  /// - Parameter predicates: The predicates.
  /// - Returns: Their disjunction; ``false`` if there are none.
  public static func any(_ predicates: [FetchPredicate]) -> FetchPredicate {
    predicates.count < 2
      ? predicates.first ?? .false : FetchPredicate(.or(predicates.map(\.node)))
  }
}
