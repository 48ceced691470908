/// A fetch that a model keeps: a template by name, or what a fetched property fetches.
public struct FetchRequestTemplate: Hashable, Sendable {
  /// The entity to fetch.
  public var entityName: String
  /// The condition in the words of a predicate, which may hold variables as `$FETCH_SOURCE`; nil for all objects.
  public var predicate: String?
  /// Key paths to sort by, each with its direction.
  public var sortDescriptors: [SortKey]
  /// The greatest number of objects; 0 for no limit.
  public var fetchLimit: Int

  /// A key path to sort by.
  public struct SortKey: Hashable, Sendable, Codable {
    /// The key path.
    public var keyPath: String
    /// Whether it ascends.
    public var isAscending: Bool

    /// Describes a key.
    ///
    /// - Parameters:
    ///   - keyPath: The key path.
    ///   - isAscending: Whether it ascends.
    public init(_ keyPath: String, isAscending: Bool = true) {
      self.keyPath = keyPath
      self.isAscending = isAscending
    }
  }

  /// Describes a fetch.
  ///
  /// - Parameters:
  ///   - entityName: The entity to fetch.
  ///   - predicate: The condition.
  ///   - sortDescriptors: Key paths to sort by.
  ///   - fetchLimit: The greatest number of objects.
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

/// A property that is a fetch: it is in no store, and objects of it are found anew each time.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// What it fetches.
  public var fetchRequest: FetchRequestTemplate
  /// What the model says of any property.
  public var details: PropertyDetails

  /// Describes a fetched property.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - fetchRequest: What it fetches.
  ///   - details: What the model says of any property.
  public init(
    _ name: String, fetchRequest: FetchRequestTemplate,
    details: PropertyDetails = PropertyDetails()
  ) {
    self.name = name
    self.fetchRequest = fetchRequest
    self.details = details
  }
}

/// An attribute made of others, which stand in columns of their own.
public struct CompositeAttributeDescription: Hashable, Sendable {
  /// Its name; that of a nested one is its path (`address.place`).
  public var name: String
  /// The name of the composite type in the model; nil when it has none.
  public var typeName: String?
  /// What the model says of any property.
  public var details: PropertyDetails

  /// Describes a composite attribute.
  ///
  /// - Parameters:
  ///   - name: Its name or path.
  ///   - typeName: The name of the composite type.
  ///   - details: What the model says of any property.
  public init(
    _ name: String, typeName: String? = nil, details: PropertyDetails = PropertyDetails()
  ) {
    self.name = name
    self.typeName = typeName
    self.details = details
  }
}
