import CoreDataPredicates
public import Foundation
import ManagedObjects
public import ObjectModel

// Keys are added to Foundation's class, as formats are to its NSPredicate.

extension NSSortDescriptor: Making {}

extension NSSortDescriptor {
  /// Makes a sort descriptor of an attribute.
  ///
  /// - Parameters:
  ///   - key: The key path of the attribute, also through to-one relationships.
  ///   - ascending: Whether smaller values come first; no value is smaller than any.
  public convenience init(key: String, ascending: Bool) {
    self.init(key: key, ascending: ascending, selector: .binary)
  }

  /// Makes a sort descriptor of an attribute, with a comparison.
  ///
  /// `#selector` does not compile without the Objective-C runtime:
  /// `#selector(NSString.localizedStandardCompare(_:))` becomes `.localizedStandardCompare`.
  ///
  /// - Parameters:
  ///   - key: The key path of the attribute, also through to-one relationships.
  ///   - ascending: Whether smaller values come first.
  ///   - selector: How values are compared.
  public convenience init(
    key: String, ascending: Bool, selector: FetchSortDescriptor.Comparison
  ) {
    let descriptor = FetchSortDescriptor(key, ascending: ascending, comparison: selector)
    self.init(making: {
      guard let made = KeySortDescriptor(descriptor) as? Self else {
        preconditionFailure("A subclass of NSSortDescriptor has no key.")
      }
      return made
    })
  }

  /// The key path of the attribute; nil if it was made of a Swift key path.
  public var key: String? { (self as? KeySortDescriptor)?.descriptor.keyPath }

  /// How values are compared; nil if it was made of a Swift key path.
  public var selector: FetchSortDescriptor.Comparison? {
    (self as? KeySortDescriptor)?.descriptor.comparison
  }
}

extension FetchSortDescriptor.Comparison {
  /// `NSString.compare(_:)`: text by its UTF-8 bytes, numbers and dates by value.
  public static let compare = Self.binary
  /// `NSString.caseInsensitiveCompare(_:)`.
  public static let caseInsensitiveCompare = Self.caseInsensitive
  /// `NSString.localizedCompare(_:)`, which ignores case and diacritics here.
  public static let localizedCompare = Self.localized(numeric: false)
  /// `NSString.localizedCaseInsensitiveCompare(_:)`, which ignores diacritics here too.
  public static let localizedCaseInsensitiveCompare = Self.localized(numeric: false)
  /// `NSString.localizedStandardCompare(_:)`: with digits compared as numbers.
  public static let localizedStandardCompare = Self.localized(numeric: true)
}

/// A sort descriptor of a key; `NSSortDescriptor(key:ascending:)` makes one.
final class KeySortDescriptor: NSSortDescriptor {
  let descriptor: FetchSortDescriptor

  init(_ descriptor: FetchSortDescriptor) {
    self.descriptor = descriptor
    // The superclass needs a key path, and compares with none of its own.
    super.init(keyPath: \FetchSortDescriptor.keyPath, ascending: descriptor.ascending)
  }

  required init?(coder: NSCoder) { nil }

  /// Compares the attribute of two managed objects.
  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let order = descriptor.compare(value(of: object1), value(of: object2))
    return order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
  }

  private func value(of object: Any) -> Value {
    guard let object = object as? ManagedObject else {
      preconditionFailure("A \(type(of: object)) has no value for \(descriptor.keyPath).")
    }
    return Value(any: object.value(forKeyPath: descriptor.keyPath)) ?? .null
  }

  override var reversedSortDescriptor: Any { KeySortDescriptor(descriptor.reversed) }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? KeySortDescriptor)?.descriptor == descriptor
  }

  override var hash: Int { descriptor.hashValue }
}

extension FetchSortDescriptor {
  /// The sort descriptor of Foundation's class.
  ///
  /// - Parameter descriptor: One of a key.
  /// - Throws: `ManagedObjectError` for one of a Swift key path, whose name is not known.
  public init(_ descriptor: NSSortDescriptor) throws {
    guard let descriptor = descriptor as? KeySortDescriptor else {
      throw ManagedObjectError(
        .unsupported, doing: "fetching", subject: "the sort descriptor",
        detail: "it is of a Swift key path, which has no name at run time",
        remedy: "make it with NSSortDescriptor(key:ascending:)")
    }
    self = descriptor.descriptor
  }
}
