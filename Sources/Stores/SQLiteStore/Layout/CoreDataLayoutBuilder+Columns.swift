import ObjectModel
import SQLQueries

extension CoreDataLayoutBuilder {
  /// Finds the columns of the properties declared by the entities of one table: core-data-stores
  /// 4.2.
  mutating func findColumns(of root: String) {
    guard let table = locations[root]?.table else { return }
    for column in naming.columns(of: root) {
      let (owner, property) = (column.owner, column.property)
      switch column.role {
      case .attribute:
        let actual = table.column(column.name)
        found[owner, default: Found()].attributes[property] = actual
      case .toOne:
        guard let actual = table.column(column.name) else { continue }
        found[owner, default: Found()].toOne[property] = EntityTable.ToOne(
          columns: [actual.name], referenced: [ActualTable.keyColumn], referencesKey: true)
      case .entity:
        let actual = entityColumn(column.name, in: table)
        found[owner]?.toOne[property]?.entityColumn = actual
      case .order:
        let actual = table.column(column.name)?.name
        found[owner]?.toOne[property]?.orderColumn = actual
        guard case .foreignKey(var key)? = found[owner]?.toMany[property] else { continue }
        key.orderColumn = actual
        found[owner]?.toMany[property] = .foreignKey(key)
      case .hidden:
        guard let actual = table.columns(numbered: column.name).first else { continue }
        found[owner, default: Found()].toMany[property] = .foreignKey(
          EntityTable.ForeignKey(
            columns: [actual.name], referenced: [ActualTable.keyColumn], isHidden: true))
      }
    }
  }

  /// The column with the destination's entity number, named like `Z10_QUOTE`.
  ///
  /// After a migration its name may contain an older number: such a column is taken if it is the
  /// only one.
  private func entityColumn(_ name: String, in table: ActualTable) -> String? {
    if let exact = table.column(name) { return exact.name }
    guard let end = name.firstIndex(of: "_").map({ name[$0...] }) else { return nil }
    let others = table.columnNames.filter { other in
      guard other.hasPrefix("Z"), other.hasSuffix(end) else { return false }
      let digits = other.dropFirst().dropLast(end.count)
      return !digits.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) }
    }
    return others.count == 1 ? others[0] : nil
  }

  /// Finds the join tables, and assigns each to both of its relationships: core-data-stores 4.4.
  mutating func findJoins() {
    let finder = JoinTableFinder(tables: tables)
    for join in naming.joins {
      guard let table = finder.find(join) else { continue }
      let (first, second) = (join.first, join.second)
      found[first.owner, default: Found()].toMany[first.relationship] = .join(
        table.joinTable(
          isFirst: true, isOrdered: first.orderColumn != nil,
          isInverseOrdered: !join.isReflexive && second.orderColumn != nil))
      guard !join.isReflexive else { continue }
      found[second.owner, default: Found()].toMany[second.relationship] = .join(
        table.joinTable(
          isFirst: false, isOrdered: second.orderColumn != nil,
          isInverseOrdered: first.orderColumn != nil))
    }
  }

  /// Finds the to-many relationships of an entity with a to-one inverse, whose columns they use.
  mutating func findInverses(of entity: EntityDescription) {
    for relationship in entity.relationships where relationship.isToMany {
      guard let inverse = relationship.inverseName,
        let toOne = found[relationship.destinationEntityName]?.toOne[inverse]
      else { continue }
      found[entity.name, default: Found()].toMany[relationship.name] = .foreignKey(
        EntityTable.ForeignKey(
          columns: toOne.columns, referenced: toOne.referenced,
          orderColumn: relationship.isOrdered ? toOne.orderColumn : nil))
    }
  }
}
