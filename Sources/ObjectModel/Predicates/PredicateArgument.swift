public import Foundation

/// Something that can be given to a predicate's format, or compared with a ``PropertyKey``.
public protocol PredicateArgument {
  /// The argument as the predicate holds it.
  var predicateArgument: FetchPredicate.Argument { get }
}

extension FetchPredicate {
  /// A value, an object, a list or a key path, as it is given to a predicate.
  public struct Argument: Hashable, Sendable, PredicateArgument {
    package let expression: Expression

    package init(_ expression: Expression) { self.expression = expression }

    /// Gives a value.
    public init(_ value: Value) { expression = .constant(value) }

    /// Gives an object by its ID.
    public init(_ id: ObjectID) { expression = .object(id) }

    /// Gives a list.
    public init(list: [any PredicateArgument]) {
      expression = .list(list.map(\.predicateArgument.expression))
    }

    /// The argument itself.
    public var predicateArgument: Argument { self }
  }
}

extension Value: PredicateArgument {
  /// The value.
  public var predicateArgument: FetchPredicate.Argument { .init(self) }
}
extension ObjectID: PredicateArgument {
  /// The object.
  public var predicateArgument: FetchPredicate.Argument { .init(self) }
}
extension String: PredicateArgument {
  /// The text.
  public var predicateArgument: FetchPredicate.Argument { .init(.string(self)) }
}
extension Int: PredicateArgument {
  /// The number.
  public var predicateArgument: FetchPredicate.Argument { .init(.integer(Int64(self))) }
}
extension Int64: PredicateArgument {
  /// The number.
  public var predicateArgument: FetchPredicate.Argument { .init(.integer(self)) }
}
extension Double: PredicateArgument {
  /// The number.
  public var predicateArgument: FetchPredicate.Argument { .init(.double(self)) }
}
extension Decimal: PredicateArgument {
  /// The number.
  public var predicateArgument: FetchPredicate.Argument { .init(.decimal(self)) }
}
extension Bool: PredicateArgument {
  /// The truth.
  public var predicateArgument: FetchPredicate.Argument { .init(.bool(self)) }
}
extension Date: PredicateArgument {
  /// The moment.
  public var predicateArgument: FetchPredicate.Argument { .init(.date(self)) }
}
extension Data: PredicateArgument {
  /// The bytes.
  public var predicateArgument: FetchPredicate.Argument { .init(.data(self)) }
}
extension UUID: PredicateArgument {
  /// The UUID.
  public var predicateArgument: FetchPredicate.Argument { .init(.uuid(self)) }
}
extension URL: PredicateArgument {
  /// The URL.
  public var predicateArgument: FetchPredicate.Argument { .init(.url(self)) }
}
extension Array: PredicateArgument where Element: PredicateArgument {
  /// The list of the elements.
  public var predicateArgument: FetchPredicate.Argument { .init(list: self) }
}
extension Set: PredicateArgument where Element: PredicateArgument {
  /// The list of the elements.
  public var predicateArgument: FetchPredicate.Argument { .init(list: Array(self)) }
}
extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  /// What is wrapped; null for nil.
  public var predicateArgument: FetchPredicate.Argument {
    self?.predicateArgument ?? .init(Value.null)
  }
}
