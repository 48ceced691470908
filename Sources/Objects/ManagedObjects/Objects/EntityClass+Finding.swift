public import ObjectModel

extension FetchRequest where Object: EntityClass {
  /// Makes a fetch request for the entity of a class.
  ///
  /// - Parameters:
  ///   - predicate: The condition; nil for all objects.
  ///   - sortDescriptors: The order; empty for the store's own.
  public init(predicate: FetchPredicate? = nil, sortDescriptors: [FetchSortDescriptor] = []) {
    self.init(
      entityName: Object.entityName, predicate: predicate, sortDescriptors: sortDescriptors)
  }
}

extension EntityClass {
  /// Fetches the objects of the entity that match.
  ///
  /// - Parameters:
  ///   - predicate: The condition; nil for all objects.
  ///   - sortDescriptors: The order; empty for the store's own.
  ///   - context: The context.
  /// - Returns: The objects, unsaved ones included.
  /// - Throws: As `ManagedObjectContext.fetch(_:)`.
  public static func objects(
    where predicate: FetchPredicate? = nil, sortedBy sortDescriptors: [FetchSortDescriptor] = [],
    in context: ManagedObjectContext
  ) throws -> [Self] {
    try context.fetch(
      FetchRequest<Self>(predicate: predicate, sortDescriptors: sortDescriptors))
  }

  /// The object of an ID with its row read, as its class.
  ///
  /// - Parameters:
  ///   - id: The ID, as from another context.
  ///   - context: The context.
  /// - Returns: The object.
  /// - Throws: ``ManagedObjectError`` if there is no such row, it cannot be read, or the object is of
  ///   another class.
  public static func object(with id: ObjectID, in context: ManagedObjectContext) throws -> Self {
    context.registerIfNeeded(Self.self, forEntity: entityName)
    return try context.existingObject(with: id).typed(doing: "getting an object")
  }

  /// Fetches the first object of the entity that matches.
  ///
  /// - Parameters:
  ///   - predicate: The condition; nil for any object.
  ///   - sortDescriptors: The order; empty for the store's own.
  ///   - context: The context.
  /// - Returns: The object; nil if none matches.
  /// - Throws: As `ManagedObjectContext.fetch(_:)`.
  public static func object(
    where predicate: FetchPredicate? = nil, sortedBy sortDescriptors: [FetchSortDescriptor] = [],
    in context: ManagedObjectContext
  ) throws -> Self? {
    try context.fetchOne(
      FetchRequest<Self>(predicate: predicate, sortDescriptors: sortDescriptors))
  }
}
