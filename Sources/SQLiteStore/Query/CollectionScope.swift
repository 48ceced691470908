import ObjectModel

/// A subquery over the objects of a to-many relationship of an outer row.
struct CollectionScope {
  /// Where key paths of the objects start.
  let scope: QueryScope
  /// What ties the objects to the outer row.
  let correlation: SQL
  /// Whether an object may come more than once, as a pair can in a table of pairs.
  let mayRepeat: Bool

  /// Opens the subquery.
  init(_ collection: CollectionOperand) throws(StoreError) {
    let source = collection.source
    let relationship = collection.relationship
    guard let toMany = source.table.toMany[relationship.name] else {
      throw source.unsupported("the relationship \"\(relationship.name)\" has no columns")
    }
    scope = try QueryScope(
      entityName: relationship.destinationEntityName, layout: source.layout,
      aliases: source.aliases)
    switch toMany {
    case .foreignKey(let key):
      correlation = .equal(source.columns(key.referenced), scope.columns(key.columns))
      mayRepeat = false
    case .join(let table):
      let pair = source.aliases.next()
      let condition = SQL.equal(
        scope.columns(table.destinationReferenced), .columns(table.destinationColumns, of: pair))
      scope.join("JOIN \(name: table.name) \(pair) ON \(condition)")
      correlation = .equal(
        source.columns(table.sourceReferenced), .columns(table.sourceColumns, of: pair))
      mayRepeat = true
    }
  }

  /// Whether an object of the collection fulfils a condition.
  func exists(_ condition: SQL?) -> SQL {
    "EXISTS (SELECT 1\(rows(condition)))"
  }

  /// How many objects of the collection fulfil a condition.
  func count(_ condition: SQL?) -> SQL {
    mayRepeat
      ? "(SELECT count(*) FROM (SELECT DISTINCT \(scope.keyColumns)\(rows(condition))))"
      : "(SELECT count(*)\(rows(condition)))"
  }

  /// The collection's values, each a row of columns, gathered into one blob.
  func gathered(_ columns: [SQL], where condition: SQL?) -> SQL {
    let names = columns.indices.map { "v\(number: $0)" as SQL }
    var selected = zip(columns, names).map { "\($0) AS \($1)" as SQL }
    if mayRepeat { selected += scope.keyColumns }
    let distinct: SQL = mayRepeat ? "DISTINCT " : ""
    return """
      (SELECT cardfile_gather(\(names)) FROM (SELECT \(distinct)\(selected)\
      \(rows(condition)) ORDER BY \(scope.keyColumns)))
      """
  }

  /// The FROM and WHERE clauses that give the objects which fulfil a condition.
  private func rows(_ condition: SQL?) -> SQL {
    " FROM \(scope.from)\(where: [correlation, condition])"
  }
}
