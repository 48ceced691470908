import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores

/// A new store of a kind, and contexts on it.
final class ObjectStore {
  let coordinator: PersistentStoreCoordinator
  /// The file; nil in memory. It is removed with this object.
  let database: TemporaryDatabase?

  init(_ kind: TestedStore, _ model: ManagedObjectModel) throws {
    let database = kind == .memory ? nil : try TemporaryDatabase()
    self.database = database
    coordinator = PersistentStoreCoordinator(
      store: try kind.makeStore(model, at: database?.path ?? "in memory"))
  }

  /// A new context, which lives as long as this object.
  func context() -> ManagedObjectContext {
    contexts.append(ManagedObjectContext(coordinator: coordinator))
    return contexts[contexts.count - 1]
  }

  private var contexts: [ManagedObjectContext] = []
}

extension ManagedObjectContext {
  /// Inserts an object with a name.
  @discardableResult
  func make(_ entityName: String, _ name: String) throws -> ManagedObject {
    let object = try insert(entityName: entityName)
    try object.setValue(.string(name), forKey: "name")
    return object
  }

  /// The object with a name, which must exist.
  func named(_ name: String, _ entityName: String) throws -> ManagedObject {
    guard
      let found = try fetch(FetchRequest<ManagedObject>(entityName: entityName))
        .first(where: { $0["name"] == .string(name) })
    else {
      throw ManagedObjectError(.gone, doing: "looking for \(name)", subject: entityName)
    }
    return found
  }

  /// The names of the objects of a relationship, in its order.
  func names(_ object: ManagedObject, _ key: String) -> [String] {
    object.objects(forKey: key).map { $0.string("name") }
  }

  /// The names of all objects of an entity that match, sorted.
  func names(_ entityName: String, where format: String, _ arguments: any PredicateArgument...)
    throws -> [String]
  {
    let predicate = try FetchPredicate(format: format, argumentArray: arguments)
    return try fetch(FetchRequest<ManagedObject>(entityName: entityName, predicate: predicate))
      .map { $0.string("name") }.sorted()
  }
}
