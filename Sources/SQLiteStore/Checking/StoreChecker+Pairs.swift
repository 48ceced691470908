import ObjectModel

extension StoreChecker {
  /// Looks at a table of pairs, once for both of its relationships: core-data-stores 4.4.
  mutating func checkPairs(
    of join: EntityTable.JoinTable, _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) throws(StoreError) {
    guard let own = join.sourceColumns.first, let other = join.destinationColumns.first,
      let table = layout.tables[entity.name], let destination = destinationTable(of: relationship),
      let ownKey = join.sourceReferenced.first, let otherKey = join.destinationReferenced.first
    else { return }
    // From the other side the same pairs are seen with their columns exchanged.
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
    let from = SQL.raw(" FROM ") + .name(join.name) + .raw(" p")
    let areThere =
      exists(ownKey, in: table, entityName: entity.name, equalTo: left) + .raw(" AND ")
      + exists(
        otherKey, in: destination, entityName: relationship.destinationEntityName, equalTo: right)
    report(
      .warning, .danglingPair, table: join.name,
      try offenders(
        selecting: [left, right],
        from + .raw(" WHERE NOT ") + areThere.inParentheses),
      "join objects that are not there: apps skip them", remedy: "delete these rows")
    report(
      .error, .repeatedPair, table: join.name,
      try offenders(
        selecting: [left, right],
        from + .raw(" GROUP BY ") + [left, right].joined(", ") + .raw(" HAVING count(*) > 1")),
      "stand there more than once", remedy: "delete all but one of each")
    guard isReflexive else { return }
    report(
      .error, .unmirroredPair, table: join.name,
      try offenders(
        selecting: [left, right],
        from + .raw(" WHERE ") + areThere + .raw(" AND NOT EXISTS (SELECT 1 FROM ")
          + .name(join.name) + .raw(" q WHERE ")
          + .column(own, of: "q") + .raw(" = ") + right + .raw(" AND ") + .column(other, of: "q")
          + .raw(" = ") + left + .raw(")")),
      "have no row in the other direction, though \(relationship.name) is its own inverse",
      remedy: "put in the mirrored rows, or delete these")
  }

  /// The condition that an object of an entity has a key.
  private func exists(
    _ key: String, in table: EntityTable, entityName: String, equalTo value: SQL
  ) -> SQL {
    .raw("EXISTS (SELECT 1 FROM ") + .name(table.name) + .raw(" e")
      + Self.conditions([
        .column(key, of: "e") + .raw(" = ") + value, isMember(of: entityName, alias: "e"),
      ]) + .raw(")")
  }
}
