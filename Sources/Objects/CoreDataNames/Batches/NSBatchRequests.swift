@_exported public import class CoreDataPredicates.NSPredicate
import Foundation
import ManagedObjects
public import ObjectModel

/// What `NSManagedObjectContext.execute(_:)` takes: a batch request.
public class NSPersistentStoreRequest {
  /// What a batch request writes in a context.
  func run(in context: ManagedObjectContext) throws -> NSPersistentStoreResult {
    preconditionFailure("A subclass runs itself.")
  }
}

@available(*, unavailable, message: "It is mutable. Make one in the other domain.")
extension NSPersistentStoreRequest: Sendable {}

/// What the result of a batch request has.
public enum NSBatchRequestResultType: Hashable, Sendable {
  /// Whether it was written: true.
  case statusOnlyResultType, statusOnly, resultTypeStatusOnly
  /// The IDs of the objects.
  case objectIDs, resultTypeObjectIDs, updatedObjectIDsResultType
  /// The number of objects.
  case count, resultTypeCount, updatedObjectsCountResultType
}

/// What the result of a batch insertion has.
public typealias NSBatchInsertRequestResultType = NSBatchRequestResultType
/// What the result of a batch update has.
public typealias NSBatchUpdateRequestResultType = NSBatchRequestResultType
/// What the result of a batch deletion has.
public typealias NSBatchDeleteRequestResultType = NSBatchRequestResultType

/// Inserts objects into the store: a `BatchInsertRequest` as a class.
public final class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The entity.
  public let entityName: String
  /// The values of each object by attribute.
  public var objectsToInsert: [[String: Any]]?
  /// What the result has.
  public var resultType = NSBatchInsertRequestResultType.statusOnly

  /// Makes a request.
  public init(entityName: String, objects: [[String: Any]]) {
    self.entityName = entityName
    objectsToInsert = objects
  }

  /// Makes a request.
  public convenience init(entity: NSEntityDescription, objects: [[String: Any]]) {
    self.init(entityName: entity.name, objects: objects)
  }

  override func run(in context: ManagedObjectContext) throws -> NSPersistentStoreResult {
    let objects = try (objectsToInsert ?? []).map { try values(of: $0, entityName) }
    let result = try context.execute(BatchInsertRequest(entityName: entityName, objects: objects))
    return NSBatchInsertResult(resultType, result.insertedObjectIDs + result.updatedObjectIDs)
  }
}

/// Sets attributes of objects in the store: a `BatchUpdateRequest` as a class.
public final class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The entity.
  public let entityName: String
  /// The condition; nil for all objects.
  public var predicate: NSPredicate?
  /// Whether objects of subentities are included.
  public var includesSubentities = true
  /// The new values by the name of the attribute, or its description; expressions are not supported.
  public var propertiesToUpdate: [AnyHashable: Any]?
  /// What the result has.
  public var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  /// Makes a request.
  public init(entityName: String) { self.entityName = entityName }

  /// Makes a request.
  public convenience init(entity: NSEntityDescription) { self.init(entityName: entity.name) }

  override func run(in context: ManagedObjectContext) throws -> NSPersistentStoreResult {
    var named: [String: Any] = [:]
    for (key, value) in propertiesToUpdate ?? [:] {
      named[(key.base as? AttributeDescription)?.name ?? "\(key.base)"] = value
    }
    var request = BatchUpdateRequest(
      entityName: entityName, predicate: try predicate.map(FetchPredicate.init),
      propertiesToUpdate: try values(of: named, entityName))
    request.includesSubentities = includesSubentities
    return NSBatchUpdateResult(resultType, try context.execute(request).updatedObjectIDs)
  }
}

/// Deletes objects from the store: a `BatchDeleteRequest` as a class.
///
/// Delete rules are followed in full.
public final class NSBatchDeleteRequest: NSPersistentStoreRequest {
  private let request: () throws -> BatchDeleteRequest
  /// What the result has.
  public var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  /// Makes a request for what a fetch returns.
  public init<ResultType>(fetchRequest: NSFetchRequest<ResultType>) {
    request = { BatchDeleteRequest(try fetchRequest.settings.value()) }
  }

  /// Makes a request for objects by their IDs.
  public init(objectIDs: [NSManagedObjectID]) {
    request = { BatchDeleteRequest(objectIDs: objectIDs) }
  }

  override func run(in context: ManagedObjectContext) throws -> NSPersistentStoreResult {
    NSBatchDeleteResult(resultType, try context.execute(request()).deletedObjectIDs)
  }
}

/// Values as attributes have them.
private func values(of values: [String: Any], _ entityName: String) throws -> [String: Value] {
  try values.reduce(into: [:]) { result, pair in
    guard let value = Value(any: pair.value) else {
      throw ManagedObjectError.unknownType(
        of: pair.value, doing: "making a batch request", subject: "\(entityName).\(pair.key)")
    }
    result[pair.key] = value
  }
}
