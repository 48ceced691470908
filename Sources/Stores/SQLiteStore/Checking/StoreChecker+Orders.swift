import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Checks the foreign keys and order keys of a to-many relationship in the destination's table.
  mutating func checkKeys(
    _ key: EntityTable.ForeignKey, of relationship: RelationshipDescription,
    of entity: EntityDescription
  ) throws(StoreError) {
    guard let destination = destinationTable(of: relationship),
      let table = layout.tables[entity.name],
      let column = key.columns.first, let referenced = key.referenced.first
    else { return }
    if key.isHidden {
      try report(
        .error, .danglingToOne, table: destination.name,
        rows: keyColumns(of: destination, alias: "d"),
        from: """
          \(name: destination.name) d WHERE \(column: column, of: "d") IS NOT NULL \
          AND NOT EXISTS (SELECT 1 FROM \(name: table.name) t \
          WHERE \(column: referenced, of: "t") = \(column: column, of: "d"))
          """,
        "are in the \(relationship.name) of an object that does not exist",
        remedy: "set \(column) to NULL")
    }
    guard let order = key.orderColumn else { return }
    try checkOrder(
      order, by: [column], in: destination.name, key: keyColumns(of: destination, alias: "t"),
      relationship: relationship.name)
  }

  /// Finds objects without an order key, and order keys that two objects share: core-data-stores
  /// 4.7.
  ///
  /// The alias of the table in `key` is `t`.
  mutating func checkOrder(
    _ order: String, by owner: [String], in table: String, key: [SQL], relationship: String
  ) throws(StoreError) {
    let orderKey = SQL.column(order, of: "t")
    let owners = owner.map { SQL.column($0, of: "t") }
    let isOwned = owners.map { "\($0) IS NOT NULL" as SQL }.joined(" AND ")
    let owned: SQL = "\(name: table) t WHERE \(isOwned)"
    try report(
      .error, .missingOrder, table: table, rows: key,
      from: "\(owned) AND \(orderKey) IS NULL",
      "have no order key in \(relationship), which is ordered", remedy: "give \(order) a value")
    try report(
      .error, .repeatedOrder, table: table, rows: key,
      from: """
        \(owned) AND \(orderKey) IS NOT NULL GROUP BY \(owners + [orderKey]) HAVING count(*) > 1
        """,
      "share their order key in \(relationship) with others",
      remedy: "give each of them a different value in \(order)")
  }
}
