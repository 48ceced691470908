public import Foundation
import ManagedObjects
public import ObjectModel

// Foundation's class on Linux has no formats. They are added to it, so that a file which imports
// Foundation too sees one NSPredicate; a class of this module would be ambiguous there.

extension NSPredicate: Making {}

extension NSPredicate {
  /// Makes a predicate from a format.
  ///
  /// Traps if the format is not valid, where Core Data raises an exception: for what a person types
  /// use `FetchPredicate(format:_:)`, which throws.
  ///
  /// - Parameters:
  ///   - predicateFormat: The format, in the same language.
  ///   - arguments: The values of `%@`, `%K`, `%d` and so on: numbers, texts, dates, objects, lists.
  public convenience init(
    format predicateFormat: String, _ arguments: any PredicateArgument...
  ) {
    self.init(parsing: predicateFormat, arguments)
  }

  /// Makes a predicate from a format.
  ///
  /// Traps as `init(format:_:)` does, and if an argument is of a type that cannot be compared.
  ///
  /// - Parameters:
  ///   - predicateFormat: The format.
  ///   - arguments: The values of `%@`, `%K`, `%d` and so on; nil for none.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(parsing: predicateFormat, (arguments ?? []).map(predicateArgument))
  }

  private convenience init(parsing format: String, _ arguments: [any PredicateArgument]) {
    self.init(making: {
      do {
        let predicate = try FetchPredicate(format: format, argumentArray: arguments)
        guard let made = FormatPredicate(predicate) as? Self else {
          preconditionFailure("A subclass of NSPredicate has no format.")
        }
        return made
      } catch {
        preconditionFailure("The predicate format '\(format)' is not valid: \(error)")
      }
    })
  }
}

/// A predicate of a format; `NSPredicate(format:)` makes one.
final class FormatPredicate: NSPredicate {
  let predicate: FetchPredicate

  init(_ predicate: FetchPredicate) {
    self.predicate = predicate
    super.init(value: false)
  }

  required init?(coder: NSCoder) { nil }

  /// Evaluates the predicate for a managed object; it is false for anything else.
  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    guard let object = object as? ManagedObject else { return false }
    do {
      let arguments = (bindings ?? [:]).mapValues(predicateArgument)
      let bound = predicate.withSubstitutionVariables(arguments)
      guard let model = object.managedObjectContext?.model else { return false }
      return try bound.validated(forEntity: object.entity.name, in: model).predicate
        .matches(object)
    } catch {
      preconditionFailure("The predicate cannot be evaluated: \(error)")
    }
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? FormatPredicate)?.predicate == predicate
  }

  override var hash: Int { predicate.hashValue }

  override var description: String { String(describing: predicate) }
}

extension FetchPredicate {
  /// The predicate of Foundation's class.
  ///
  /// - Parameter predicate: One of a format, a constant, or compound of such.
  /// - Throws: `ManagedObjectError` for a block, which cannot be translated to SQL.
  public init(_ predicate: NSPredicate) throws {
    switch predicate {
    case let predicate as FormatPredicate: self = predicate.predicate
    case let predicate as NSCompoundPredicate:
      let parts = try predicate.subpredicates.map(FetchPredicate.init)
      switch predicate.compoundPredicateType {
      case .and: self = .all(parts)
      case .or: self = .any(parts)
      case .not: self = !.all(parts)
      }
    case NSPredicate(value: true): self = .true
    case NSPredicate(value: false): self = .false
    default:
      throw ManagedObjectError(
        .unsupported, doing: "fetching", subject: "the predicate",
        detail: "it is a block, or of a class of its own",
        remedy: "write it as a format, or filter the fetched objects")
    }
  }
}
