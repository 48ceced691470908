public import Foundation
public import ManagedObjects
public import ObjectModel

extension ManagedObjectContext {
  /// Fetches what a request describes.
  ///
  /// A class that the request names is registered for the entity if none is.
  ///
  /// - Parameter request: The request.
  /// - Returns: Objects, IDs, dictionaries or a number, as its `resultType` says.
  /// - Throws: `ManagedObjectError` if the store cannot be read, or the results are of another class;
  ///   `FetchPredicateError` if the predicate does not fit the entity.
  public func fetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    try request.settings.checkGroups()
    let plain = try request.settings.value()
    registerIfNeeded(ResultType.self, for: plain)
    switch request.resultType {
    case .managedObjectResultType:
      let objects = try fetch(plain)
      if !request.returnsObjectsAsFaults { try prefetch(objects.map(\.objectID)) }
      return try objects.map(request.typed)
    case .managedObjectIDResultType:
      return try fetch(plain).map { try request.typed($0.objectID) }
    case .dictionaryResultType:
      return try request.settings.dictionaries(plain, in: self).map(request.typed)
    case .countResultType:
      return [try request.typed(NSNumber(value: try count(for: plain)))]
    }
  }

  /// Counts the objects that a request would return, without reading them.
  ///
  /// - Parameter request: The request.
  /// - Returns: The number.
  /// - Throws: As `fetch(_:)`.
  public func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    try count(for: request.settings.value())
  }

  /// Registers the class of a request's results, if they are objects, and none is registered.
  func registerIfNeeded(_ resultType: Any.Type, for request: FetchRequest<ManagedObject>) {
    guard let type = resultType as? ManagedObject.Type else { return }
    registerIfNeeded(type, forEntity: request.entityName)
  }
}

/// What a fetch request may return; `NSFetchRequest<NSFetchRequestResult>` returns any of them.
public protocol NSFetchRequestResult {}

extension ManagedObject: NSFetchRequestResult {}
extension ObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// What a fetch request returns.
public enum NSFetchRequestResultType: Hashable, Sendable {
  /// Objects.
  case managedObjectResultType
  /// The IDs of objects.
  case managedObjectIDResultType
  /// Dictionaries of the properties to fetch. Unsaved changes are included, unlike in Core Data.
  case dictionaryResultType
  /// The number of objects, as one number.
  case countResultType
}
