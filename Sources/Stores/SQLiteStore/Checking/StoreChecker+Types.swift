import ObjectModel
import SQLQueries

extension StoreChecker {
  /// A condition that a value of an attribute must not meet.
  private struct Fault {
    let kind: CheckFinding.Kind
    let attribute: AttributeDescription
    let condition: SQL
  }

  /// Finds values that do not have the type of their attribute, and numbers beyond its range, in
  /// one pass over the table: core-data-stores 4.3.
  mutating func checkTypes(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    var faults = ownAttributes(of: entity).flatMap { attribute, column in
      self.faults(of: attribute, SQL.column(column, of: "t"))
    }
    let member = isMember(of: entity.name, alias: "t")
    while !faults.isEmpty {
      let some = Array(faults.prefix(Self.columnsAtOnce))
      faults.removeFirst(some.count)
      let counts = some.map { "count(CASE WHEN \($0.condition) THEN 1 END)" as SQL }
      let statement = try prepare("SELECT \(counts) FROM \(name: table.name) t\(where: [member])")
      guard try statement.step() else { continue }
      for (index, fault) in some.enumerated() where statement.integer(Int32(clamping: index)) > 0 {
        try report(fault, of: entity, in: table)
      }
    }
  }

  private mutating func report(
    _ fault: Fault, of entity: EntityDescription, in table: EntityTable
  ) throws(StoreError) {
    let member = isMember(of: entity.name, alias: "t")
    let name = fault.attribute.name
    let what =
      fault.kind == .wrongType
      ? "have a \(name) that is no \(fault.attribute.type)"
      : "have a \(name) beyond the range of \(fault.attribute.type)"
    try report(
      .error, fault.kind, table: table.name, rows: keyColumns(of: table, alias: "t"),
      from: "\(name: table.name) t\(where: [member, fault.condition])", what,
      remedy: "give them a value of the attribute’s type")
  }

  private func faults(of attribute: AttributeDescription, _ value: SQL) -> [Fault] {
    func wrong(_ types: [Value], or other: SQL = "0") -> Fault {
      Fault(
        kind: .wrongType, attribute: attribute,
        condition: "(\(value) IS NOT NULL AND (typeof(\(value)) NOT IN (\(types)) OR \(other)))")
    }
    func beyond(_ condition: SQL) -> Fault {
      Fault(
        kind: .outOfRange, attribute: attribute,
        condition: "(typeof(\(value)) IN ('integer', 'real') AND \(condition))")
    }
    let numbers: [Value] = ["integer", "real"]
    // SQLite's abs() of the least integer is an error.
    let real: SQL = "CAST(\(value) AS REAL)"
    return switch attribute.type {
    case .integer16:
      [wrong(["integer"]), beyond("\(value) NOT BETWEEN -32768 AND 32767")]
    case .integer32:
      [wrong(["integer"]), beyond("\(value) NOT BETWEEN -2147483648 AND 2147483647")]
    case .integer64: [wrong(["integer"])]
    case .boolean: [wrong(["integer"]), beyond("\(value) NOT IN (0, 1)")]
    case .decimal, .double: [wrong(numbers)]
    case .float:
      [wrong(numbers), beyond("abs(\(real)) BETWEEN 3.4028235677973366e38 AND 1.7e308")]
    case .date: [wrong(numbers), beyond("abs(\(real)) > 1.7976931348623157e308")]
    case .string, .uri: [wrong(["text"])]
    case .uuid: [wrong(["blob"], or: "length(\(value)) <> 16")]
    case .binaryData where attribute.encoding != .externalData: [wrong(["blob"])]
    case .binaryData, .transformable, .undefined: []
    }
  }

  /// Finds values that violate a validation rule of the model.
  mutating func checkRules(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name],
      let key = keyColumns(of: table, alias: "t").first
    else { return }
    for (attribute, column) in ownAttributes(of: entity) {
      let rules = attribute.details.property.validations.compactMap(ValueRule.init)
      guard !rules.isEmpty else { continue }
      let value = SQL.column(column, of: "t")
      let statement = try prepare(
        """
        SELECT \(key), \(value) FROM \(name: table.name) t\
        \(where: [isMember(of: entity.name, alias: "t"), "\(value) IS NOT NULL"])
        """)
      var found = [Offenders](repeating: Offenders(), count: rules.count)
      while try statement.step() {
        let decoded = attribute.decode(statement.value(1))
        for (index, rule) in rules.enumerated() where (try? rule.allows(decoded)) != true {
          found[index].add(statement.value(0).description)
        }
      }
      for (index, rule) in rules.enumerated() {
        report(
          .error, .validationRule, table: table.name, found[index],
          "have a \(attribute.name) that does not meet \(rule.text)",
          remedy: "change the value; an app cannot save these objects as they are")
      }
    }
  }
}
