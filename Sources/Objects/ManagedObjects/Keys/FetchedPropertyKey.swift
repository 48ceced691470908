public import ObjectModel

/// A fetched property of a class, with the class of its objects.
///
///     final class Person: ManagedObject, EntityClass {
///       static let name = AttributeKey<Person, String>("name")
///       static let namesakes = FetchedPropertyKey<Person, Person>("namesakes")
///       static let properties: Properties = [
///         name,
///         FetchedProperty(
///           namesakes, predicate: "name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE",
///           sortedBy: [.init("name")]),
///       ]
///       var namesakes: [Person] { self[Person.namesakes] }
///     }
///
/// It only reads: the objects are found by the property's fetch request, and nothing is saved.
public struct FetchedPropertyKey<Object: ManagedObject, Destination: ManagedObject>: Sendable {
  /// The name of the fetched property.
  public let name: String

  /// Creates the key of a fetched property.
  ///
  /// - Parameter name: The name of the property in the model.
  public init(_ name: String) { self.name = name }
}

extension TypedObject {
  /// The objects of a fetched property, in the order of its fetch request.
  ///
  /// They are fetched when they are first asked for, and stay the same until the object is refreshed:
  /// see ``ManagedObject/fetchedObjects(forKey:)``. If they cannot be fetched, the error is reported
  /// to the context's `onError`, and there are none.
  public subscript<Destination>(key: FetchedPropertyKey<Self, Destination>) -> [Destination] {
    fetchedObjects(of: key.name)
  }
}

extension EntityClass {
  /// The objects of a fetched property of the superclass.
  @_disfavoredOverload
  public subscript<Destination>(key: FetchedPropertyKey<KeyOwner, Destination>) -> [Destination] {
    fetchedObjects(of: key.name)
  }
}

extension ManagedObject {
  fileprivate func fetchedObjects<Destination: ManagedObject>(of key: String) -> [Destination] {
    registerIfNeeded(Destination.self)
    do {
      return try fetchedObjects(forKey: key).compactMap { typed($0, key) }
    } catch {
      managedObjectContext?.report(error)
      return []
    }
  }
}

extension FetchedProperty {
  /// Creates the fetched property of a typed key.
  ///
  /// - Parameters:
  ///   - key: The key, which says the entity to fetch.
  ///   - predicate: The predicate format, with `$FETCH_SOURCE` for the object that has the property;
  ///     nil for all objects.
  ///   - sortDescriptors: The order; empty for that of the keys.
  ///   - fetchLimit: The greatest number of objects; 0 for no limit.
  ///   - userInfo: The user info dictionary.
  public init<Object, Destination>(
    _ key: FetchedPropertyKey<Object, Destination>, predicate: String?,
    sortedBy sortDescriptors: [FetchRequestTemplate.SortKey] = [], fetchLimit: Int = 0,
    userInfo: [String: String] = [:]
  ) {
    self.init(
      key.name, (Destination.self as? any EntityClass.Type)?.entityName ?? "\(Destination.self)",
      predicate: predicate, sortedBy: sortDescriptors, fetchLimit: fetchLimit, userInfo: userInfo,
      key: DeclaredKey(
        keyPath: KeyPathText.text([key.name]), isPath: false, owner: ObjectIdentifier(Object.self),
        ownerName: "\(Object.self)"))
  }
}
