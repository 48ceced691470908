import ObjectModel

/// The Swift type of a relationship: `Person?`, `Set<DVD>`, or `[Page]` for an ordered one.
public protocol RelationshipValue {
  /// The class of the destinations.
  associatedtype Destination: ManagedObject

  /// No destination: nil, or an empty collection.
  static var noDestinations: Self { get }

  /// Reads a relationship.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - name: The relationship.
  /// - Returns: The destinations without those of another class, which are reported.
  static func read(from object: ManagedObject, _ name: String) -> Self

  /// Sets a relationship; what is refused makes the next save throw.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - name: The relationship.
  func write(to object: ManagedObject, _ name: String)
}

/// The Swift type of a to-one relationship: an optional.
public protocol ToOneValue: RelationshipValue {}

/// The Swift type of a to-many relationship: a set, or an array if it is ordered.
public protocol ToManyValue: RelationshipValue {
  /// Whether it is the type of an ordered relationship.
  static var isOrdered: Bool { get }
}

extension Optional: RelationshipValue, ToOneValue where Wrapped: ManagedObject {
  /// The class of the destination.
  public typealias Destination = Wrapped
  /// Nil.
  public static var noDestinations: Wrapped? { nil }
  /// Reads a to-one relationship.
  public static func read(from object: ManagedObject, _ name: String) -> Wrapped? {
    object.registerIfNeeded(Wrapped.self)
    return object.object(forKey: name).flatMap { object.typed($0, name) }
  }
  /// Sets a to-one relationship.
  public func write(to object: ManagedObject, _ name: String) { object.relate(self, forKey: name) }
}

extension Set: RelationshipValue, ToManyValue where Element: ManagedObject {
  /// The class of the destinations.
  public typealias Destination = Element
  /// The empty set.
  public static var noDestinations: Set<Element> { [] }
  /// False.
  public static var isOrdered: Bool { false }
  /// Reads a to-many relationship.
  public static func read(from object: ManagedObject, _ name: String) -> Set<Element> {
    Set([Element].read(from: object, name))
  }
  /// Replaces the destinations of a to-many relationship.
  public func write(to object: ManagedObject, _ name: String) {
    object.replace(Array(self), forKey: name)
  }
}

extension Array: RelationshipValue, ToManyValue where Element: ManagedObject {
  /// The class of the destinations.
  public typealias Destination = Element
  /// The empty array.
  public static var noDestinations: [Element] { [] }
  /// True.
  public static var isOrdered: Bool { true }
  /// Reads a to-many relationship, in its order.
  public static func read(from object: ManagedObject, _ name: String) -> [Element] {
    object.registerIfNeeded(Element.self)
    return object.objects(forKey: name).compactMap { object.typed($0, name) }
  }
  /// Replaces the destinations of a to-many relationship and their order.
  public func write(to object: ManagedObject, _ name: String) { object.replace(self, forKey: name) }
}

extension ManagedObject {
  /// Registers the class of destinations, so that they are instances of it.
  func registerIfNeeded<Object: ManagedObject>(_ type: Object.Type) {
    guard let type = type as? any EntityClass.Type else { return }
    managedObjectContext?.registerIfNeeded(type, forEntity: type.entityName)
  }

  /// A destination as the class of its key; nil if it is of another, which is reported.
  func typed<Object: ManagedObject>(_ object: ManagedObject, _ name: String) -> Object? {
    do { return try object.typed(doing: "reading \(name)") } catch {
      managedObjectContext?.report(error)
      return nil
    }
  }
}
