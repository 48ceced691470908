import ObjectModel

// Columns that Core Data writes beside the values: core-data-stores 4.2 and 4.7.
extension SaveTransaction {
  /// What is written beside a to-one's key: the number of the destination's entity, and the place in its ordered to-many.
  ///
  /// Nothing for a plain database.
  func companions(
    of toOne: EntityTable.ToOne, _ destination: ObjectID?, _ key: [Value], _ change: RowChange,
    in scope: QueryScope
  ) throws(StoreError) -> [(String, Value)] {
    guard let coreData else { return [] }
    var columns: [(String, Value)] = []
    if let column = toOne.entityColumn {
      let number = try destination.map { id throws(StoreError) in
        Value.integer(try coreData.number(of: id.entityName))
      }
      columns.append((column, number ?? .null))
    }
    guard let column = toOne.orderColumn else { return columns }
    if case .integer(let owner)? = key.first, let ownerColumn = toOne.columns.first {
      // An object put back stands where it stood.
      let list = CoreDataSave.OrderedList(
        table: scope.table.name, orderColumn: column, ownerColumn: ownerColumn, owner: owner)
      if let old = change.otherColumns[column] {
        columns.append((column, old))
      } else {
        columns.append((column, try coreData.nextPlace(in: list)))
      }
    } else {
      columns.append((column, .null))
    }
    return columns
  }

  /// The columns of a new row that are no property's: its entity, its counter, and what it had when it was taken out.
  func ownColumns(of change: RowChange, besides written: Set<String>, in scope: QueryScope)
    throws(StoreError) -> [(name: String, value: Value)]
  {
    guard let coreData else { return [] }
    var columns: [(name: String, value: Value)] = [
      ("Z_ENT", .integer(try coreData.number(of: scope.entity.name))), ("Z_OPT", .integer(1)),
    ]
    guard !change.otherColumns.isEmpty else { return columns }
    let known = try coreData.otherColumns(of: scope.entity.name, in: scope.table)
    for name in known where !written.contains(name) {
      if let value = change.otherColumns[name] { columns.append((name, value)) }
    }
    return columns
  }

  /// What stands in the columns of a row that no property shows, so that it can be put back whole.
  func otherColumns(of id: ObjectID) throws(StoreError) -> [String: Value] {
    guard let coreData else { return [:] }
    let table = try scope(id.entityName).table
    let names = try coreData.otherColumns(of: id.entityName, in: table)
    guard !names.isEmpty else { return [:] }
    let sql =
      SQL.raw("SELECT ") + names.map(SQL.name).joined(", ") + .raw(" FROM ") + .name(table.name)
      + .raw(" WHERE ") + (try identity(id))
    guard let row = try statements.row(sql, columns: names.count) else { return [:] }
    return Dictionary(zip(names, row), uniquingKeysWith: { first, _ in first })
      .filter { !$0.value.isNull }
  }
}
