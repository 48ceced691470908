package import ObjectModel

extension StoreWriter {
  /// Describes the statements that a save would run, without running them.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: Readable statements, values in place, one a line; `…` stands in long ones.
  package func explain(_ request: SaveRequest) -> [String] {
    var lines: [String] = []
    for link in request.unlinked { lines += pair(link).map { delete($0.table, $0.columns) } ?? [] }
    for change in request.updated { lines += update(change) }
    for deletion in request.deleted { lines += delete(deletion) }
    for change in request.inserted { lines += insert(change) }
    for link in request.linked { lines += pair(link).map { insert($0.table, $0.columns) } ?? [] }
    return lines
  }

  /// A column and what is written to it.
  private typealias Column = (name: String, value: SQL)

  private func update(_ change: RowChange) -> [String] {
    guard let scope = try? QueryScope(entityName: change.id.entityName, layout: layout) else {
      return []
    }
    let columns = columns(of: change, in: scope)
    guard !columns.isEmpty else { return [] }
    let sql =
      .raw("UPDATE ") + SQL.name(scope.table.name) + .raw(" SET ")
      + columns.map { .name($0.name) + .raw(" = ") + $0.value }.joined(", ")
      + .raw(" WHERE ") + conditions(identity(change.id, scope.table))
    return [sql.readable + ";"]
  }

  private func delete(_ deletion: RowDeletion) -> [String] {
    guard let table = layout.tables[deletion.id.entityName] else { return [] }
    return delete(table.name, identity(deletion.id, table))
  }

  private func delete(_ table: String, _ columns: [Column]) -> [String] {
    let sql =
      .raw("DELETE FROM ") + SQL.name(table) + .raw(" WHERE ") + conditions(columns)
    return [sql.readable + ";"]
  }

  private func insert(_ change: RowChange) -> [String] {
    guard let scope = try? QueryScope(entityName: change.id.entityName, layout: layout) else {
      return []
    }
    var columns = columns(of: change, in: scope)
    if case .rowid(let name) = scope.table.key, case .integer(let key) = change.id.key,
      !columns.contains(where: { $0.name == name })
    {
      columns.insert((name, .value(.integer(key))), at: 0)
    }
    return insert(scope.table.name, columns)
  }

  private func insert(_ table: String, _ columns: [Column]) -> [String] {
    let values =
      columns.isEmpty
      ? SQL.raw("DEFAULT VALUES")
      : columns.map { .name($0.name) }.joined(", ").inParentheses + .raw(" VALUES ")
        + columns.map(\.value).joined(", ").inParentheses
    return [(.raw("INSERT INTO ") + SQL.name(table) + .raw(" ") + values).readable + ";"]
  }

  private func pair(_ link: ObjectLink) -> (table: String, columns: [Column])? {
    guard
      case .join(let table)? = layout.tables[link.source.entityName]?
        .toMany[link.relationshipName]
    else { return nil }
    let columns =
      values(table.sourceColumns, link.source) + values(table.destinationColumns, link.destination)
    return (table.name, columns)
  }

  private func columns(of change: RowChange, in scope: QueryScope) -> [Column] {
    var columns: [String: SQL] = [:]
    for (name, value) in change.values {
      guard let place = scope.entity.attributeIndex(name), place < scope.table.columns.count,
        !scope.entity.attributes[place].isReadOnly
      else { continue }
      columns[scope.table.columns[place]] = .value(value)
    }
    for (name, destination) in change.toOne {
      guard let toOne = scope.table.toOne[name], !toOne.isInverse else { continue }
      let referenced = destination.map { values(toOne.columns, $0) }
      for column in referenced ?? toOne.columns.map({ ($0, .value(.null)) }) {
        columns[column.name] = column.value
      }
    }
    let attributes = scope.table.columns
    let others = columns.keys.filter { !attributes.contains($0) }.sorted()
    return (attributes + others).compactMap { name in columns[name].map { (name, $0) } }
  }

  private func identity(_ id: ObjectID, _ table: EntityTable) -> [Column] {
    values(table.keyColumnNames, id)
  }

  /// Columns that hold an object's key; a new object's is not known yet.
  private func values(_ columns: [String], _ id: ObjectID) -> [Column] {
    switch id.key {
    case .integer(let key): columns.map { ($0, .value(.integer(key))) }
    case .composite(let key): zip(columns, key).map { ($0, .value($1)) }
    case .temporary: columns.map { ($0, .raw("(key of the new \(id.entityName))")) }
    }
  }

  private func conditions(_ columns: [Column]) -> SQL {
    columns.map { .name($0.name) + .raw(" = ") + $0.value }.joined(" AND ")
  }
}
