public import ManagedObjects
public import ObjectModel

extension ManagedObject: Making {}

extension ManagedObject {
  /// Inserts a new object of an entity into a context.
  ///
  /// Traps if the entity is abstract, not in the model or read-only, or if another class is
  /// registered for it: `ManagedObjectContext.insert(entityName:)` throws instead. An object
  /// without a context, which Core Data allows, does not exist.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - context: The context.
  public convenience init(
    entity: NSEntityDescription, insertInto context: NSManagedObjectContext
  ) {
    self.init(making: {
      Self.inserted(into: context) { try context.insert(entityName: entity.name) }
    })
  }

  /// The object that a closure inserts; traps if it throws.
  fileprivate static func inserted(
    into context: NSManagedObjectContext, _ insert: () throws -> ManagedObject
  ) -> Self {
    let object: ManagedObject
    do { object = try insert() } catch {
      preconditionFailure("An object cannot be inserted: \(error)")
    }
    guard let object = object as? Self else {
      preconditionFailure(
        """
        The class of \(object.entity.name) is \(type(of: object)), not \(Self.self): give the \
        entity classes to the container.
        """)
    }
    return object
  }
}

extension EntityClass {
  /// Inserts a new object of the class's entity into a context.
  ///
  /// Traps as `init(entity:insertInto:)` does; `insert(into:)` throws instead.
  ///
  /// - Parameter context: The context.
  public init(context: NSManagedObjectContext) {
    self.init(making: {
      Self.inserted(into: context) { try Self.insert(into: context) }
    })
  }

  /// A fetch request for all objects of the entity and its subentities.
  public static func fetchRequest() -> NSFetchRequest<Self> {
    NSFetchRequest(entityName: entityName)
  }

  /// A fetch request for all objects of the entity and its subentities, whose results may be of any
  /// type.
  @_disfavoredOverload
  public static func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest(entityName: entityName)
  }
}

extension EntityDescription {
  /// Inserts a new object of an entity into a context.
  ///
  /// It is of the class that is registered for the entity: give the classes to the container.
  /// Traps as `NSManagedObject.init(entity:insertInto:)` does.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - context: The context.
  /// - Returns: The object.
  public static func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    ManagedObject.inserted(into: context) { try context.insert(entityName: entityName) }
  }

  /// The entity of a name in a context's model.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - context: The context.
  /// - Returns: The entity; nil if the model has none of that name.
  public static func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.model.entity(named: entityName)
  }
}
