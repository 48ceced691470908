import ObjectModel
import SQLQueries

extension StoreChecker {
  /// The attributes that an entity declares, without inherited ones, and their columns.
  func ownAttributes(of entity: EntityDescription) -> [(AttributeDescription, column: String)] {
    guard let table = layout.tables[entity.name] else { return [] }
    return layout.model.ownAttributes(of: entity).compactMap { attribute in
      entity.attributeIndex(attribute.name).map { (attribute, table.columns[$0]) }
    }
  }

  /// The condition that a row is of an entity or a subentity; nil if all rows of the table are.
  func isMember(of entityName: String, alias: SQL.Alias) -> SQL? {
    guard let table = layout.tables[entityName], let column = table.entityColumn,
      layout.model.entity(named: entityName)?.superentityName != nil
    else { return nil }
    let values = layout.model.entityNames(inheritingFrom: entityName).compactMap {
      column.values[$0]
    }
    return "\(column: column.name, of: alias) IN (\(values))"
  }

  /// The columns of a table's key.
  func keyColumns(of table: EntityTable, alias: SQL.Alias) -> [SQL] {
    switch table.key {
    case .rowid(let name): [.column(name, of: alias)]
    case .columns(let names): names.map { .column($0, of: alias) }
    case .none: ["''"]
    }
  }
}
