import ObjectModel

/// A comparison of two expressions.
///
/// Foundation's cannot be made on Linux.
public final class NSComparisonPredicate: NSPredicate {
  /// How a collection on the left is compared.
  public enum Modifier: UInt, Sendable {
    /// As it is.
    case direct
    /// Each of its members.
    case all
    /// One of its members.
    case any
  }

  /// The operators.
  public enum Operator: UInt, Sendable {
    /// `<`, `<=`, `>`, `>=`, `==` and `!=`.
    case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo, equalTo, notEqualTo
    /// MATCHES, LIKE, BEGINSWITH and ENDSWITH.
    case matches, like, beginsWith, endsWith
    /// IN.
    case `in`
    /// CONTAINS and BETWEEN.
    case contains = 99
    case between

    fileprivate var operation: FetchPredicate.Operator {
      switch self {
      case .lessThan: .less
      case .lessThanOrEqualTo: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqualTo: .greaterOrEqual
      case .equalTo: .equal
      case .notEqualTo: .notEqual
      case .matches: .matches
      case .like: .like
      case .beginsWith: .beginsWith
      case .endsWith: .endsWith
      case .in: .in
      case .contains: .contains
      case .between: .between
      }
    }
  }

  /// The options of a comparison of texts.
  public struct Options: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Makes options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// `[c]`.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`, which has no effect here.
    public static let normalized = Options(rawValue: 4)
  }

  /// The left side.
  public let leftExpression: NSExpression
  /// The right side.
  public let rightExpression: NSExpression
  /// How a collection on the left is compared.
  public let comparisonPredicateModifier: Modifier
  /// The operator.
  public let predicateOperatorType: Operator
  /// The options.
  public let options: Options

  /// Compares two expressions.
  ///
  /// - Parameters:
  ///   - lhs: The left side.
  ///   - rhs: The right side.
  ///   - modifier: How a collection on the left is compared.
  ///   - type: The operator.
  ///   - options: The options of a comparison of texts.
  public init(
    leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier,
    type: Operator, options: Options = []
  ) {
    (leftExpression, rightExpression) = (lhs, rhs)
    (comparisonPredicateModifier, predicateOperatorType) = (modifier, type)
    self.options = options
    let comparison = FetchPredicate.Comparison(
      lhs.expression, type.operation, rhs.expression,
      options: FetchPredicate.Options(rawValue: UInt8(truncatingIfNeeded: options.rawValue)),
      modifier: modifier == .all ? .all : modifier == .any ? .any : .direct)
    super.init(FetchPredicate(.comparison(comparison)))
  }
}
