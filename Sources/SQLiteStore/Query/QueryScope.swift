import ObjectModel

/// A place in a query where key paths start: a table under an alias, with the joins that key paths from it need.
final class QueryScope {
  /// Hands out aliases, one series a statement.
  final class Aliases {
    private var count = 0

    func next() -> SQL.Alias {
      defer { count += 1 }
      return SQL.Alias(number: count)
    }
  }

  /// The column that numbers the rows of a keyless table.
  static let placeColumn = "cardfile_place"

  let layout: StoreLayout
  let entity: EntityDescription
  let table: EntityTable
  let alias: SQL.Alias
  let aliases: Aliases
  private let first: SQL
  private var joins: [SQL] = []
  private var joined: [String: QueryScope] = [:]
  /// The scope whose FROM holds this one's joins, for a scope that is itself a join.
  private unowned let root: QueryScope?

  /// Starts a scope at an entity's table.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - layout: Where entities stand.
  ///   - aliases: The statement's aliases.
  /// - Throws: ``StoreError`` when there is no such entity.
  convenience init(entityName: String, layout: StoreLayout, aliases: Aliases = Aliases())
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

  /// What stands after FROM: the table and the joins made so far.
  ///
  /// Ask for it last.
  var from: SQL { ([first] + joins).joined(" ") }

  /// A column of the scope's table.
  func column(_ name: String) -> SQL { .column(name, of: alias) }

  /// Columns of the scope's table.
  func columns(_ names: [String]) -> [SQL] { .columns(names, of: alias) }

  /// The columns of the key, or the place of a keyless row.
  var keyColumns: [SQL] { columns(table.keyColumnNames) }

  /// The column of a row's own entity, where this one's table holds rows of others that inherit from it.
  var entityColumn: SQL? {
    layout.entityNames(of: entity.name).count > 1 ? table.entityColumn.map { column($0.name) } : nil
  }

  /// Whether a row is of this scope's entity; nil where the table holds no others.
  func entityCondition(includingSubentities: Bool = true) -> SQL? {
    guard let own = table.entityColumn else { return nil }
    let names = includingSubentities ? layout.entityNames(of: entity.name) : [entity.name]
    let marks = names.compactMap { own.marks[$0] }
    // An index on the entities of the whole table would only cost the order of the keys.
    let column: SQL = marks.count == own.marks.count ? "+\(column(own.name))" : column(own.name)
    if let (low, high) = marks.consecutive { return "(\(column) BETWEEN \(low) AND \(high))" }
    return "\(column) IN (\(marks))"
  }

  /// The column of an attribute.
  func operand(_ attribute: AttributeDescription) -> ColumnOperand? {
    guard let place = entity.attributeIndex(attribute.name), place < table.columns.count else {
      return nil
    }
    let affinity: ColumnAffinity =
      table.key == .none ? .unknown : ColumnAffinity(declaredType: attribute.declaredType)
    return ColumnOperand(
      sql: column(table.columns[place]), attribute: attribute, affinity: affinity)
  }

  /// The destination of a to-one relationship, joined once however often it is asked for.
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
      // The referenced columns may not be unique: the row of the least key is meant, as in memory.
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

  /// Adds a join of a table of pairs before all others.
  func join(_ sql: SQL) { joins.insert(sql, at: 0) }

  /// The error for what has no SQL.
  func unsupported(_ detail: String) -> StoreError {
    StoreError(.unsupported, doing: "reading", subject: entity.name, detail: detail)
  }
}

extension StoreLayout {
  /// The entities whose rows are objects of an entity: itself and those that inherit from it in its table.
  func entityNames(of name: String) -> [String] {
    tables[name]?.entityColumn == nil ? [name] : model.entityNames(inheritingFrom: name)
  }
}

extension EntityTable {
  /// The columns of the key; for a keyless table the number of the row.
  var keyColumnNames: [String] {
    switch key {
    case .rowid(let name): [name]
    case .columns(let names): names
    case .none: [QueryScope.placeColumn]
    }
  }

  /// What stands after FROM for the table: its name, or for a keyless one its rows numbered.
  var source: SQL {
    guard key == .none else { return .name(name) }
    return """
      (SELECT row_number() OVER () AS \(name: QueryScope.placeColumn), * FROM \(name: name))
      """
  }
}

extension [Value] {
  /// The least and the greatest of whole numbers that follow each other, as the numbers of sub-entities do; else nil.
  fileprivate var consecutive: (low: Value, high: Value)? {
    var numbers: [Int64] = []
    for case .integer(let number) in self { numbers.append(number) }
    guard numbers.count == count, count > 1, let low = numbers.min(), let high = numbers.max(),
      high.subtractingReportingOverflow(low) == (Int64(count - 1), false)
    else { return nil }
    return (.integer(low), .integer(high))
  }
}
