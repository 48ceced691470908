package import ObjectModel

/// The start of key paths in a query: a table with an alias, and the joins that the key paths need.
package final class QueryScope {
  /// Creates the aliases of one statement.
  package final class Aliases {
    private var count = 0

    package func next() -> SQL.Alias {
      defer { count += 1 }
      return SQL.Alias(number: count)
    }
  }

  package let layout: StoreLayout
  package let entity: EntityDescription
  package let table: EntityTable
  let alias: SQL.Alias
  package let aliases: Aliases
  private let first: SQL
  private var joins: [SQL] = []
  private var joined: [String: QueryScope] = [:]
  /// The scope whose FROM clause contains this scope's joins; nil if this scope is not a join.
  private unowned let root: QueryScope?

  /// Creates the scope of an entity's table.
  ///
  /// - Throws: ``StoreError`` if there is no such entity.
  package convenience init(entityName: String, layout: StoreLayout, aliases: Aliases = Aliases())
    throws(StoreError)
  {
    try self.init(entityName: entityName, layout: layout, aliases: aliases, root: nil)
  }

  private init(entityName: String, layout: StoreLayout, aliases: Aliases, root: QueryScope?)
    throws(StoreError)
  {
    guard let entity = layout.model.entity(named: entityName),
      let table = layout.tables[entityName]
    else {
      throw StoreError(
        .unknownName, doing: "reading", subject: entityName,
        detail: "there is no entity \"\(entityName)\"")
    }
    self.layout = layout
    self.entity = entity
    self.table = table
    self.aliases = aliases
    self.root = root
    alias = aliases.next()
    first = "\(table.source) \(alias)"
  }

  /// What follows FROM: the table, and the joins that have been needed so far.
  ///
  /// Read it after all key paths were followed.
  package var from: SQL { ([first] + joins).joined(" ") }

  /// The whole row of the scope's table, for a function of all its values, or a lock.
  package var wholeRow: SQL { "\(alias)" }

  /// A column of the scope's table.
  package func column(_ name: String) -> SQL { .column(name, of: alias) }

  /// Columns of the scope's table.
  package func columns(_ names: [String]) -> [SQL] { .columns(names, of: alias) }

  /// The columns of the key; the row number for a table without a key.
  package var keyColumns: [SQL] { columns(table.keyColumnNames) }

  /// What rows are ordered by if they are equal in all else: their keys, whose texts are compared
  /// as those of IDs are, whatever the collation of their columns.
  package var keyOrder: [SQL] {
    table.hasRowid ? keyColumns : keyColumns.map { "\($0) COLLATE BINARY" }
  }

  /// The column that identifies a row's entity; nil if the scope's entity has no subentities in its
  /// table.
  package var entityColumn: SQL? {
    layout.entityNames(of: entity.name).count > 1 ? table.entityColumn.map { column($0.name) } : nil
  }

  /// The condition that a row is of the scope's entity; nil if the table has one entity.
  package func entityCondition(includingSubentities: Bool = true) -> SQL? {
    guard let own = table.entityColumn else { return nil }
    let values = entityValues(includingSubentities)
    // The unary + keeps SQLite from using an index on Z_ENT, which would not select but would lose
    // the order of the keys.
    let column: SQL =
      selectsEntity(includingSubentities: includingSubentities)
      ? column(own.name) : "+\(column(own.name))"
    if let (low, high) = values.consecutive { return "(\(column) BETWEEN \(low) AND \(high))" }
    return "\(column) IN (\(values))"
  }

  /// Whether some entities of the table are not the scope's, so that an index on the column that
  /// identifies a row's entity may help.
  package func selectsEntity(includingSubentities: Bool) -> Bool {
    guard let own = table.entityColumn else { return false }
    return names(includingSubentities).count { own.values[$0] != nil } < own.values.count
  }

  /// The values of the entity column for the scope's entity.
  func entityValues(_ includesSubentities: Bool) -> [Value] {
    names(includesSubentities).compactMap { table.entityColumn?.values[$0] }
  }

  private func names(_ includesSubentities: Bool) -> [String] {
    includesSubentities ? layout.entityNames(of: entity.name) : [entity.name]
  }

  /// The column of an attribute.
  func operand(_ attribute: AttributeDescription) -> ColumnOperand? {
    guard let index = entity.attributeIndex(attribute.name), index < table.columns.count else {
      return nil
    }
    let affinity: ColumnAffinity =
      table.key == .none ? .unknown : ColumnAffinity(declaredType: attribute.declaredType)
    return ColumnOperand(
      sql: column(table.columns[index]), attribute: attribute, affinity: affinity)
  }

  /// The scope of a to-one relationship's destination; the join is made once.
  func destination(of relationship: RelationshipDescription) throws(StoreError) -> QueryScope {
    if let scope = joined[relationship.name] { return scope }
    guard let toOne = table.toOne[relationship.name] else {
      throw unsupported("the relationship \"\(relationship.name)\" has no columns")
    }
    let scope = try QueryScope(
      entityName: relationship.destinationEntityName, layout: layout, aliases: aliases,
      root: root ?? self)
    let condition: SQL
    if toOne.referencesKey {
      condition = .equal(scope.columns(toOne.referenced), columns(toOne.columns))
    } else {
      // The referenced columns may not be unique: the row with the least key counts, as in memory.
      let other = aliases.next()
      let keys: [SQL] = .columns(scope.table.keyColumnNames, of: other)
      let match = SQL.equal(.columns(toOne.referenced, of: other), columns(toOne.columns))
      condition = """
        (\(scope.keyColumns)) = (SELECT \(keys) FROM \(scope.table.source) \(other) \
        WHERE \(match) ORDER BY \(keys) LIMIT 1)
        """
    }
    let join: SQL = "LEFT JOIN \(scope.first) ON \(condition)"
    if let root { root.joins.append(join) } else { joins.append(join) }
    joined[relationship.name] = scope
    return scope
  }

  /// Adds the join of a join table before all others.
  func join(_ sql: SQL) { joins.insert(sql, at: 0) }

  /// The error for something that cannot be translated to SQL.
  package func unsupported(_ detail: String) -> StoreError {
    StoreError(.unsupported, doing: "reading", subject: entity.name, detail: detail)
  }
}

extension [Value] {
  /// The least and the greatest of consecutive integers, as entity numbers of subentities are; nil
  /// for any other values.
  fileprivate var consecutive: (low: Value, high: Value)? {
    var numbers: [Int64] = []
    for case .integer(let number) in self { numbers.append(number) }
    guard numbers.count == count, count > 1, let low = numbers.min(), let high = numbers.max(),
      high.subtractingReportingOverflow(low) == (Int64(count - 1), false)
    else { return nil }
    return (.integer(low), .integer(high))
  }
}
