/// A class for the objects of one entity, as `cardfile generate` makes it.
///
/// A subclass of it, for an entity that inherits, names its own entity.
public protocol EntityClass: ManagedObject {
  /// The name of the entity.
  static var entityName: String { get }
}

extension EntityClass {
  /// A request for all objects of the entity, those of entities that inherit from it too.
  ///
  /// The classes of those must be registered; see ``ManagedObjectContext/register(_:)``.
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest(entityName: entityName) }

  /// Inserts a new object, with its default values set.
  ///
  /// - Parameter context: The context.
  /// - Returns: The object.
  /// - Throws: ``ManagedObjectError`` when the entity is unknown, abstract or cannot be changed, or has another class.
  public static func insert(into context: ManagedObjectContext) throws -> Self {
    if context.classes[entityName] == nil { context.register(Self.self, forEntity: entityName) }
    let object = try context.insert(entityName: entityName)
    guard let typed = object as? Self else {
      throw ManagedObjectError(
        .wrongType, doing: "inserting", subject: entityName,
        detail: "its class is \(type(of: object)), not \(Self.self)",
        remedy: "register the class for the entity", objectIDs: [object.objectID])
    }
    return typed
  }
}

extension ManagedObjectContext {
  /// Makes objects of entities instances of their classes, from now on.
  ///
  /// - Parameter types: The classes; those that `cardfile generate` makes are in a list beside them.
  public func register(_ types: [any EntityClass.Type]) {
    for type in types { register(type, forEntity: type.entityName) }
  }
}
