import ObjectModel
import SQLQueries

extension StoreChecker {
  /// A condition that no row of a table may meet.
  struct Fault {
    let severity: CheckFinding.Severity
    let kind: CheckFinding.Kind
    let condition: SQL
    let message: String
    let remedy: String
  }

  /// The maximum number of conditions in one query.
  private static let faultsAtOnce = 500

  /// Reports the faults that rows of an entity have, after one pass over the table for all of them.
  mutating func check(_ faults: [Fault], of entity: EntityDescription, in table: EntityTable)
    throws(StoreError)
  {
    let member = isMember(of: entity.name, alias: "t")
    for some in faults.chunks(of: Self.faultsAtOnce) {
      let counts = some.map { "count(CASE WHEN \($0.condition) THEN 1 END)" as SQL }
      let statement = try prepare("SELECT \(counts) FROM \(table.source) t\(where: [member])")
      guard try statement.step() else { continue }
      for (index, fault) in some.enumerated() where statement.integer(Int32(clamping: index)) > 0 {
        try report(
          fault.severity, fault.kind, table: table.name, rows: keyColumns(of: table, alias: "t"),
          from: "\(table.source) t\(where: [member, fault.condition])", fault.message,
          remedy: fault.remedy)
      }
    }
  }

  /// Finds rows without a required value.
  mutating func checkRequiredValues(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    var required = ownAttributes(of: entity).filter { !$0.0.isOptional }
      .map { (name: $0.0.name, column: $0.column) }
    for relationship in layout.model.ownRelationships(of: entity)
    where !relationship.isToMany && !relationship.isOptional {
      guard let link = table.toOne[relationship.name], !link.isInverse else { continue }
      required += link.columns.map { (relationship.name, $0) }
    }
    let faults = required.map { name, column in
      Fault(
        severity: .warning, kind: .missingValue,
        condition: "\(column: column, of: "t") IS NULL",
        message: "have no \(name), which \(entity.name) requires",
        remedy: "give them a value; an app cannot save these objects as they are")
    }
    try check(faults, of: entity, in: table)
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
