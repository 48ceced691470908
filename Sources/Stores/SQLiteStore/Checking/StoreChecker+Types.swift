import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Finds values that do not have the type of their attribute, and numbers beyond its range:
  /// core-data-stores 4.3.
  mutating func checkTypes(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    let faults = ownAttributes(of: entity).flatMap { attribute, column in
      self.faults(of: attribute, SQL.column(column, of: "t"))
    }
    try check(faults, of: entity, in: table)
  }

  private func faults(of attribute: AttributeDescription, _ value: SQL) -> [Fault] {
    func fault(_ kind: CheckFinding.Kind, _ condition: SQL, _ what: String) -> Fault {
      Fault(
        severity: .error, kind: kind, condition: condition,
        message: "have a \(attribute.name) \(what) \(attribute.type)",
        remedy: "give them a value of the attribute’s type")
    }
    func wrong(_ types: [Value], or other: SQL = "0") -> Fault {
      fault(
        .wrongType,
        "(\(value) IS NOT NULL AND (typeof(\(value)) NOT IN (\(types)) OR \(other)))",
        "that is no")
    }
    func beyond(_ condition: SQL) -> Fault {
      fault(
        .outOfRange, "(typeof(\(value)) IN ('integer', 'real') AND \(condition))",
        "beyond the range of")
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
