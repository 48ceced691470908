public import ManagedObjects
public import ObjectModel

extension ManagedObject: Making {}

// A protocol's initialiser is one of each class, also where only a generic parameter names it.
extension TypedObject {
  /// Inserts a new object of an entity into a context.
  ///
  /// Traps if the entity is abstract, not in the model or read-only, if another class is registered
  /// for it, or without a context, which Core Data allows: `ManagedObjectContext.insert(entityName:)`
  /// throws instead. In a read-only store the save throws.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - context: The context.
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.init(making: {
      guard let context else {
        preconditionFailure("A \(entity.name) needs a context to be inserted into.")
      }
      return Self.inserted(entity.name, into: context)
    })
  }

  /// Inserts a new object of the class's entity into a context.
  ///
  /// Traps as ``init(entity:insertInto:)`` does; `insert(into:)` of an `EntityClass` throws instead.
  ///
  /// - Parameter context: The context.
  public init(context: NSManagedObjectContext) {
    self.init(making: {
      let name = Self.nameOfEntity
      context.registerIfNeeded(Self.self, forEntity: name)
      return Self.inserted(name, into: context)
    })
  }
}

extension ManagedObject {
  /// Inserts an object; traps if that is not possible.
  fileprivate static func inserted(
    _ entityName: String, into context: NSManagedObjectContext
  ) -> Self {
    let object: ManagedObject
    do { object = try context.insertUnsaved(entityName: entityName) } catch {
      preconditionFailure("An object cannot be inserted: \(error)")
    }
    guard let object = object as? Self else {
      preconditionFailure(
        """
        The class of \(entityName) is \(type(of: object)), not \(Self.self): give the \
        entity classes to the container.
        """)
    }
    return object
  }

  /// The name of the class's entity.
  fileprivate static var nameOfEntity: String {
    if let type = self as? any EntityClass.Type { return type.entityName }
    return entity().name
  }

  /// The entity of the class.
  ///
  /// Traps if no container was given the class: a class does not know its model by itself.
  ///
  /// - Returns: The entity in the model of the container that was given the class last.
  public static func entity() -> NSEntityDescription {
    guard let entity = EntityClasses.entity(of: self) else {
      preconditionFailure(
        "The entity of \(self) is not known: give the entity classes to the container.")
    }
    return entity
  }

  /// A fetch request for all objects of the entity and its subentities, whose results may be of any
  /// type.
  @_disfavoredOverload
  public static func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest(entityName: nameOfEntity)
  }
}

extension EntityClass {
  /// A fetch request for all objects of the entity and its subentities.
  public static func fetchRequest() -> NSFetchRequest<Self> {
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
    ManagedObject.inserted(entityName, into: context)
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
