@_exported public import class CoreDataPredicates.NSExpression
import ManagedObjects
public import ObjectModel

/// A value of dictionaries under a name: computed from several objects, or a property of each.
public final class NSExpressionDescription {
  /// The name of the value in the results, and of the variable `$name` in `havingPredicate`.
  public var name = ""

  /// What is computed: one of the functions `count:`, `sum:`, `min:`, `max:` and `average:` of a key
  /// path, a key path, or the object itself.
  public var expression: NSExpression?

  /// The type of the value, which Core Data requires: here it follows from the expression.
  public var expressionResultType = NSAttributeType.undefinedAttributeType

  /// Makes a description without an expression: set ``name`` and ``expression``.
  public init() {}

  private init(_ description: ExpressionDescription) {
    name = description.name
    let argument =
      description.keyPath.map(NSExpression.init(forKeyPath:)) ?? .expressionForEvaluatedObject()
    expression = NSExpression(
      forFunction: description.function.rawValue, arguments: [argument])
  }

  /// The number of objects.
  public static func count(name: String) -> NSExpressionDescription { .init(.count(name: name)) }

  /// The number of values that are not null.
  public static func count(_ keyPath: String, name: String) -> NSExpressionDescription {
    .init(.count(keyPath, name: name))
  }

  /// The sum of the numbers.
  public static func sum(_ keyPath: String, name: String) -> NSExpressionDescription {
    .init(.sum(keyPath, name: name))
  }

  /// The smallest value.
  public static func min(_ keyPath: String, name: String) -> NSExpressionDescription {
    .init(.min(keyPath, name: name))
  }

  /// The greatest value.
  public static func max(_ keyPath: String, name: String) -> NSExpressionDescription {
    .init(.max(keyPath, name: name))
  }

  /// The mean of the numbers.
  public static func average(_ keyPath: String, name: String) -> NSExpressionDescription {
    .init(.average(keyPath, name: name))
  }
}

@available(*, unavailable, message: "It is mutable. Make one in the other domain.")
extension NSExpressionDescription: Sendable {}

extension NSExpressionDescription {
  /// What an expression is in a fetch.
  enum Meaning {
    case computed(ExpressionDescription)
    case property(keyPath: String)
  }

  /// What the expression is.
  ///
  /// - Throws: `ManagedObjectError` if there is none, or it cannot be computed.
  func meaning(in entityName: String) throws -> Meaning {
    switch expression?.expression {
    case .selfObject: return .property(keyPath: PropertyPath.objectID)
    case .keyPath(let keys): return .property(keyPath: KeyPathText.text(keys))
    case .function(let name, let arguments):
      guard let function = ExpressionDescription.Function(rawValue: name), arguments.count == 1
      else { break }
      switch arguments[0] {
      case .keyPath(let keys):
        return .computed(
          .init(name: self.name, function: function, keyPath: KeyPathText.text(keys)))
      case .selfObject where function == .count: return .computed(.count(name: self.name))
      default: break
      }
    default: break
    }
    let functions = ExpressionDescription.Function.allCases.map(\.rawValue).sorted()
    throw ManagedObjectError(
      .unsupported, doing: "fetching dictionaries", subject: entityName,
      detail: "the expression “\(name)” is \(expression?.description ?? "missing")",
      remedy: "set it to a key path, or to \(functions.joined(separator: ", ")) of one")
  }
}
