import ObjectModel

/// A subquery over the objects of a to-many relationship of an outer row.
struct CollectionScope {
  /// The scope of the objects' key paths.
  let scope: QueryScope
  /// The condition that relates the objects to the outer row.
  let correlation: SQL
  /// Whether an object may be found more than once, because a join table may repeat a pair.
  let mayRepeat: Bool
  /// The columns that order the objects, before their keys.
  private let order: [SQL]
  /// The tables of the objects that this collection belongs to, if it is that of several objects.
  private let from: SQL?
  /// The keys of those objects.
  private let outerKeys: [SQL]

  /// Opens the subquery over the objects that a key path leads to, through all of its to-many
  /// relationships.
  ///
  /// - Returns: The subquery, and the keys after the last to-many relationship.
  static func chain(_ collection: CollectionOperand) throws(StoreError) -> (Self, rest: [String]) {
    var objects = try CollectionScope(collection)
    var rest = collection.rest
    while case .collection(let inner) = try objects.scope.follow(rest) {
      objects = try CollectionScope(inner, of: objects)
      rest = inner.rest
    }
    return (objects, rest)
  }

  /// Opens the subquery.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - outer: The objects of whose collections it is over; nil for that of the outer row.
  /// - Throws: ``StoreError`` if the relationship has no columns.
  init(_ collection: CollectionOperand, of outer: CollectionScope? = nil) throws(StoreError) {
    let source = collection.source
    let relationship = collection.relationship
    guard let toMany = source.table.toMany[relationship.name] else {
      throw source.unsupported("the relationship \"\(relationship.name)\" has no columns")
    }
    scope = try QueryScope(
      entityName: relationship.destinationEntityName, layout: source.layout,
      aliases: source.aliases)
    var correlation: SQL
    var order: SQL?
    switch toMany {
    case .foreignKey(let key):
      correlation = .equal(source.columns(key.referenced), scope.columns(key.columns))
      mayRepeat = outer?.mayRepeat ?? false
      order = key.orderColumn.map(scope.column)
    case .join(let table):
      let pair = source.aliases.next()
      let condition = SQL.equal(
        scope.columns(table.destinationReferenced), .columns(table.destinationColumns, of: pair))
      scope.join("JOIN \(name: table.name) \(pair) ON \(condition)")
      correlation = .equal(
        source.columns(table.sourceReferenced), .columns(table.sourceColumns, of: pair))
      order = table.orderColumn.map { .column($0, of: pair) }
      mayRepeat = true
    }
    if let outer { correlation = "\(outer.correlation) AND \(correlation)" }
    self.correlation = correlation
    from = outer?.tables
    outerKeys = outer?.keys ?? []
    self.order = (outer.map { $0.order + $0.scope.keyColumns } ?? []) + (order.map { [$0] } ?? [])
  }

  /// The keys of the objects, after those of the objects that they belong to.
  private var keys: [SQL] { outerKeys + scope.keyColumns }

  /// Whether any object of the collection satisfies a condition.
  func exists(_ condition: SQL?) -> SQL {
    "EXISTS (SELECT 1\(rows(condition)))"
  }

  /// The number of objects of the collection that satisfy a condition.
  func count(_ condition: SQL?) -> SQL {
    mayRepeat
      ? "(SELECT count(*) FROM (SELECT DISTINCT \(keys)\(rows(condition))))"
      : "(SELECT count(*)\(rows(condition)))"
  }

  /// The values of columns for all objects of the collection, encoded as one blob.
  func groupedRows(_ columns: [SQL], where condition: SQL?) -> SQL {
    let names = columns.indices.map { "v\(number: $0)" as SQL }
    let selected = zip(columns, names).map { "\($0) AS \($1)" as SQL }
    let once: SQL = mayRepeat ? " GROUP BY \(keys)" : ""
    let first = order.map { mayRepeat ? "min(\($0))" : $0 }
    return """
      (SELECT cardfile_group_rows(\(names)) FROM (SELECT \(selected)\
      \(rows(condition))\(once) ORDER BY \(first + scope.keyColumns)))
      """
  }

  /// The FROM and WHERE clauses that select the objects which satisfy a condition.
  private func rows(_ condition: SQL?) -> SQL {
    " FROM \(tables)\(where: [correlation, condition])"
  }

  private var tables: SQL { from.map { "\($0), \(scope.from)" } ?? scope.from }
}
