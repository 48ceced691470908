package import ObjectModel

extension StoreWriter {
  /// Describes the statements that a save would run, without running them.
  ///
  /// - Parameter request: What would be written.
  /// - Returns: Readable statements, values in place, one a line; `…` stands in long ones.
  package func explain(_ request: SaveRequest) -> [String] {
    var lines: [String] = []
    for link in request.unlinked {
      lines +=
        hidden(link, isLinked: false) + (pair(link).map { delete($0.table, $0.columns) } ?? [])
    }
    for change in request.updated { lines += update(change) }
    for deletion in request.deleted { lines += delete(deletion) }
    for change in request.inserted { lines += insert(change) }
    for link in request.linked {
      lines +=
        hidden(link, isLinked: true) + (pair(link).map { insert($0.table, $0.columns) } ?? [])
    }
    if layout.coreData?.history != nil, !lines.isEmpty {
      lines.append("-- and a transaction of the history, with a change for each object")
    }
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
    return [update(scope.table, columns, of: change.id)]
  }

  private func update(_ table: EntityTable, _ columns: [Column], of id: ObjectID) -> String {
    var assignments = columns.map { SQL.name($0.name) + .raw(" = ") + $0.value }
    if layout.coreData != nil { assignments.append(.raw("\"Z_OPT\" = \"Z_OPT\" + 1")) }
    let sql =
      .raw("UPDATE ") + SQL.name(table.name) + .raw(" SET ") + assignments.joined(", ")
      + .raw(" WHERE ") + conditions(identity(id, table))
    return sql.readable + ";"
  }

  /// The statement that writes an owner's key into a hidden column.
  private func hidden(_ link: ObjectLink, isLinked: Bool) -> [String] {
    guard
      case .foreignKey(let key)? = layout.tables[link.source.entityName]?
        .toMany[link.relationshipName], key.isHidden,
      let table = layout.tables[link.destination.entityName]
    else { return [] }
    let columns =
      isLinked
      ? values(key.columns, link.source) : key.columns.map { (name: $0, value: SQL.value(.null)) }
    return [update(table, columns, of: link.destination)]
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
    if let schema = layout.coreData {
      let number = schema.entityNumbers[change.id.entityName].map(Value.integer) ?? .null
      columns =
        [
          ("Z_PK", change.id.isTemporary ? .raw("(the next key)") : columns[0].value),
          ("Z_ENT", .value(number)), ("Z_OPT", .value(.integer(1))),
        ] + columns.filter { $0.name != "Z_PK" }
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
      if let column = toOne.entityColumn {
        let number = destination.flatMap { layout.coreData?.entityNumbers[$0.entityName] }
        columns[column] = .value(number.map(Value.integer) ?? .null)
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
