import ObjectModel

extension StoreChecker {
  /// Looks at one relationship of every object, where it is declared.
  mutating func check(_ relationship: RelationshipDescription, of entity: EntityDescription)
    throws(StoreError)
  {
    guard let table = layout.tables[entity.name] else { return }
    if let link = table.toOne[relationship.name] {
      try checkDestinations(of: relationship, link, of: entity, in: table)
      try checkInverse(of: relationship, link, of: entity, in: table)
    }
    switch table.toMany[relationship.name] {
    case .foreignKey(let key):
      try checkKeys(key, of: relationship, of: entity)
      try checkCounts(
        of: relationship, of: entity, in: table,
        counting: destinationTable(of: relationship)?.name, column: key.columns.first)
    case .join(let join):
      try checkPairs(of: join, relationship, of: entity)
      try checkCounts(
        of: relationship, of: entity, in: table, counting: join.name,
        column: join.sourceColumns.first)
    case nil: break
    }
  }

  func destinationTable(of relationship: RelationshipDescription) -> EntityTable? {
    layout.tables[relationship.destinationEntityName]
  }

  /// Looks for to-ones that lead nowhere, to a wrong entity, or whose second column says another entity.
  private mutating func checkDestinations(
    of relationship: RelationshipDescription, _ link: EntityTable.ToOne,
    of entity: EntityDescription, in table: EntityTable
  ) throws(StoreError) {
    guard let column = link.columns.first, let referenced = link.referenced.first,
      let destination = destinationTable(of: relationship), !link.isInverse
    else { return }
    let key = SQL.column(column, of: "t")
    let match = SQL.column(referenced, of: "d")
    let isRight = isMember(of: relationship.destinationEntityName, alias: "d") ?? "1"
    let agrees = link.entityColumn.map { "\(column: $0, of: "t") IS d.Z_ENT" } ?? "1" as SQL
    let conditions: [SQL?] = [
      isMember(of: entity.name, alias: "t"), "\(key) IS NOT NULL",
      "NOT (\(match) IS NOT NULL AND \(isRight) AND \(agrees))",
    ]
    let found = try offenders(
      """
      SELECT CASE WHEN \(match) IS NULL THEN 1 WHEN NOT (\(isRight)) THEN 2 ELSE 3 END, \
      \(keyColumns(of: table, alias: "t")[0]) FROM \(name: table.name) t \
      LEFT JOIN \(name: destination.name) d ON \(match) = \(key)\(where: conditions)
      """)
    let name = relationship.name
    report(
      .error, .danglingToOne, table: table.name, found[1],
      "lead by \(name) to an object of \(relationship.destinationEntityName) that is not there",
      remedy: "set \(column) to NULL, or put the object back")
    report(
      .error, .wrongDestination, table: table.name, found[2],
      "lead by \(name) to an object that is no \(relationship.destinationEntityName)",
      remedy: "set \(column) to NULL, or to a right object's key")
    report(
      .error, .wrongEntityColumn, table: table.name, found[3],
      "name another entity in \(link.entityColumn ?? "") than the object at \(name) has",
      remedy: "set the column to the Z_ENT of the object")
  }

  /// Looks for objects of a one-to-one relationship that lead back to another object.
  ///
  /// That an end is empty is usual in real stores.
  private mutating func checkInverse(
    of relationship: RelationshipDescription, _ link: EntityTable.ToOne,
    of entity: EntityDescription, in table: EntityTable
  ) throws(StoreError) {
    guard let inverse = relationship.inverseName,
      let destination = destinationTable(of: relationship), let back = destination.toOne[inverse],
      let column = link.columns.first, let referenced = link.referenced.first,
      let backColumn = back.columns.first, let key = keyColumns(of: table, alias: "t").first
    else { return }
    let conditions: [SQL?] = [
      isMember(of: entity.name, alias: "t"), "\(column: backColumn, of: "d") <> \(key)",
    ]
    let found = try offenders(
      selecting: [key],
      from: """
        \(name: table.name) t JOIN \(name: destination.name) d \
        ON \(column: referenced, of: "d") = \(column: column, of: "t")\(where: conditions)
        """)
    report(
      .warning, .unevenInverse, table: table.name, found,
      "lead by \(relationship.name) to an object whose \(inverse) is another object",
      remedy: "decide which of the two holds, and set the other column to it")
  }

  /// Looks for objects that lead to fewer or more objects than the model allows.
  private mutating func checkCounts(
    of relationship: RelationshipDescription, of entity: EntityDescription, in table: EntityTable,
    counting counted: String?, column: String?
  ) throws(StoreError) {
    let least = relationship.details.minCount
    let most = relationship.details.maxCount
    guard least > 0 || most > 0, let counted, let column,
      let key = keyColumns(of: table, alias: "t").first
    else { return }
    let count: SQL = "coalesce(c.n, 0)"
    var wrong: [SQL] = ["\(count) < \(number: least)"]
    if most > 0 { wrong.append("\(count) > \(number: most)") }
    // An object that has none may have none where the relationship is optional, whatever the least number is.
    let conditions: [SQL?] = [
      isMember(of: entity.name, alias: "t"), relationship.isOptional ? "\(count) > 0" : nil,
      "(\(wrong.joined(" OR ")))",
    ]
    let found = try offenders(
      selecting: [key],
      from: """
        \(name: table.name) t LEFT JOIN (SELECT \(name: column) AS k, count(*) AS n \
        FROM \(name: counted) WHERE \(name: column) IS NOT NULL GROUP BY 1) c \
        ON c.k = \(key)\(where: conditions)
        """)
    let range = most > 0 ? "\(least) to \(most)" : "at least \(least)"
    report(
      .warning, .objectCount, table: table.name, found,
      "have another number of \(relationship.name) than \(range)",
      remedy: "an app cannot save these objects as they are")
  }
}
