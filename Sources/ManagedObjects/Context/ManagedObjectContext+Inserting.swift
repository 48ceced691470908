import ObjectModel
import Synchronization

extension ManagedObjectContext {
  /// The last key of an unsaved object, unique in this process.
  private static let lastTemporaryKey = Atomic<UInt64>(0)

  /// Inserts a new object with its entity's default values.
  ///
  /// - Parameter entityName: The entity.
  /// - Returns: The object; its ID is temporary until it is saved.
  /// - Throws: ``ManagedObjectError`` if there is no such entity, or it is abstract or read-only.
  public func insert(entityName: String) throws -> ManagedObject {
    let entity = try entity(named: entityName, doing: "inserting an object")
    try checkWritable(entity, doing: "inserting an object")
    guard !entity.isAbstract else {
      throw ManagedObjectError(
        .readOnly, doing: "inserting an object", subject: entityName,
        detail: "an abstract entity has no objects of its own")
    }
    let key = Self.lastTemporaryKey.wrappingAdd(1, ordering: .relaxed).newValue
    let id = ObjectID(storeIdentifier: "", entityName: entityName, key: .temporary(key))
    var row = RowSnapshot(
      id: id, version: 0, values: Array(repeating: .null, count: entity.attributes.count),
      toOne: Array(repeating: nil, count: entity.toOneRelationships.count))
    for (index, attribute) in entity.attributes.enumerated() where !attribute.defaultValue.isNull {
      row.values[index] = try attribute.encode(attribute.defaultValue)
    }
    insertRow(row)
    let object = object(with: id)
    undoHistory.suggest(
      ActionSuggestion(verb: .insert, entityName: entityName, name: entityName))
    object.awakeFromInsert()
    return object
  }

  /// Throws if the entity of one of some objects is read-only.
  func checkWritable(_ ids: [ObjectID]) throws {
    for entityName in Set(ids.map(\.entityName)) {
      try checkWritable(info(for: entityName).entity, doing: "deleting")
    }
  }

  func checkWritable(_ entity: EntityDescription, doing: @autoclosure () -> String) throws {
    guard let reason = persistentStoreCoordinator.readOnlyReason ?? entity.readOnlyReason else {
      return
    }
    throw ManagedObjectError(.readOnly, doing: doing(), subject: entity.name, detail: reason)
  }

}
