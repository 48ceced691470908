public import Foundation
import ManagedObjects
public import ObjectModel

/// A condition: Foundation's NSPredicate with formats, which it does not have on Linux, and with
/// equality.
///
/// It is a subclass, so that `NSArray.filtered(using:)` and its like take it.
open class NSPredicate: Foundation.NSPredicate {
  /// The condition of this class itself; nil if it is a block.
  private let ownCondition: FetchPredicate?

  /// Makes a predicate that is always true or false.
  public override init(value: Bool) {
    ownCondition = value ? .true : .false
    super.init(value: value)
  }

  /// Makes a predicate that calls a closure; a fetch cannot have it.
  public override init(block: @escaping (Any?, [String: Any]?) -> Bool) {
    ownCondition = nil
    super.init(block: block)
  }

  /// Makes the predicate of a condition.
  public init(_ condition: FetchPredicate) {
    ownCondition = condition
    super.init { _, _ in false }
  }

  /// Makes a predicate from a format.
  ///
  /// Traps if the format is not valid, where Core Data raises an exception: for what a person types
  /// use `FetchPredicate(format:_:)`, which throws.
  ///
  /// - Parameters:
  ///   - predicateFormat: The format, in the same language.
  ///   - arguments: The values of `%@`, `%K`, `%d` and so on: numbers, texts, dates, objects, lists;
  ///     nil and NSNull are null.
  public convenience init(
    format predicateFormat: String, _ arguments: any PredicateArgument...
  ) {
    self.init(parsing: predicateFormat, arguments)
  }

  /// Makes a predicate from a format, of arguments as ordinary code casts them.
  ///
  /// Traps as `init(format:argumentArray:)` does.
  ///
  /// - Parameters:
  ///   - predicateFormat: The format.
  ///   - arguments: The values of `%@`, `%K`, `%d` and so on: what is `CVarArg` here, numbers and
  ///     texts.
  @_disfavoredOverload
  public convenience init(format predicateFormat: String, _ arguments: any CVarArg...) {
    self.init(parsing: predicateFormat, arguments.map(CoreDataPredicates.predicateArgument))
  }

  /// Makes a predicate from a format.
  ///
  /// Traps as `init(format:_:)` does, and if an argument is of a type that cannot be compared.
  ///
  /// - Parameters:
  ///   - predicateFormat: The format.
  ///   - arguments: The values of `%@`, `%K`, `%d` and so on, a nil among them as null; nil for
  ///     none.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(
      parsing: predicateFormat, (arguments ?? []).map(CoreDataPredicates.predicateArgument))
  }

  private convenience init(parsing format: String, _ arguments: [any PredicateArgument]) {
    do {
      self.init(try FetchPredicate(format: format, argumentArray: arguments))
    } catch {
      preconditionFailure("The predicate format '\(format)' is not valid: \(error)")
    }
  }

  /// The condition; nil if there is a block in it.
  package var condition: FetchPredicate? { ownCondition }

  /// The predicate with values in place of variables.
  ///
  /// Traps if a value cannot be compared; a block is returned as it is.
  ///
  /// - Parameter variables: The values by name, without `$`.
  /// - Returns: The predicate.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> NSPredicate {
    condition.map {
      NSPredicate($0.withSubstitutionVariables(variables.mapValues(predicateArgument)))
    } ?? self
  }

  /// Evaluates the predicate for a managed object, a block for anything; of other things only what
  /// is always true is.
  open override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    guard let condition else {
      return super.evaluate(with: object, substitutionVariables: bindings)
    }
    guard let object = object as? ManagedObject else { return condition == .true }
    do {
      let arguments = (bindings ?? [:]).mapValues(predicateArgument)
      let bound = condition.withSubstitutionVariables(arguments)
      guard let model = object.managedObjectContext?.model else { return false }
      return try bound.validated(forEntity: object.entity.name, in: model).predicate
        .matches(object)
    } catch {
      preconditionFailure("The predicate cannot be evaluated: \(error)")
    }
  }

  /// The format, which parses back to an equal predicate; a block is `BLOCKPREDICATE`, which does
  /// not parse.
  open override var predicateFormat: String { condition?.description ?? "BLOCKPREDICATE" }

  open override var description: String { predicateFormat }

  /// Whether an object is a predicate with the same condition; a block is equal only to itself.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return self === other || condition != nil && condition == other.condition
  }

  open override var hash: Int { condition?.hashValue ?? ObjectIdentifier(self).hashValue }

  open override func copy(with zone: NSZone? = nil) -> Any { self }
}
