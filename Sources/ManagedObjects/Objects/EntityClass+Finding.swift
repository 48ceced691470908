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
    let object = try context.existingObject(with: id)
    if let object = object as? Self { return object }
    throw ManagedObjectError(
      .wrongType, doing: "getting an object", subject: object.displayName,
      detail: "its class is \(type(of: object)), not \(Self.self)",
      remedy: "register the class before objects of the entity are made", objectIDs: [id])
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

extension ManagedObjectContext {
  /// Fetches the first object of a request.
  ///
  /// - Parameter request: What to fetch; its limit is ignored.
  /// - Returns: The object; nil if none matches.
  /// - Throws: As ``fetch(_:)``.
  public func fetchOne<Object>(_ request: FetchRequest<Object>) throws -> Object? {
    var request = request
    request.fetchLimit = 1
    return try fetch(request).first
  }

  /// Counts the objects that a fetch would return, without reading them.
  ///
  /// - Parameter request: What to count.
  /// - Returns: The number of objects, with unsaved changes unless the request excludes them.
  /// - Throws: As ``fetch(_:)``.
  public func count<Object>(for request: FetchRequest<Object>) throws -> Int {
    guard model.entity(named: request.entityName) != nil else {
      throw unknownEntity(request.entityName, doing: "counting")
    }
    let plan = try request.plan(in: model)
    if request.includesPendingChanges { return try count(for: plan) }
    return try reading("counting \(plan.entityName)") { store throws(StoreError) in
      try store.count(plan, control: nil)
    }
  }
}
