public import ObjectModel

extension ManagedObject {
  /// The object a to-one relationship leads to.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The object, perhaps a fault whose row is gone; nil for none or an unknown key.
  public func object(forKey key: String) -> ManagedObject? {
    guard let context = managedObjectContext, let id = objectID(forKey: key) else { return nil }
    return context.object(with: id)
  }

  /// The ID of the object a to-one relationship leads to, without making the object.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The ID; nil for none or an unknown key.
  public func objectID(forKey key: String) -> ObjectID? {
    guard let context = managedObjectContext, let place = entity.toOneIndex(key) else { return nil }
    return context.readableRow(of: objectID)?.destination(at: place)
  }

  /// Makes a to-one relationship lead to an object; its inverse and foreign keys follow.
  ///
  /// - Parameters:
  ///   - object: The object; nil for none.
  ///   - key: The relationship.
  /// - Throws: ``ManagedObjectError`` when the object is of another entity or context, or nothing can be changed.
  public func setObject(_ object: ManagedObject?, forKey key: String) throws {
    let context = try changeableContext("setting \(key)")
    guard let place = entity.toOneIndex(key) else { throw unknownKey(key, "setting") }
    if let object { try context.check(object, fits: info.toOne[place], of: self) }
    try context.setToOne(place, to: object?.objectID, of: objectID)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: entity.name, name: key))
  }

  /// The objects a to-many relationship leads to.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The objects, in the relationship's order or by key; empty for an unknown key. Their rows are read together.
  public func objects(forKey key: String) -> [ManagedObject] {
    guard let context = managedObjectContext else { return [] }
    return context.makeObjects(ObjectIDList(objectIDs(forKey: key)), batchSize: 1_000)
  }

  /// The IDs of the objects a relationship leads to.
  ///
  /// - Parameter key: The relationship, to-one or to-many.
  /// - Returns: The IDs, in the relationship's order or by key; empty for an unknown key.
  public func objectIDs(forKey key: String) -> [ObjectID] {
    guard let context = managedObjectContext, let relationship = info.relationships[key] else {
      return []
    }
    if relationship.kind == .toOne { return objectID(forKey: key).map { [$0] } ?? [] }
    do {
      return try context.contents(of: relationship, from: [objectID])[objectID] ?? []
    } catch {
      context.report(error)
      return []
    }
  }

  /// How many objects a relationship leads to.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The number; 0 for an unknown key.
  public func count(forKey key: String) -> Int { objectIDs(forKey: key).count }

  /// Puts an object into a to-many relationship; the inverse follows.
  ///
  /// - Parameters:
  ///   - object: The object; nothing happens when it is in already.
  ///   - key: The relationship.
  ///   - place: Its place in an ordered relationship; nil for the end.
  /// - Throws: ``ManagedObjectError`` when the object is of another entity or context, or nothing can be changed.
  public func add(_ object: ManagedObject, forKey key: String, at place: Int? = nil) throws {
    let context = try changeableContext("adding to \(key)")
    let relationship = try toMany(key, "adding to")
    try context.check(object, fits: relationship, of: self)
    try context.add(object.objectID, to: relationship, of: objectID, at: place)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: entity.name, name: key))
  }

  /// Takes an object out of a to-many relationship; the inverse follows.
  ///
  /// - Parameters:
  ///   - object: The object; nothing happens when it is not in.
  ///   - key: The relationship.
  /// - Throws: ``ManagedObjectError`` when nothing can be changed.
  public func remove(_ object: ManagedObject, forKey key: String) throws {
    let context = try changeableContext("removing from \(key)")
    let relationship = try toMany(key, "removing from")
    try context.remove(object.objectID, from: relationship, of: objectID)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: entity.name, name: key))
  }

  private func toMany(_ key: String, _ doing: String) throws -> RelationshipInfo {
    guard let relationship = info.relationships[key], relationship.kind != .toOne else {
      throw unknownKey(key, doing)
    }
    return relationship
  }
}
