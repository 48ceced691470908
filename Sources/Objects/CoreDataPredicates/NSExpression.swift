public import Foundation
package import ObjectModel

/// An expression: of an `NSExpressionDescription`, or one side of a comparison.
///
/// Foundation's cannot be made on Linux.
public final class NSExpression: NSObject {
  package let expression: FetchPredicate.Expression

  private init(_ expression: FetchPredicate.Expression) { self.expression = expression }

  /// A property, also through relationships.
  public convenience init(forKeyPath keyPath: String) {
    self.init(.keyPath(KeyPathText.components(of: keyPath) ?? [keyPath]))
  }

  /// A value; traps if it cannot be compared.
  public convenience init(forConstantValue value: Any?) {
    self.init(predicateArgument(value as Any).predicateArgument.expression)
  }

  /// A function of expressions.
  ///
  /// - Parameters:
  ///   - name: Its name with colons, as `sum:`.
  ///   - arguments: Its arguments.
  public convenience init(forFunction name: String, arguments: [NSExpression]) {
    self.init(.function(name, arguments.map(\.expression)))
  }

  /// A variable, by its name without `$`.
  public convenience init(forVariable name: String) { self.init(.variable(name, [])) }

  /// A list of expressions.
  public convenience init(forAggregate subexpressions: [NSExpression]) {
    self.init(.list(subexpressions.map(\.expression)))
  }

  /// The object itself.
  public static func expressionForEvaluatedObject() -> NSExpression { NSExpression(.selfObject) }

  public override var description: String { expression.text }

  /// Whether an object is the same expression.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSExpression)?.expression == expression
  }

  public override var hash: Int { expression.hashValue }
}
