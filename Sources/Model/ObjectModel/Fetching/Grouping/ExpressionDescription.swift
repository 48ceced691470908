/// A value that a fetch computes from several objects, under a name: Core Data's
/// NSExpressionDescription with an aggregate function.
///
/// Without properties to group by it is computed from all objects that match, else from the objects
/// of each group.
public struct ExpressionDescription: Hashable, Sendable {
  /// What is computed; the raw values are NSExpression's names.
  package enum Function: String, CaseIterable, Sendable {
    /// The number of objects, or of values that are not null.
    case count = "count:"
    /// The sum of the numbers: an integer of integers (a double if it exceeds 64 bits), a decimal
    /// of decimals, else a double; 0 without numbers.
    case sum = "sum:"
    /// The smallest value; null without values.
    case min = "min:"
    /// The greatest value; null without values.
    case max = "max:"
    /// The mean of the numbers, a double; null without numbers.
    case average = "average:"
  }

  /// The name of the value in the results, and of the variable `$name` in `havingPredicate`.
  package var name: String
  /// What is computed.
  package var function: Function
  /// The attribute, or the key path to one through to-one relationships; nil to count objects.
  package var keyPath: String?

  /// Describes an expression.
  ///
  /// - Parameters:
  ///   - name: Its name in the results.
  ///   - function: What is computed.
  ///   - keyPath: The attribute, or the key path to one through to-one relationships; nil, for
  ///     ``Function/count`` alone, for the objects themselves.
  package init(name: String, function: Function, keyPath: String?) {
    self.name = name
    self.function = function
    self.keyPath = keyPath
  }

  /// The number of objects.
  public static func count(name: String) -> Self {
    Self(name: name, function: .count, keyPath: nil)
  }

  /// The number of values that are not null.
  package static func count(_ keyPath: String, name: String) -> Self {
    Self(name: name, function: .count, keyPath: keyPath)
  }

  /// The sum of the numbers.
  package static func sum(_ keyPath: String, name: String) -> Self {
    Self(name: name, function: .sum, keyPath: keyPath)
  }

  /// The smallest value.
  package static func min(_ keyPath: String, name: String) -> Self {
    Self(name: name, function: .min, keyPath: keyPath)
  }

  /// The greatest value.
  package static func max(_ keyPath: String, name: String) -> Self {
    Self(name: name, function: .max, keyPath: keyPath)
  }

  /// The mean of the numbers.
  package static func average(_ keyPath: String, name: String) -> Self {
    Self(name: name, function: .average, keyPath: keyPath)
  }
}
