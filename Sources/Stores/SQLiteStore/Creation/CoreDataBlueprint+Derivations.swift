import ObjectModel
import SQLQueries

extension CoreDataBlueprint {
  /// The derivation of an attribute that triggers compute.
  enum Derivation {
    /// The number of objects in a to-many.
    case count(of: RelationshipDescription)
    /// An attribute of a to-one's destination.
    case value(of: String, at: RelationshipDescription)
    /// The time of the last save.
    case now

    /// Parses a derivation; nil if there is no trigger for it.
    init?(_ derivation: AttributeDetails.Derivation?, of entity: EntityDescription) {
      guard let derivation, derivation.filter == nil,
        let predicate = try? FetchPredicate(format: "(\(derivation.expression)) == 0"),
        case .comparison(let comparison) = predicate.node
      else { return nil }
      switch comparison.left {
      case .function("now", []): self = .now
      case .function("count:", let arguments):
        guard case .keyPath(let path)? = arguments.first, path.count == 1 else { return nil }
        self.init(countOf: path[0], of: entity)
      case .keyPath(let path) where path.count == 2 && path[1] == "@count":
        self.init(countOf: path[0], of: entity)
      case .keyPath(let path) where path.count == 2:
        guard let relationship = entity.relationship(named: path[0]), !relationship.isToMany else {
          return nil
        }
        self = .value(of: path[1], at: relationship)
      default: return nil
      }
    }

    private init?(countOf name: String, of entity: EntityDescription) {
      guard let relationship = entity.relationship(named: name), relationship.isToMany else {
        return nil
      }
      self = .count(of: relationship)
    }
  }

  /// Adds the triggers that update an entity's own derived attributes: core-data-stores 4.5.
  ///
  /// The triggers for counts over a to-one inverse and for values of a to-one's destination are
  /// those of real stores. Those for counts over a join table and for the time of the last save are
  /// our own, named in the same way. Other derivations have no triggers: a save computes them.
  ///
  /// - Throws: ``StoreError`` if a derivation cannot be computed.
  mutating func addDerivations(of entity: EntityDescription) throws(StoreError) {
    for attribute in model.ownAttributes(of: entity) {
      guard let derivation = attribute.details.derivation,
        let column = column(of: attribute.name, in: entity.name)
      else { continue }
      let triggers = DerivationTriggers(
        table: naming.tableName(of: entity.name), entity: entity.name, attribute: attribute.name,
        column: column, members: members(of: entity))
      if let statements = statements(derivation, of: entity, triggers) {
        additions += statements
      } else if DerivedAttribute(attribute, of: entity) == nil {
        throw Self.refusal(
          "\(entity.name).\(attribute.name)",
          "it is derived as “\(derivation.expression)”, which cannot be computed",
          "make it an ordinary attribute")
      }
    }
  }

  /// The numbers of the entities with a subentity's attributes; nil for a root entity's attributes,
  /// which all rows have.
  private func members(of entity: EntityDescription) -> [Int64]? {
    entity.superentityName == nil
      ? nil : model.entityNames(inheritingFrom: entity.name).map(naming.number).sorted()
  }

  private func statements(
    _ derivation: AttributeDetails.Derivation, of entity: EntityDescription,
    _ triggers: DerivationTriggers
  ) -> [String]? {
    switch Derivation(derivation, of: entity) {
    case .now:
      let columns = tables.first { $0.name == triggers.table }?.columns.map(\.name) ?? []
      return triggers.now(columns: columns.filter { $0 != triggers.column })
    case .count(let relationship): return counting(relationship, of: entity, triggers)
    case .value(let name, let relationship):
      guard let link = column(of: relationship.name, in: entity.name),
        let source = column(of: name, in: relationship.destinationEntityName)
      else { return nil }
      return triggers.value(
        of: source, in: naming.tableName(of: relationship.destinationEntityName), by: link)
    case nil: return nil
    }
  }

  private func counting(
    _ relationship: RelationshipDescription, of entity: EntityDescription,
    _ triggers: DerivationTriggers
  ) -> [String]? {
    let destination = relationship.destinationEntityName
    let owner = naming.owner(of: relationship.name, in: entity).name
    for join in naming.joins where !join.isReflexive {
      for (side, other) in [(join.first, join.second), (join.second, join.first)]
      where side.owner == owner && side.relationship == relationship.name {
        return triggers.count(ofPairsIn: join.first.tableName, by: other.column)
      }
    }
    let hidden = columns[naming.root(of: destination)]?.first {
      $0.role == .hidden && $0.owner == owner && $0.property == relationship.name
    }?.name
    let key = relationship.inverseName.flatMap { column(of: $0, in: destination) } ?? hidden
    return key.map { triggers.count(in: naming.tableName(of: destination), by: $0) }
  }
}
