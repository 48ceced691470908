/// Describes the entities of a store.
public struct ManagedObjectModel: Hashable, Sendable {
  /// The entities, in the order in which lists show them.
  public let entities: [EntityDescription]
  /// What only Core Data models have; empty for plain databases.
  public let details: ModelDetails

  private let indexes: [String: Int]
  private let children: [String: [String]]

  /// Creates a model without checking it; see ``validate()``.
  ///
  /// - Parameters:
  ///   - entities: The entities. The first of two with the same name is used.
  ///   - details: What only Core Data models have.
  public init(entities: [EntityDescription], details: ModelDetails = ModelDetails()) {
    self.entities = entities
    self.details = details
    indexes = Dictionary(firstOf: zip(entities.map(\.name), entities.indices))
    children = Dictionary(
      grouping: entities.filter { $0.superentityName != nil }.map(\.name),
      by: { [entities, indexes] in indexes[$0].flatMap { entities[$0].superentityName } ?? "" })
  }

  /// The entity with a name; nil if there is none.
  public func entity(named name: String) -> EntityDescription? {
    indexes[name].map { entities[$0] }
  }

  /// The names of the direct sub-entities of an entity, in the model's order.
  func directSubentityNames(of name: String) -> [String] { children[name] ?? [] }

  /// The names of an entity and all its sub-entities, at any depth, the entity itself first.
  package func entityNames(inheritingFrom name: String) -> [String] {
    var names = [name]
    var seen: Set<String> = [name]
    var next = 0
    while next < names.count {
      names += (children[names[next]] ?? []).filter { seen.insert($0).inserted }
      next += 1
    }
    return names
  }
}

/// What only a Core Data model specifies for the whole model.
public struct ModelDetails: Hashable, Sendable {
  /// The configurations: names of entities by configuration name.
  public var configurations: [String: [String]]
  /// The fetch request templates, by name.
  public var fetchRequestTemplates: [String: FetchRequestTemplate]
  /// The version identifiers of the model, sorted.
  public var versionIdentifiers: [String]

  /// Creates details.
  public init(
    configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:], versionIdentifiers: [String] = []
  ) {
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    self.versionIdentifiers = versionIdentifiers
  }
}
