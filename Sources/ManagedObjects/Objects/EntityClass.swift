/// A managed object subclass for one entity, as `cardfile generate` writes it.
///
/// A subclass of it, for a subentity, overrides the entity name.
public protocol EntityClass: ManagedObject {
  /// The class that declares the conformance: subclasses share its keys.
  associatedtype KeyOwner: ManagedObject = Self

  /// The name of the entity.
  static var entityName: String { get }

  /// The attribute that identifies an object to the outside; "objectId" by default.
  static var uniqueIdentifier: String { get }

  /// Whether new objects get an identifier by themselves; true by default.
  ///
  /// If not, a dictionary must have one, and updates the object that has it.
  static var shouldAutoGenerateGloballyUniqueIdentifiers: Bool { get }
}

extension EntityClass {
  /// A fetch request for all objects of the entity and its subentities.
  ///
  /// Objects of a subentity without a class of its own are instances of this one.
  @_disfavoredOverload  // CoreDataNames has it with Core Data's type.
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest(entityName: entityName) }

  /// Inserts a new object with the default values of its entity.
  ///
  /// - Parameter context: The context.
  /// - Returns: The object.
  /// - Throws: ``ManagedObjectError`` if the entity is unknown, abstract or read-only, or a
  ///   different class is registered for it.
  public static func insert(into context: ManagedObjectContext) throws -> Self {
    context.registerIfNeeded(Self.self, forEntity: entityName)
    return try context.insert(entityName: entityName).typed(doing: "inserting")
  }
}

extension ManagedObjectContext {
  /// Registers the classes of entities; objects that are created from now on are instances of them.
  ///
  /// - Parameter types: The classes. `cardfile generate` writes a list of those it generates.
  public func register(_ types: [any EntityClass.Type]) {
    for type in types { register(type, forEntity: type.entityName) }
  }
}
