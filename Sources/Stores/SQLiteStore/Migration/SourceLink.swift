import ObjectModel
import SQLQueries

/// Where a store has the links of a relationship: the rows of a table, each with an owner and a
/// target of the relationship.
///
/// It is a table of the owners (a to-one), of the targets (the inverse of a to-one), or a join table.
struct SourceLink: Hashable {
  let table: String
  /// The columns with the keys of an owner and of a target.
  let owner: String
  let target: String
  /// The column with the target's order in the owner's list; nil if it has none.
  var order: String?
  /// The column with the owner's order in the target's list.
  var inverseOrder: String?
  /// The column with the number of the target's entity.
  var targetNumber: String?
  /// The entities that have the relationship and its inverse, or would have one.
  let ownerEntity: String
  let targetEntity: String

  /// The links seen from the targets.
  var flipped: SourceLink {
    SourceLink(
      table: table, owner: target, target: owner, order: inverseOrder, inverseOrder: order,
      ownerEntity: targetEntity, targetEntity: ownerEntity)
  }
}

extension StoreLayout {
  /// Where the links of a relationship are; nil if the store does not have them.
  func link(_ relationship: RelationshipDescription, of entityName: String) -> SourceLink? {
    guard let table = tables[entityName], let other = tables[relationship.destinationEntityName],
      let key = table.keyColumnNames.first, let otherKey = other.keyColumnNames.first
    else { return nil }
    let ownerEntity = ModelTopology(model: model).end(relationship.name, of: entityName).entity
    func link(
      _ table: String, _ owner: String?, _ target: String?, order: String? = nil,
      inverseOrder: String? = nil, targetNumber: String? = nil
    ) -> SourceLink? {
      guard let owner, let target else { return nil }
      return SourceLink(
        table: table, owner: owner, target: target, order: order, inverseOrder: inverseOrder,
        targetNumber: targetNumber, ownerEntity: ownerEntity,
        targetEntity: relationship.destinationEntityName)
    }
    if let toOne = table.toOne[relationship.name] {
      return toOne.isInverse
        ? link(other.name, toOne.referenced.first, otherKey)
        : link(
          table.name, key, toOne.columns.first, inverseOrder: toOne.orderColumn,
          targetNumber: toOne.entityColumn)
    }
    switch table.toMany[relationship.name] {
    case .foreignKey(let foreign):
      return link(other.name, foreign.columns.first, otherKey, order: foreign.orderColumn)
    case .join(let join):
      return link(
        join.name, join.sourceColumns.first, join.destinationColumns.first,
        order: join.orderColumn, inverseOrder: join.inverseOrderColumn)
    case nil: return nil
    }
  }

  /// The entities that have rows in a table.
  func entities(in table: String) -> [EntityDescription] {
    model.entities.filter { tables[$0.name]?.name == table }
  }

  /// The condition that a row is of one of some entities; nil if its table has rows of no others.
  func isRow(of names: Set<String>, in table: EntityTable, alias: SQL.Alias) -> SQL? {
    guard let column = table.entityColumn, !column.values.keys.allSatisfy(names.contains) else {
      return nil
    }
    let values = column.values.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.map(
      \.value)
    return "\(column: column.name, of: alias) IN (\(values))"
  }
}
