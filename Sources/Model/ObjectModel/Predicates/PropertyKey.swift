/// A key path for building predicates in code: `PropertyKey("age") > 3 &&
/// PropertyKey("name").contains("x", .cd)`.
public struct PropertyKey: Hashable, Sendable {
  package let path: [String]
  private let modifier: FetchPredicate.Modifier

  package init(path: [String], modifier: FetchPredicate.Modifier = .direct) {
    self.path = path
    self.modifier = modifier
  }

  /// Creates a key path.
  ///
  /// - Parameter keyPath: Names separated by points; a name that contains a point is put in
  ///   backquotes. A text that is not a valid key path is taken as one name.
  public init(_ keyPath: String) {
    self.init(path: KeyPathText.components(of: keyPath) ?? [keyPath], modifier: .direct)
  }

  /// The key path with further names, and the same quantifier.
  package func appending(_ names: [String]) -> PropertyKey {
    PropertyKey(path: path + names, modifier: modifier)
  }

  /// Compares any member of a to-many relationship (ANY): `PropertyKey("dvds.title").any == "x"`.
  public var any: PropertyKey { PropertyKey(path: path, modifier: .any) }

  /// Compares every member of a to-many relationship (ALL).
  public var all: PropertyKey { PropertyKey(path: path, modifier: .all) }

  /// The number of members of a to-many relationship (`@count`).
  public var count: PropertyKey {
    PropertyKey(path: path + [CollectionOperator.count.rawValue], modifier: modifier)
  }

  /// The predicate that the value is null.
  public var isNull: FetchPredicate { compare(.equal, Value.null) }

  private func compare(
    _ operation: FetchPredicate.Operator, _ argument: any PredicateArgument,
    _ options: FetchPredicate.Options = []
  ) -> FetchPredicate {
    FetchPredicate(
      .comparison(
        .init(
          .keyPath(path), operation, argument.predicateArgument.expression, options: options,
          modifier: modifier)))
  }

  /// The predicate that the key path's value equals the other value.
  public static func == (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.equal, rhs)
  }
  /// The predicate that the key path's value does not equal the other value.
  public static func != (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.notEqual, rhs)
  }
  /// The predicate that the key path's value is less than the other value.
  public static func < (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.less, rhs)
  }
  /// The predicate that the key path's value is less than or equal to the other value.
  public static func <= (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.lessOrEqual, rhs)
  }
  /// The predicate that the key path's value is greater than the other value.
  public static func > (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.greater, rhs)
  }
  /// The predicate that the key path's value is greater than or equal to the other value.
  public static func >= (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.greaterOrEqual, rhs)
  }

  /// The predicate that the key path's value equals a value, with comparison options for text.
  public func equals(
    _ value: some PredicateArgument, _ options: FetchPredicate.Options
  ) -> FetchPredicate { compare(.equal, value, options) }

  /// The predicate that the key path's text contains a text, or its collection a member (CONTAINS).
  public func contains(
    _ value: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.contains, value, options) }

  /// The predicate that the key path's text begins with a text (BEGINSWITH).
  public func beginsWith(
    _ text: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.beginsWith, text, options) }

  /// The predicate that the key path's text ends with a text (ENDSWITH).
  public func endsWith(
    _ text: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.endsWith, text, options) }

  /// The predicate that the key path's whole text matches a pattern with `*` and `?` (LIKE).
  public func like(
    _ pattern: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.like, pattern, options) }

  /// The predicate that the key path's whole text matches a regular expression (MATCHES).
  public func matches(
    _ pattern: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.matches, pattern, options) }

  /// The predicate that the key path's value is in a list, or its text is part of a text (IN).
  public func isIn(
    _ values: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.in, values, options) }

  /// The predicate that the key path's value is between two values, both included (BETWEEN).
  public func isBetween(
    _ low: some PredicateArgument, _ high: some PredicateArgument
  ) -> FetchPredicate { compare(.between, FetchPredicate.Argument(list: [low, high])) }
}

extension PropertyKey: PredicateArgument {
  /// The key path as a predicate argument.
  public var predicateArgument: FetchPredicate.Argument { .init(.keyPath(path)) }
}
