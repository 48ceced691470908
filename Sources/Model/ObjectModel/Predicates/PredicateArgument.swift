/// A type whose values can be arguments of a predicate format, or be compared with a
/// ``PropertyKey``.
public protocol PredicateArgument {
  /// The value as a predicate argument.
  var predicateArgument: FetchPredicate.Argument { get }
}

extension FetchPredicate {
  /// An argument of a predicate: a value, an object, a list or a key path.
  public struct Argument: Hashable, Sendable, PredicateArgument {
    package let expression: Expression

    package init(_ expression: Expression) { self.expression = expression }

    /// Creates an argument from a value.
    public init(_ value: Value) { expression = .constant(value) }

    /// Creates an argument for an object.
    public init(_ id: ObjectID) { expression = .object(id) }

    /// Creates an argument from a list.
    public init(list: [any PredicateArgument]) {
      expression = .list(list.map(\.predicateArgument.expression))
    }

    /// The argument itself.
    public var predicateArgument: Argument { self }
  }
}

extension ObjectID: PredicateArgument {
  /// The object with this ID.
  public var predicateArgument: FetchPredicate.Argument { .init(self) }
}
extension Array: PredicateArgument where Element: PredicateArgument {
  /// The elements as a list.
  public var predicateArgument: FetchPredicate.Argument { .init(list: self) }
}
extension Set: PredicateArgument where Element: PredicateArgument {
  /// The elements as a list, in no particular order.
  public var predicateArgument: FetchPredicate.Argument { .init(list: Array(self)) }
}
extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  /// The wrapped argument; null for nil.
  public var predicateArgument: FetchPredicate.Argument {
    self?.predicateArgument ?? .init(Value.null)
  }
}
