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
      // The referenced column stands left: its collation and affinity rule, as in a foreign key.
      correlation = zip(key.referenced, key.columns).map { [scope] in
        source.column($0) + .raw(" = ") + scope.column($1)
      }.joined(" AND ")
      mayRepeat = false
    case .join(let table):
      let pair = source.aliases.next()
      let condition = zip(table.destinationReferenced, table.destinationColumns).map { [scope] in
        scope.column($0) + .raw(" = ") + .column($1, of: pair)
      }
      scope.join(
        .raw("JOIN ") + .name(table.name) + " \(pair) ON " + condition.joined(" AND "))
      correlation = zip(table.sourceReferenced, table.sourceColumns).map {
        source.column($0) + .raw(" = ") + .column($1, of: pair)
      }.joined(" AND ")
      mayRepeat = true
    }
  }

  /// Whether an object of the collection fulfils a condition.
  func exists(_ condition: SQL?) -> SQL {
    .raw("EXISTS (SELECT 1 FROM ") + scope.from + .raw(" WHERE ") + filter(condition) + .raw(")")
  }

  /// How many objects of the collection fulfil a condition.
  func count(_ condition: SQL?) -> SQL {
    guard mayRepeat else {
      return .raw("(SELECT count(*) FROM ") + scope.from + .raw(" WHERE ") + filter(condition)
        + .raw(")")
    }
    return .raw("(SELECT count(*) FROM (SELECT DISTINCT ") + scope.keyColumns.joined(", ")
      + .raw(" FROM ") + scope.from + .raw(" WHERE ") + filter(condition) + .raw("))")
  }

  /// The collection's values, each a row of columns, gathered into one blob.
  func gathered(_ columns: [SQL], where condition: SQL?) -> SQL {
    let names = columns.indices.map { SQL.raw("v\($0)") }
    return .raw("(SELECT cardfile_gather(") + names.joined(", ") + .raw(") FROM (SELECT ")
      + .raw(mayRepeat ? "DISTINCT " : "")
      + zip(columns, names).map { $0 + .raw(" AS ") + $1 }.joined(", ")
      + .raw(mayRepeat ? ", " : "") + (mayRepeat ? scope.keyColumns.joined(", ") : .raw(""))
      + .raw(" FROM ") + scope.from + .raw(" WHERE ") + filter(condition) + .raw(" ORDER BY ")
      + scope.keyColumns.joined(", ") + .raw("))")
  }

  private func filter(_ condition: SQL?) -> SQL {
    guard let condition else { return correlation }
    return correlation + .raw(" AND ") + condition
  }
}
