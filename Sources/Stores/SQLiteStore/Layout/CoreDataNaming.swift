import ObjectModel

/// The names of Core Data's tables and columns for a model: core-data-stores 4.
///
/// They are the names in a new store. Those of an existing store may differ: see
/// ``CoreDataLayoutBuilder``.
struct CoreDataNaming {
  /// The content of a column.
  enum Role: Hashable {
    /// An attribute's value.
    case attribute
    /// The foreign key of a to-one.
    case toOne
    /// The entity number of a to-one's destination.
    case entity
    /// The order key in an ordered to-many.
    case order
    /// The foreign key of the owner of a to-many without an inverse.
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
  /// The entity numbers by name: those of a store, or of a new one.
  let numbers: [String: Int64]
  /// Of relationships from an entity to itself, those that name the join table; if neither of two is
  /// among them, the ordered one does, else the first.
  var namers: Set<RelationshipName> = []

  /// The entity numbers of a new store: from 1, depth-first, siblings by name without case.
  ///
  /// See core-data-stores 4.1.
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

  /// The root entity of an entity.
  func root(of entityName: String) -> String { topology.root(of: entityName) }

  /// The name of an entity's table.
  func tableName(of entityName: String) -> String { "Z" + root(of: entityName).uppercased() }

  /// The number of an entity; 0 for an unknown name.
  func number(of entityName: String) -> Int64 { numbers[entityName] ?? 0 }

  /// Whether an entity has subentities.
  func hasSubentities(_ entityName: String) -> Bool {
    model.entityNames(inheritingFrom: entityName).count > 1
  }

  /// The entity that declares a relationship: the entity itself or a superentity.
  func owner(of relationship: String, in entity: EntityDescription) -> EntityDescription {
    model.entity(named: topology.end(relationship, of: entity.name).entity) ?? entity
  }
}
