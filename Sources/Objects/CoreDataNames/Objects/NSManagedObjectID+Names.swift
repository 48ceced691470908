public import Foundation
public import ManagedObjects
public import ObjectModel

extension ObjectID {
  /// Whether the object has not been saved yet.
  public var isTemporaryID: Bool { isTemporary }

  /// The ID as a URL: `x-coredata://STORE/Entity/p12`.
  ///
  /// - Returns: The URL, for `managedObjectID(forURIRepresentation:)`.
  public func uriRepresentation() -> URL {
    guard let url = URL(string: uriRepresentation) else {
      preconditionFailure("\(uriRepresentation) is not a URL.")
    }
    return url
  }
}

extension PersistentStoreCoordinator {
  /// The model of the store.
  public var managedObjectModel: NSManagedObjectModel { model }

  /// The ID of a URL.
  ///
  /// - Parameter url: What `uriRepresentation()` returned, of an object that was saved.
  /// - Returns: The ID; nil if it is not an ID of this store.
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    guard let id = ObjectID(uriRepresentation: url.absoluteString),
      id.storeIdentifier == store.identifier(of: id.entityName),
      model.entity(named: id.entityName) != nil
    else { return nil }
    return id
  }
}
