/// A uniqueness constraint of an ``Entity``.
public struct Unique: EntityMember {
  private let attributes: [String]

  /// Creates a uniqueness constraint.
  ///
  /// - Parameter attributes: The names of the attributes whose combined values are unique.
  public init(_ attributes: String...) { self.attributes = attributes }

  package init(names: [String]) { attributes = names }

  /// Adds the constraint to an entity.
  public func add(to entity: inout Entity) { entity.uniquenessConstraints.append(attributes) }
}

/// An index of an ``Entity``, by which the store finds objects and orders them.
public struct FetchIndex: EntityMember {
  private let properties: [String]

  /// Creates an index, whose name follows from the properties: `byNameAndCity`.
  ///
  /// - Parameter properties: The names of attributes and to-one relationships, the most significant
  ///   first.
  public init(_ properties: String...) { self.properties = properties }

  package init(names: [String]) { properties = names }

  /// Adds the index to an entity.
  public func add(to entity: inout Entity) {
    let words = properties.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    entity.details.fetchIndexes.append(
      FetchIndexDescription(
        "by" + words.joined(separator: "And"),
        elements: properties.map { FetchIndexDescription.Element($0) }))
  }
}

/// A fetch request template of an ``Entity``: a named request for its objects, with variables.
///
///     FetchTemplate("byTitle", predicate: "title BEGINSWITH[c] $START", sortedBy: [.init("title")])
public struct FetchTemplate: EntityMember {
  private let name: String
  private let predicate: String?
  private let sortDescriptors: [FetchRequestTemplate.SortKey]
  private let fetchLimit: Int

  /// Creates a template.
  ///
  /// - Parameters:
  ///   - name: Its name, which no other template of the model has.
  ///   - predicate: The predicate format, possibly with variables; nil for all objects.
  ///   - sortDescriptors: The sort keys, in order.
  ///   - fetchLimit: The maximum number of objects; 0 for no limit.
  public init(
    _ name: String, predicate: String? = nil,
    sortedBy sortDescriptors: [FetchRequestTemplate.SortKey] = [], fetchLimit: Int = 0
  ) {
    self.name = name
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
  }

  /// Adds the template to an entity.
  public func add(to entity: inout Entity) {
    entity.fetchRequestTemplates[name] = FetchRequestTemplate(
      entity.name, predicate: predicate, sortDescriptors: sortDescriptors, fetchLimit: fetchLimit)
  }
}

/// What an ``Entity`` has besides its properties.
public struct EntityOptions: EntityMember {
  private let isAbstract: Bool
  private let renamingIdentifier: String?
  private let userInfo: [String: String]

  /// Creates options.
  ///
  /// - Parameters:
  ///   - isAbstract: Whether only its sub-entities have objects.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init(
    isAbstract: Bool = false, renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.isAbstract = isAbstract
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }

  /// Sets the options of an entity.
  public func add(to entity: inout Entity) {
    if isAbstract { entity.isAbstract = true }
    entity.details.renamingIdentifier = renamingIdentifier
    entity.details.userInfo = userInfo
  }
}
