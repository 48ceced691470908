/// A key path of a predicate that is built in code: `PropertyKey("age") > 3 && PropertyKey("name").contains("x", .cd)`.
public struct PropertyKey: Hashable, Sendable {
  private let path: [String]
  private let modifier: FetchPredicate.Modifier

  private init(path: [String], modifier: FetchPredicate.Modifier) {
    self.path = path
    self.modifier = modifier
  }

  /// Names a key path.
  ///
  /// - Parameter keyPath: Names set apart by points; a name with a point in it stands in backquotes. A text that is no key
  ///   path is taken as one name.
  public init(_ keyPath: String) {
    self.init(path: KeyPathText.components(of: keyPath) ?? [keyPath], modifier: .direct)
  }

  /// Any member of a to-many: `PropertyKey("dvds.title").any == "x"`.
  public var any: PropertyKey { PropertyKey(path: path, modifier: .any) }

  /// Every member of a to-many.
  public var all: PropertyKey { PropertyKey(path: path, modifier: .all) }

  /// The number of members of a to-many.
  public var count: PropertyKey {
    PropertyKey(path: path + [CollectionOperator.count.rawValue], modifier: modifier)
  }

  /// Whether the value is null.
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

  /// Equal.
  public static func == (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.equal, rhs)
  }
  /// Not equal.
  public static func != (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.notEqual, rhs)
  }
  /// Less.
  public static func < (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.less, rhs)
  }
  /// Less or equal.
  public static func <= (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.lessOrEqual, rhs)
  }
  /// Greater.
  public static func > (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.greater, rhs)
  }
  /// Greater or equal.
  public static func >= (lhs: PropertyKey, rhs: some PredicateArgument) -> FetchPredicate {
    lhs.compare(.greaterOrEqual, rhs)
  }

  /// Equal, with options for text.
  public func equals(
    _ value: some PredicateArgument, _ options: FetchPredicate.Options
  ) -> FetchPredicate { compare(.equal, value, options) }

  /// Contains a text, or, for a collection, a member.
  public func contains(
    _ value: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.contains, value, options) }

  /// Begins with a text.
  public func beginsWith(
    _ text: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.beginsWith, text, options) }

  /// Ends with a text.
  public func endsWith(
    _ text: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.endsWith, text, options) }

  /// Is like a pattern with `*` and `?`, as a whole.
  public func like(
    _ pattern: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.like, pattern, options) }

  /// Matches a regular expression, as a whole.
  public func matches(
    _ pattern: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.matches, pattern, options) }

  /// Is one of some values, or, of a text, a part of it.
  public func isIn(
    _ values: some PredicateArgument, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate { compare(.in, values, options) }

  /// Lies between two values, both included.
  public func isBetween(
    _ low: some PredicateArgument, _ high: some PredicateArgument
  ) -> FetchPredicate { compare(.between, FetchPredicate.Argument(list: [low, high])) }
}

extension PropertyKey: PredicateArgument {
  /// The value at the key path.
  public var predicateArgument: FetchPredicate.Argument { .init(.keyPath(path)) }
}
