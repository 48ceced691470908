import ObjectModel

extension StoreChecker {
  /// How many columns are looked at in one query.
  private static let columnsAtOnce = 500

  /// Looks for rows without a value that the model requires, in one pass over the table.
  mutating func checkRequiredValues(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    var required = ownAttributes(of: entity).filter { !$0.0.isOptional }
      .map { (name: $0.0.name, column: $0.column) }
    for relationship in ownRelationships(of: entity)
    where !relationship.isToMany && !relationship.isOptional {
      guard let link = table.toOne[relationship.name], !link.isInverse else { continue }
      required += link.columns.map { (relationship.name, $0) }
    }
    while !required.isEmpty {
      try checkValues(Array(required.prefix(Self.columnsAtOnce)), of: entity, in: table)
      required.removeFirst(min(Self.columnsAtOnce, required.count))
    }
  }

  private mutating func checkValues(
    _ required: [(name: String, column: String)], of entity: EntityDescription,
    in table: EntityTable
  ) throws(StoreError) {
    let sums = required.map { SQL.raw("sum(") + .column($0.column, of: "t") + .raw(" IS NULL)") }
    let from = SQL.raw(" FROM ") + .name(table.name) + .raw(" t")
    let member = isMember(of: entity.name, alias: "t")
    let statement = try prepare(
      .raw("SELECT ") + sums.joined(", ") + from + Self.conditions([member]))
    guard try statement.step() else { return }
    for (place, property) in required.enumerated()
    where statement.integer(Int32(clamping: place)) > 0 {
      let isNull = SQL.column(property.column, of: "t") + .raw(" IS NULL")
      report(
        .warning, .missingValue, table: table.name,
        try offenders(
          selecting: keyColumns(of: table, alias: "t"), from + Self.conditions([member, isNull])),
        "have no \(property.name), which \(entity.name) requires",
        remedy: "give them a value; an app cannot save these objects as they are")
    }
  }

  /// Looks for objects that share a value which must be unique.
  mutating func checkUniqueness(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    let inherited = superentity(of: entity)?.uniquenessConstraints ?? []
    for constraint in entity.uniquenessConstraints where !inherited.contains(constraint) {
      let columns = constraint.compactMap { name in
        entity.attributeIndex(name).map { table.columns[$0] } ?? table.toOne[name]?.columns.first
      }
      guard !columns.isEmpty, columns.count == constraint.count else { continue }
      let parts = columns.map { SQL.column($0, of: "t") }
      let present = parts.map { $0 + .raw(" IS NOT NULL") }
      let found = try offenders(
        selecting: [.raw("min(") + keyColumns(of: table, alias: "t")[0] + .raw(")")],
        .raw(" FROM ") + .name(table.name) + .raw(" t")
          + Self.conditions([isMember(of: entity.name, alias: "t")] + present)
          + .raw(" GROUP BY ") + parts.joined(", ") + .raw(" HAVING count(*) > 1"))
      report(
        .error, .repeatedValue, table: table.name, found,
        "are not alone with their \(constraint.joined(separator: ", ")), which must be unique",
        remedy: "change or delete all but one of each")
    }
  }
}
