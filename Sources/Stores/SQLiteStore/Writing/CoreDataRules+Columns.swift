import ObjectModel
import SQLQueries

// Columns that Core Data writes beside the values: core-data-stores 4.2 and 4.7.
extension CoreDataRules {
  /// The number of the destination's entity, and the order key in the ordered to-many that is the
  /// inverse.
  func columns(
    with toOne: EntityTable.ToOne, to destination: ObjectID?, key: [Value], of change: RowChange,
    in scope: QueryScope
  ) throws(StoreError) -> [ColumnValue] {
    var columns: [ColumnValue] = []
    if let column = toOne.entityColumn {
      let number = try destination.map { id throws(StoreError) in
        Value.integer(try self.number(of: id.entityName))
      }
      columns.append((column, number ?? .null))
    }
    guard let column = toOne.orderColumn else { return columns }
    let orderKey = try orders.orderKey(
      of: toOne, owner: key, in: scope.table.name, before: change.otherColumns[column])
    return columns + [(column, orderKey)]
  }

  /// The entity, the update counter, and the values of other columns that the row had when it was
  /// deleted.
  func ownColumns(of change: RowChange, besides written: [ColumnValue], in scope: QueryScope)
    throws(StoreError) -> [ColumnValue]
  {
    var columns: [ColumnValue] = [
      (ActualTable.entityColumn, .integer(try number(of: scope.entity.name))),
      (ActualTable.versionColumn, 1),
    ]
    guard !change.otherColumns.isEmpty else { return columns }
    let taken = Set(written.map(\.name))
    for name in try otherColumnNames(of: scope.entity.name) where !taken.contains(name) {
      if let value = change.otherColumns[name] { columns.append((name, value)) }
    }
    return columns
  }

  func otherColumns(of id: ObjectID) throws(StoreError) -> [String: Value] {
    let names = try otherColumnNames(of: id.entityName)
    guard !names.isEmpty, let row = try rows.values(of: names, in: id) else { return [:] }
    return Dictionary(firstOf: zip(names, row)).filter { !$0.value.isNull }
  }

  /// The columns of an entity's table that no property of it shows, without Z_PK, Z_ENT and Z_OPT.
  private func otherColumnNames(of entityName: String) throws(StoreError) -> [String] {
    if let known = otherColumnNames[entityName] { return known }
    let scope = try rows.scope(entityName)
    var shown = Set([
      ActualTable.keyColumn, ActualTable.entityColumn, ActualTable.versionColumn,
    ])
    for (attribute, column) in zip(scope.entity.attributes, scope.table.columns)
    where attribute.encoding != .externalData {
      shown.insert(column)
    }
    for toOne in scope.table.toOne.values {
      shown.formUnion(toOne.columns)
      if let column = toOne.entityColumn { shown.insert(column) }
    }
    let names = try rows.statements.rows(
      "SELECT name FROM pragma_table_info(\(.string(scope.table.name)))")
    let others = names.compactMap { $0.first?.text }.filter { !shown.contains($0) }
    otherColumnNames[entityName] = others
    return others
  }
}

// Ordered relationships and join tables as Core Data stores them: core-data-stores 4.4 and 4.7.
extension CoreDataRules {
  /// The order keys of a new row of a join table: after all others of both ends.
  func orderColumns(of source: [Value], _ destination: [Value], in table: EntityTable.JoinTable)
    throws(StoreError) -> [(name: String, value: SQL)]
  {
    var columns: [(name: String, value: SQL)] = []
    let ends = [
      (table.orderColumn, table.sourceColumns, source),
      (table.inverseOrderColumn, table.destinationColumns, destination),
    ]
    for (orderColumn, ownerColumns, owner) in ends {
      guard let orderColumn, let ownerColumn = ownerColumns.first,
        case .integer(let key)? = owner.first
      else { continue }
      let list = OrderWriter.OrderedList(
        table: table.name, orderColumn: orderColumn, ownerColumn: ownerColumn, owner: key)
      columns.append((orderColumn, .value(try orders.nextOrderKey(in: list))))
    }
    return columns
  }

  /// Whether the table is of a relationship that is its own inverse.
  func isMirrored(_ table: EntityTable.JoinTable) -> Bool {
    table.sourceColumns == [CoreDataNaming.Join.reflexiveColumn]
  }
}
