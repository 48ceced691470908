import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Checks a relationship of the entity that declares it.
  mutating func check(_ relationship: RelationshipDescription, of entity: EntityDescription)
    throws(StoreError)
  {
    guard let table = layout.tables[entity.name] else { return }
    if let link = table.toOne[relationship.name] {
      try checkDestinations(of: relationship, link, of: entity, in: table)
      try checkInverse(of: relationship, link, of: entity, in: table)
      try checkAncestors(of: relationship, link, of: entity, in: table)
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

  /// Finds to-ones whose destination does not exist or is of a wrong entity, or whose entity column
  /// is wrong.
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
      "refer by \(name) to an object of \(relationship.destinationEntityName) that does not exist",
      remedy: "set \(column) to NULL, or insert the object")
    report(
      .error, .wrongDestination, table: table.name, found[2],
      "refer by \(name) to an object that is not of \(relationship.destinationEntityName)",
      remedy: "set \(column) to NULL, or to the key of an object of that entity")
    report(
      .error, .wrongEntityColumn, table: table.name, found[3],
      "do not have the entity of their \(name) in \(link.entityColumn ?? "")",
      remedy: "set the column to the Z_ENT of the object")
  }

  /// Finds objects of a one-to-one relationship whose destination refers to another object.
  ///
  /// An end that is null is usual in real stores.
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
    try report(
      .warning, .unevenInverse, table: table.name, rows: [key],
      from: """
        \(name: table.name) t JOIN \(name: destination.name) d \
        ON \(column: referenced, of: "d") = \(column: column, of: "t")\(where: conditions)
        """,
      "refer by \(relationship.name) to an object whose \(inverse) is another object",
      remedy: "decide which end is right, and set the column of the other end")
  }

  /// Finds objects with fewer or more objects in a relationship than the model allows.
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
    // An optional relationship may be empty, whatever its minimum count is.
    let conditions: [SQL?] = [
      isMember(of: entity.name, alias: "t"), relationship.isOptional ? "\(count) > 0" : nil,
      "(\(wrong.joined(" OR ")))",
    ]
    let range = most > 0 ? "\(least) to \(most)" : "at least \(least)"
    try report(
      .error, .objectCount, table: table.name, rows: [key],
      from: """
        \(name: table.name) t LEFT JOIN (SELECT \(name: column) AS k, count(*) AS n \
        FROM \(name: counted) WHERE \(name: column) IS NOT NULL GROUP BY 1) c \
        ON c.k = \(key)\(where: conditions)
        """,
      "do not have \(range) \(relationship.name)",
      remedy: "an app cannot save these objects as they are")
  }
}
