import SQLQueries

/// The triggers that update one derived attribute: core-data-stores 4.5.
struct DerivationTriggers {
  /// The table of the attribute's entity.
  let table: String
  /// The entity that declares the attribute.
  let entity: String
  let attribute: String
  /// The attribute's column.
  let column: String
  /// The numbers of the entities with the attribute; nil if all rows of the table have it.
  let members: [Int64]?

  /// Triggers that count the rows of a table with a foreign key to this one.
  func count(in child: String, by key: String) -> [String] {
    let key = CoreDataTable.identifier(key)
    func step(_ name: String, _ event: String, _ row: String, _ change: String) -> String {
      trigger(
        name, on: child, event: event, when: "(\(row).\(key) NOT NULL)", set: change,
        where: "Z_PK = \(row).\(key)")
    }
    let value = CoreDataTable.identifier(column)
    return [
      step("PARAMETER_INSERT", "INSERT", "NEW", "IFNULL(\(value), 0) + 1"),
      step("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(value) + 1"),
      step("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(value) - 1"),
      step("PARAMETER_DELETE", "DELETE", "OLD", "\(value) - 1"),
      source(
        "SOURCE_INSERT", event: "INSERT",
        "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(CoreDataTable.identifier(child))"
          + " WHERE \(key) = NEW.Z_PK)"),
    ]
  }

  /// Triggers that count the rows of a join table; not Core Data's own.
  func count(ofPairsIn pairs: String, by key: String) -> [String] {
    let key = CoreDataTable.identifier(key)
    let name = CoreDataTable.identifier(pairs)
    func count(_ event: String, _ row: String) -> String {
      trigger(
        "PARAMETER_\(event)", on: pairs, event: event, when: nil,
        set: "(SELECT COUNT(*) FROM \(name) WHERE \(key) = \(row).\(key))",
        where: "Z_PK = \(row).\(key)")
    }
    return [
      count("INSERT", "NEW"), count("DELETE", "OLD"),
      source(
        "SOURCE_INSERT", event: "INSERT",
        "(SELECT COUNT(*) FROM \(name) WHERE \(key) = NEW.Z_PK)"),
    ]
  }

  /// Triggers that copy a value from the row that a foreign key of this table references.
  func value(of value: String, in destination: String, by key: String) -> [String] {
    let key = CoreDataTable.identifier(key)
    let value = CoreDataTable.identifier(value)
    let copy =
      "(SELECT \(value) FROM \(CoreDataTable.identifier(destination)) WHERE Z_PK = NEW.\(key))"
    return [
      source("SOURCE_INSERT", event: "INSERT", copy),
      source("SOURCE_UPDATE", event: "UPDATE OF \(key)", copy),
      trigger(
        "PARAMETER_INSERT", on: destination, event: "INSERT", when: nil, set: "NEW.\(value)",
        where: "\(key) = NEW.Z_PK"),
      trigger(
        "PARAMETER_UPDATE", on: destination, event: "UPDATE OF \(value)", when: nil,
        set: "NEW.\(value)", where: "\(key) = NEW.Z_PK"),
    ]
  }

  /// Triggers that set the time at which a row was last written; not Core Data's own.
  func now(columns: [String]) -> [String] {
    // Julian days of 2001-01-01.
    let now = "(julianday('now') - 2451910.5) * 86400.0"
    let names = columns.map(CoreDataTable.identifier).joined(separator: ", ")
    return [
      source("SOURCE_INSERT", event: "INSERT", now),
      source("SOURCE_UPDATE", event: "UPDATE OF \(names)", now),
    ]
  }

  /// A trigger on the attribute's own table.
  private func source(_ name: String, event: String, _ value: String) -> String {
    let condition = members.map { numbers in
      "(NEW.Z_ENT IN (\(numbers.map(String.init).joined(separator: ", "))))"
    }
    return trigger(
      name, on: table, event: event, when: condition, set: value, where: "Z_PK = NEW.Z_PK")
  }

  private func trigger(
    _ name: String, on parameter: String, event: String, when condition: String?,
    set value: String, where rows: String
  ) -> String {
    let own = CoreDataTable.identifier(table)
    let target = CoreDataTable.identifier(column)
    let function =
      name.hasSuffix("INSERT") && (parameter == table || condition == nil)
      ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
      : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    let full = CoreDataTable.identifier("Z_DA_\(parameter)_\(entity)_\(attribute)_\(name)")
    return "CREATE TRIGGER \(full) AFTER \(event) ON \(CoreDataTable.identifier(parameter))"
      + " FOR EACH ROW" + (condition.map { " WHEN \($0)" } ?? "")
      + " BEGIN UPDATE \(own) SET \(target) = \(value) WHERE \(rows);"
      + " SELECT \(function)(\(SQL.literal(table)), Z_ENT, Z_PK, \(SQL.literal(attribute)), \(target))"
      + " FROM \(own) WHERE \(rows); END"
  }
}
