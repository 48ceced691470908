import ManagedObjects
import ObjectModel
import Testing

extension ManagedObjectContext {
  /// Inserts an object with a name.
  @discardableResult
  func make(_ name: String, _ entityName: String = "Person") throws -> ManagedObject {
    let object = try insert(entityName: entityName)
    try object.setValue(.string(name), forKey: "name")
    return object
  }

  /// The object with a name, which must exist.
  func named(_ name: String, _ entityName: String = "Person") throws -> ManagedObject {
    let found = try all(entityName).first { $0["name"] == .string(name) }
    return try #require(found, "\(entityName) \(name)")
  }

  /// All objects of an entity.
  func all(_ entityName: String) throws -> [ManagedObject] {
    try fetch(FetchRequest<ManagedObject>(entityName: entityName))
  }

  /// The names of the objects that match, sorted.
  func names(_ entityName: String = "Person", where format: String = "TRUEPREDICATE") throws
    -> [String]
  {
    try fetch(
      FetchRequest<ManagedObject>(
        entityName: entityName, predicate: FetchPredicate(format: format))
    ).map { $0.string("name") }.sorted()
  }
}

extension ManagedObject {
  /// The names of the objects of a relationship, in its order.
  func names(_ key: String) -> [String] {
    (entity.toOneIndex(key) == nil
      ? objects(forKey: key) : [object(forKey: key)].compactMap(\.self))
      .map { $0.string("name") }
  }
}

/// The error of managed objects that a closure must throw.
func managedObjectError(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> ManagedObjectError {
  let error = #expect(
    throws: ManagedObjectError.self, sourceLocation: sourceLocation, performing: body)
  return try #require(error, sourceLocation: sourceLocation)
}
