import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Checks a join table, once for both of its relationships: core-data-stores 4.4.
  mutating func checkPairs(
    of join: EntityTable.JoinTable, _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) throws(StoreError) {
    guard let own = join.sourceColumns.first, let other = join.destinationColumns.first,
      let table = layout.tables[entity.name], let destination = destinationTable(of: relationship),
      let ownKey = join.sourceReferenced.first, let otherKey = join.destinationReferenced.first
    else { return }
    // For the inverse relationship the rows are the same, with their columns exchanged.
    let isReflexive =
      relationship.inverseName == relationship.name
      && entity.name == relationship.destinationEntityName
    if let order = join.orderColumn {
      try checkOrder(
        order, by: [own], in: join.name, key: [.column(own, of: "t"), .column(other, of: "t")],
        relationship: "\(entity.name)’s \(relationship.name)")
    }
    let isFirst = own < other || isReflexive || relationship.inverseName == nil
    guard isFirst else { return }
    let left = SQL.column(own, of: "p")
    let right = SQL.column(other, of: "p")
    let pairs: SQL = "\(name: join.name) p"
    let ownExists = exists(ownKey, in: table, entityName: entity.name, equalTo: left)
    let otherExists = exists(
      otherKey, in: destination, entityName: relationship.destinationEntityName, equalTo: right)
    try report(
      .warning, .danglingPair, table: join.name, rows: [left, right],
      from: "\(pairs) WHERE NOT (\(ownExists) AND \(otherExists))",
      "refer to objects that do not exist: apps skip them", remedy: "delete these rows")
    try report(
      .error, .repeatedPair, table: join.name, rows: [left, right],
      from: "\(pairs) GROUP BY \([left, right]) HAVING count(*) > 1",
      "exist more than once", remedy: "delete all but one of each")
    guard isReflexive else { return }
    try report(
      .error, .unmirroredPair, table: join.name, rows: [left, right],
      from: """
        \(pairs) WHERE \(ownExists) AND \(otherExists) \
        AND NOT EXISTS (SELECT 1 FROM \(name: join.name) q \
        WHERE \(column: own, of: "q") = \(right) AND \(column: other, of: "q") = \(left))
        """,
      "have no row in the other direction, though \(relationship.name) is its own inverse",
      remedy: "insert the mirrored rows, or delete these")
  }

  /// The condition that there is an object of an entity with a key.
  private func exists(
    _ key: String, in table: EntityTable, entityName: String, equalTo value: SQL
  ) -> SQL {
    let conditions: [SQL?] = [
      "\(column: key, of: "e") = \(value)", isMember(of: entityName, alias: "e"),
    ]
    return "EXISTS (SELECT 1 FROM \(name: table.name) e\(where: conditions))"
  }
}
