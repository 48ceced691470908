import ObjectModel
import SQLQueries

extension CoreDataBlueprint {
  /// Adds the indexes that every table has, on foreign keys and on Z_ENT: core-data-stores 4.5.
  mutating func addIndexes(of root: String) {
    let table = naming.tableName(of: root)
    for column in columns[root] ?? [] where column.role == .toOne || column.role == .hidden {
      addIndex("\(table)_\(column.name)_INDEX", on: table, [CoreDataTable.identifier(column.name)])
    }
    if naming.hasSubentities(root) { addIndex("\(table)_Z_ENT_INDEX", on: table, ["Z_ENT"]) }
  }

  /// Adds the indexes and uniqueness constraints that an entity declares.
  ///
  /// Indexes of the old form are added only if the model has no fetch indexes: with fetch indexes
  /// they are meant for older systems.
  mutating func addIndexes(of entity: EntityDescription) {
    let table = naming.tableName(of: entity.name)
    if model.entities.contains(where: { !$0.details.fetchIndexes.isEmpty }) {
      for index in entity.details.fetchIndexes { add(index, of: entity) }
    } else {
      addOldIndexes(of: entity)
    }
    for constraint in model.ownUniquenessConstraints(of: entity) {
      let columns = constraint.compactMap { column(of: $0, in: entity.name) }
      guard !columns.isEmpty, columns.count == constraint.count else { continue }
      addIndex(
        "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))", on: table,
        columns.map { Self.ordered($0) }, isUnique: true)
    }
  }

  private mutating func add(_ index: FetchIndexDescription, of entity: EntityDescription) {
    guard index.elements.allSatisfy({ $0.kind == .binary }) else { return }
    // A to-one's foreign key already has an index.
    if index.elements.count == 1, entity.relationship(named: index.elements[0].property) != nil {
      return
    }
    let columns = index.elements.compactMap { element in
      column(of: element, in: entity).map { Self.ordered($0, isAscending: element.isAscending) }
    }
    guard !columns.isEmpty, columns.count == index.elements.count else { return }
    let condition = index.partialPredicate.flatMap { text in
      PartialIndexCondition { [self] in column(of: $0, in: entity.name) }.sql(text)
    }
    addIndex(
      "Z_\(entity.name)_\(index.name)", on: naming.tableName(of: entity.name), columns,
      where: condition)
  }

  private func column(of element: FetchIndexDescription.Element, in entity: EntityDescription)
    -> String?
  {
    guard element.isExpression else { return column(of: element.property, in: entity.name) }
    switch element.property.lowercased() {
    case "self": return "Z_PK"
    case "entity": return naming.hasSubentities(naming.root(of: entity.name)) ? "Z_ENT" : nil
    default: return nil
    }
  }

  /// Adds the indexes of models from before iOS 11 and macOS 10.13.
  private mutating func addOldIndexes(of entity: EntityDescription) {
    let table = naming.tableName(of: entity.name)
    for attribute in model.ownAttributes(of: entity) where attribute.details.property.isIndexed {
      guard let column = column(of: attribute.name, in: entity.name) else { continue }
      addIndex("\(table)_\(column)_INDEX", on: table, [CoreDataTable.identifier(column)])
    }
    for names in entity.details.compoundIndexes {
      let columns = names.compactMap { column(of: $0, in: entity.name) }
      guard !columns.isEmpty, columns.count == names.count else { continue }
      addIndex(
        "\(table)_\(columns.joined(separator: "_"))", on: table,
        columns.map(CoreDataTable.identifier))
    }
  }

  private static func ordered(_ column: String, isAscending: Bool = true) -> String {
    "\(CoreDataTable.identifier(column)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
  }
}
