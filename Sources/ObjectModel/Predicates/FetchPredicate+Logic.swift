extension FetchPredicate {
  /// The condition that every object meets.
  public static let `true` = FetchPredicate(.constant(true))

  /// The condition that no object meets.
  public static let `false` = FetchPredicate(.constant(false))

  /// Both hold.
  public static func && (lhs: FetchPredicate, rhs: FetchPredicate) -> FetchPredicate {
    if case .and(let nodes) = lhs.node { return FetchPredicate(.and(nodes + [rhs.node])) }
    return FetchPredicate(.and([lhs.node, rhs.node]))
  }

  /// At least one holds.
  public static func || (lhs: FetchPredicate, rhs: FetchPredicate) -> FetchPredicate {
    if case .or(let nodes) = lhs.node { return FetchPredicate(.or(nodes + [rhs.node])) }
    return FetchPredicate(.or([lhs.node, rhs.node]))
  }

  /// It does not hold.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.not(predicate.node))
  }

  /// All of some conditions hold.
  ///
  /// - Parameter predicates: The conditions.
  /// - Returns: Their conjunction; ``true`` when there are none.
  public static func all(_ predicates: [FetchPredicate]) -> FetchPredicate {
    predicates.count < 2
      ? predicates.first ?? .true : FetchPredicate(.and(predicates.map(\.node)))
  }

  /// At least one of some conditions holds.
  ///
  /// - Parameter predicates: The conditions.
  /// - Returns: Their disjunction; ``false`` when there are none.
  public static func any(_ predicates: [FetchPredicate]) -> FetchPredicate {
    predicates.count < 2
      ? predicates.first ?? .false : FetchPredicate(.or(predicates.map(\.node)))
  }
}
