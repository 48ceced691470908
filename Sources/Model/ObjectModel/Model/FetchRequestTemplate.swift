/// A fetch request in a Core Data model: a named template, or the request of a fetched property.
public struct FetchRequestTemplate: Hashable, Sendable {
  /// The name of the entity to fetch.
  public var entityName: String
  /// The predicate format, possibly with variables such as `$FETCH_SOURCE`; nil for all objects.
  public var predicate: String?
  /// The sort keys, in order.
  public var sortDescriptors: [SortKey]
  /// The maximum number of objects; 0 for no limit.
  public var fetchLimit: Int

  /// A key path to sort by, with its direction.
  public struct SortKey: Hashable, Sendable, Codable {
    /// The key path.
    public var keyPath: String
    /// Whether the order is ascending.
    public var isAscending: Bool

    /// Creates a sort key.
    public init(_ keyPath: String, isAscending: Bool = true) {
      self.keyPath = keyPath
      self.isAscending = isAscending
    }
  }

  /// Creates a fetch request template.
  public init(
    _ entityName: String, predicate: String? = nil, sortDescriptors: [SortKey] = [],
    fetchLimit: Int = 0
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
  }
}

/// Describes a fetched property: a fetch request whose result is not stored.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// The name of the property.
  package var name: String
  /// The fetch request.
  package var fetchRequest: FetchRequestTemplate
  /// What the model specifies for every kind of property.
  package var details: PropertyDetails

  /// Creates a fetched property description.
  package init(
    _ name: String, fetchRequest: FetchRequestTemplate,
    details: PropertyDetails = PropertyDetails()
  ) {
    self.name = name
    self.fetchRequest = fetchRequest
    self.details = details
  }
}

/// Describes a composite attribute, whose leaf attributes have a column each.
package struct CompositeAttributeDescription: Hashable, Sendable {
  /// The name, or for a nested composite its key path (`address.place`).
  package var name: String
  /// The name of the composite type in the model; nil if unknown.
  package var typeName: String?
  /// What the model specifies for every kind of property.
  package var details: PropertyDetails

  /// Creates a composite attribute description.
  package init(
    _ name: String, typeName: String? = nil, details: PropertyDetails = PropertyDetails()
  ) {
    self.name = name
    self.typeName = typeName
    self.details = details
  }
}
