/// A fetched property of an ``Entity``: the objects that a fetch request finds, which are not
/// stored.
public struct FetchedProperty: EntityMember {
  private let description: FetchedPropertyDescription
  private let key: DeclaredKey?

  /// Creates a fetched property.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - entityName: The entity to fetch.
  ///   - predicate: The predicate format, with `$FETCH_SOURCE` for the object that has the property
  ///     and `$FETCHED_PROPERTY.userInfo.key` for entries of the user info; nil for all objects.
  ///   - sortDescriptors: The order; empty for that of the keys.
  ///   - fetchLimit: The greatest number of objects; 0 for no limit.
  ///   - userInfo: The user info dictionary.
  public init(
    _ name: String, _ entityName: String, predicate: String?,
    sortedBy sortDescriptors: [FetchRequestTemplate.SortKey] = [], fetchLimit: Int = 0,
    userInfo: [String: String] = [:]
  ) {
    self.init(
      name, entityName, predicate: predicate, sortedBy: sortDescriptors, fetchLimit: fetchLimit,
      userInfo: userInfo, key: nil)
  }

  /// Creates a fetched property that a typed key declares.
  package init(
    _ name: String, _ entityName: String, predicate: String?,
    sortedBy sortDescriptors: [FetchRequestTemplate.SortKey], fetchLimit: Int,
    userInfo: [String: String], key: DeclaredKey?
  ) {
    description = FetchedPropertyDescription(
      name,
      fetchRequest: FetchRequestTemplate(
        entityName, predicate: predicate, sortDescriptors: sortDescriptors, fetchLimit: fetchLimit),
      details: PropertyDetails(userInfo: userInfo))
    self.key = key
  }

  /// Adds the fetched property to an entity.
  public func add(to entity: inout Entity) {
    if let key { entity.keys.append(key) }
    entity.details.fetchedProperties.append(description)
  }
}
