import ObjectModel
import SQLQueries

extension StoreChecker {
  /// The maximum number of columns in one query.
  static let columnsAtOnce = 500

  /// Finds rows without a required value, in one pass over the table.
  mutating func checkRequiredValues(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    var required = ownAttributes(of: entity).filter { !$0.0.isOptional }
      .map { (name: $0.0.name, column: $0.column) }
    for relationship in layout.model.ownRelationships(of: entity)
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
    let sums = required.map { "sum(\(column: $0.column, of: "t") IS NULL)" as SQL }
    let member = isMember(of: entity.name, alias: "t")
    let statement = try prepare("SELECT \(sums) FROM \(table.source) t\(where: [member])")
    guard try statement.step() else { return }
    for (index, property) in required.enumerated()
    where statement.integer(Int32(clamping: index)) > 0 {
      let isNull: SQL = "\(column: property.column, of: "t") IS NULL"
      try report(
        .warning, .missingValue, table: table.name, rows: keyColumns(of: table, alias: "t"),
        from: "\(table.source) t\(where: [member, isNull])",
        "have no \(property.name), which \(entity.name) requires",
        remedy: "give them a value; an app cannot save these objects as they are")
    }
  }

  /// Finds objects that violate a uniqueness constraint.
  mutating func checkUniqueness(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    for constraint in layout.model.ownUniquenessConstraints(of: entity) {
      guard let columns = columns(of: constraint, in: entity) else { continue }
      let parts = columns.map { SQL.column($0, of: "t") }
      let present = parts.map { "\($0) IS NOT NULL" as SQL }
      let conditions = [isMember(of: entity.name, alias: "t")] + present
      try report(
        .error, .repeatedValue, table: table.name,
        rows: ["min(\(keyColumns(of: table, alias: "t")[0]))"],
        from: "\(name: table.name) t\(where: conditions) GROUP BY \(parts) HAVING count(*) > 1",
        "share their \(constraint.joined(separator: ", ")) with others, which must be unique",
        remedy: "change or delete all but one of each")
    }
  }
}
