/// Describes the entities of a store.
public struct ManagedObjectModel: Hashable, Sendable {
  /// The entities, in the order a person should see them.
  public let entities: [EntityDescription]
  /// What a compiled model says beside; empty for other stores.
  public let details: ModelDetails

  private let indexes: [String: Int]
  private let children: [String: [String]]

  /// Makes a model of entities that have been checked: see `validate()`.
  ///
  /// - Parameters:
  ///   - entities: The entities. Of two with one name the first counts.
  ///   - details: What a compiled model says beside.
  public init(entities: [EntityDescription], details: ModelDetails = ModelDetails()) {
    self.entities = entities
    self.details = details
    indexes = Dictionary(
      zip(entities.map(\.name), entities.indices), uniquingKeysWith: { first, _ in first })
    children = Dictionary(
      grouping: entities.filter { $0.superentityName != nil }.map(\.name),
      by: { [entities, indexes] in indexes[$0].flatMap { entities[$0].superentityName } ?? "" })
  }

  /// The entity of a name; nil when there is none.
  public func entity(named name: String) -> EntityDescription? {
    indexes[name].map { entities[$0] }
  }

  /// The names of the entities that inherit from an entity directly, in the model's order.
  func directSubentityNames(of name: String) -> [String] { children[name] ?? [] }

  /// The names of the entities that inherit from an entity, itself first, at any depth.
  public func entityNames(inheritingFrom name: String) -> [String] {
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
