public import ObjectModel

extension ManagedObject {
  /// The destination of a to-one relationship.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The object; nil if the relationship is nil or the key is unknown. It may be a fault
  ///   whose row no longer exists.
  public func object(forKey key: String) -> ManagedObject? {
    guard let context = managedObjectContext, let id = objectID(forKey: key) else { return nil }
    return context.object(with: id)
  }

  /// The ID of the destination of a to-one relationship, without creating the object.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The ID; nil if the relationship is nil or the key is unknown.
  public func objectID(forKey key: String) -> ObjectID? {
    guard let index = entity.toOneIndex(key) else { return nil }
    return awakeRow?.destination(at: index)
  }

  /// What the foreign key of a to-one relationship without a destination refers to, if anything.
  ///
  /// See `RelationshipDescription.danglingID`.
  package func danglingID(forKey key: String) -> ObjectID? {
    guard let index = entity.toOneIndex(key), let row = awakeRow else { return nil }
    return entity.toOneRelationships[index].danglingID(
      from: entity, storeIdentifier: objectID.storeIdentifier, value: row.value(at:))
  }

  /// Sets the destination of a to-one relationship, with its inverse and foreign keys.
  ///
  /// - Parameters:
  ///   - object: The destination; nil clears the relationship.
  ///   - key: The relationship.
  /// - Throws: ``ManagedObjectError`` if the object belongs to the wrong entity or to a different
  ///   context, or the source is read-only.
  public func setObject(_ object: ManagedObject?, forKey key: String) throws {
    let context = try changeableContext("setting \(key)")
    guard let index = entity.toOneIndex(key) else { throw unknownKey(key, "setting") }
    if let object { try context.check(object, fits: info.toOne[index], of: self) }
    try context.setToOne(index, to: object?.objectID, of: objectID)
    context.refused.remove(objectID, key)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: entity.name, name: key))
  }

  /// The destinations of a to-many relationship.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The objects, in the relationship's order or by key; empty for an unknown key. Their
  ///   rows are read together.
  public func objects(forKey key: String) -> [ManagedObject] {
    guard let context = managedObjectContext else { return [] }
    return context.makeObjects(
      ObjectIDList(objectIDs(forKey: key)), batchSize: 1_000, isReadFromFirst: false)
  }

  /// The IDs of the destinations of a relationship.
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

  /// The number of destinations of a relationship.
  ///
  /// - Parameter key: The relationship.
  /// - Returns: The number; 0 for an unknown key.
  public func count(forKey key: String) -> Int { objectIDs(forKey: key).count }

  /// Adds an object to a to-many relationship, and updates the inverse.
  ///
  /// - Parameters:
  ///   - object: The object; nothing happens if the relationship contains it.
  ///   - key: The relationship.
  ///   - index: Its index in an ordered relationship; nil for the end.
  /// - Throws: ``ManagedObjectError`` if the object belongs to the wrong entity or to a different
  ///   context, or the source is read-only.
  public func add(_ object: ManagedObject, forKey key: String, at index: Int? = nil) throws {
    let context = try changeableContext("adding to \(key)")
    let relationship = try toMany(key, "adding to")
    try context.check(object, fits: relationship, of: self)
    try context.add(object.objectID, to: relationship, of: objectID, at: index)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: entity.name, name: key))
  }

  /// Removes an object from a to-many relationship, and updates the inverse.
  ///
  /// - Parameters:
  ///   - object: The object; nothing happens if the relationship does not contain it.
  ///   - key: The relationship.
  /// - Throws: ``ManagedObjectError`` if the source is read-only.
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
