public import ObjectModel

/// What can be compared with values of a Swift type in a predicate: an attribute, an attribute of any
/// object of a to-many relationship, or a number that is computed of one.
public protocol AttributeOperand<Attribute>: PredicateArgument, Sendable {
  /// The Swift type of the values.
  associatedtype Attribute: AttributeValue

  /// The operand without its type.
  var propertyKey: PropertyKey { get }
}

extension AttributeOperand {
  /// The key path as a predicate argument.
  public var predicateArgument: FetchPredicate.Argument { propertyKey.predicateArgument }

  /// The predicate that the value equals another; nil is the missing value.
  public static func == (lhs: Self, rhs: Attribute) -> FetchPredicate { lhs.propertyKey == rhs }
  /// The predicate that the value does not equal another.
  public static func != (lhs: Self, rhs: Attribute) -> FetchPredicate { lhs.propertyKey != rhs }
  /// The predicate that the value is less than another.
  public static func < (lhs: Self, rhs: Attribute) -> FetchPredicate { lhs.propertyKey < rhs }
  /// The predicate that the value is less than or equal to another.
  public static func <= (lhs: Self, rhs: Attribute) -> FetchPredicate { lhs.propertyKey <= rhs }
  /// The predicate that the value is greater than another.
  public static func > (lhs: Self, rhs: Attribute) -> FetchPredicate { lhs.propertyKey > rhs }
  /// The predicate that the value is greater than or equal to another.
  public static func >= (lhs: Self, rhs: Attribute) -> FetchPredicate { lhs.propertyKey >= rhs }

  /// The predicate that the values of two attributes are equal.
  public static func == <Other: AttributeOperand>(lhs: Self, rhs: Other) -> FetchPredicate
  where Other.Attribute == Attribute { lhs.propertyKey == rhs.propertyKey }

  /// The predicate that the value of an attribute is less than that of another.
  public static func < <Other: AttributeOperand>(lhs: Self, rhs: Other) -> FetchPredicate
  where Other.Attribute == Attribute { lhs.propertyKey < rhs.propertyKey }

  /// The predicate that the value is one of some values (IN).
  public func isIn(_ values: some Sequence<Attribute>) -> FetchPredicate {
    propertyKey.isIn(FetchPredicate.Argument(list: Array(values)))
  }

  /// The predicate that the value is between two values, both included (BETWEEN).
  public func isBetween(_ low: Attribute, _ high: Attribute) -> FetchPredicate {
    propertyKey.isBetween(low, high)
  }
}

extension AttributeOperand where Attribute: TextAttributeValue {
  /// The predicate that the text equals another, with comparison options: `.cd` ignores case and
  /// diacritics.
  public func equals(_ text: String, _ options: FetchPredicate.Options) -> FetchPredicate {
    propertyKey.equals(text, options)
  }

  /// The predicate that the text contains another (CONTAINS).
  public func contains(_ text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    propertyKey.contains(text, options)
  }

  /// The predicate that the text begins with another (BEGINSWITH).
  public func beginsWith(_ text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    propertyKey.beginsWith(text, options)
  }

  /// The predicate that the text ends with another (ENDSWITH).
  public func endsWith(_ text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    propertyKey.endsWith(text, options)
  }

  /// The predicate that the whole text matches a pattern with `*` and `?` (LIKE).
  public func like(_ pattern: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    propertyKey.like(pattern, options)
  }

  /// The predicate that the whole text matches a regular expression (MATCHES).
  public func matches(_ pattern: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    propertyKey.matches(pattern, options)
  }
}
