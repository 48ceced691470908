public import ObjectModel

/// An attribute of a class, with the Swift type of its values.
///
///     final class Person: ManagedObject, EntityClass {
///       static let entityName = "Person"
///       static let name = AttributeKey<Person, String>("name")
///     }
///
/// A key reads and sets, and makes predicates and orders:
///
///     person[Person.name] = "Ada"
///     let request = FetchRequest<Person>(
///       predicate: Person.name == "Ada", sortDescriptors: [Person.name.ascending])
///
/// `cardfile generate` writes the keys of a model. A key that was made through relationships, as
/// `DVD.owner.username`, reads and sets the attribute of the object at its end, as
/// `value(forKeyPath:)` does.
///
/// It is not named `Key`, because a terminal program imports TerminalKit's `Key` too. It is not
/// Equatable: `==` makes a predicate.
public struct AttributeKey<Object: ManagedObject, Attribute: AttributeValue>: AttributeOperand {
  /// The names of to-one relationships, and last that of the attribute.
  package let path: [String]

  /// Creates the key of an attribute.
  ///
  /// - Parameter name: The name of the attribute in the model, not a key path.
  public init(_ name: String) { path = [name] }

  init(path: [String]) { self.path = path }

  /// The name of the attribute.
  public var name: String { path[path.count - 1] }

  /// The key path as text, for what takes key paths as text.
  public var keyPath: String { KeyPathText.text(path) }

  /// The key without its type.
  public var propertyKey: PropertyKey { PropertyKey(path: path) }

  /// The order by this attribute, smallest first.
  public var ascending: FetchSortDescriptor { FetchSortDescriptor(keyPath) }

  /// The order by this attribute, greatest first.
  public var descending: FetchSortDescriptor { FetchSortDescriptor(keyPath, ascending: false) }

  /// The order by this attribute, smallest first.
  ///
  /// - Parameter comparison: How values are compared.
  /// - Returns: The sort descriptor.
  public func ascending(
    by comparison: FetchSortDescriptor.Comparison
  ) -> FetchSortDescriptor { FetchSortDescriptor(keyPath, comparison: comparison) }

  /// The order by this attribute, greatest first.
  ///
  /// - Parameter comparison: How values are compared.
  /// - Returns: The sort descriptor.
  public func descending(
    by comparison: FetchSortDescriptor.Comparison
  ) -> FetchSortDescriptor {
    FetchSortDescriptor(keyPath, ascending: false, comparison: comparison)
  }
}

extension SectionKey {
  /// Creates a section key from a typed key.
  public init<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, _ transform: Transform = .value
  ) {
    self.init(key.keyPath, transform)
  }
}

extension ExpressionDescription {
  /// The number of values of an attribute that are not null.
  public static func count<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { count(key.keyPath, name: name) }

  /// The sum of an attribute.
  public static func sum<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { sum(key.keyPath, name: name) }

  /// The smallest value of an attribute.
  public static func min<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { min(key.keyPath, name: name) }

  /// The greatest value of an attribute.
  public static func max<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { max(key.keyPath, name: name) }

  /// The mean of an attribute.
  public static func average<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { average(key.keyPath, name: name) }
}
