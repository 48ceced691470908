import ObjectModel

/// How Core Data calls the tables and columns of a model: core-data-stores 4, and nothing of any store.
///
/// The names are what a new store would have. A store that is there is read by them and may differ: see
/// ``CoreDataLayoutBuilder``.
struct CoreDataNaming {
  /// What a column holds.
  enum Role: Hashable {
    /// An attribute's value.
    case attribute
    /// The key of a to-one's destination.
    case toOne
    /// The number of that destination's own entity.
    case entity
    /// The place in the ordered to-many at the other end.
    case order
    /// The key of the owner of a to-many without an inverse.
    case hidden
  }

  /// A column of an entity's table.
  struct Column: Hashable {
    let name: String
    /// The entity that declares the property.
    let owner: String
    let property: String
    let role: Role
  }

  let model: ManagedObjectModel
  /// The numbers of the entities by name.
  let numbers: [String: Int64]

  /// Names the tables and columns of a model.
  ///
  /// - Parameters:
  ///   - model: The model, whole.
  ///   - numbers: The number of each of its entities: a store's own, or those of a new one.
  init(model: ManagedObjectModel, numbers: [String: Int64]) {
    self.model = model
    self.numbers = numbers
  }

  /// The numbers that a new store gives its entities: from 1, each before its sub-entities, by name without case
  /// (core-data-stores 4.1).
  static func numbers(of model: ManagedObjectModel) -> [String: Int64] {
    let below = Dictionary(grouping: model.entities.map(\.name)) {
      model.entity(named: $0)?.superentityName ?? ""
    }
    func sorted(_ names: [String]) -> [String] {
      names.map { ($0.uppercased(), $0) }.sorted { $0 < $1 }.map(\.1)
    }
    var numbers: [String: Int64] = [:]
    var waiting: [String] = sorted(below[""] ?? []).reversed()
    while let name = waiting.popLast() {
      guard numbers[name] == nil else { continue }
      numbers[name] = Int64(numbers.count + 1)
      waiting += sorted(below[name] ?? []).reversed()
    }
    return numbers
  }

  private var topology: ModelTopology { ModelTopology(model: model) }

  /// The entity at the top of another's hierarchy.
  func root(of entityName: String) -> String { topology.root(of: entityName) }

  /// The name of the table in which an entity stands.
  func tableName(of entityName: String) -> String { "Z" + root(of: entityName).uppercased() }

  /// The number of an entity; 0 for one that is none.
  func number(of entityName: String) -> Int64 { numbers[entityName] ?? 0 }

  /// Whether other entities inherit from an entity.
  func hasSubentities(_ entityName: String) -> Bool {
    model.entityNames(inheritingFrom: entityName).count > 1
  }

  /// The entity that declares a relationship, which may stand above the one that has it.
  func owner(of relationship: String, in entity: EntityDescription) -> EntityDescription {
    model.entity(named: topology.end(relationship, of: entity.name).entity) ?? entity
  }
}
