import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Finds rows that violate a CHECK constraint of their table.
  ///
  /// SQLite's integrity check does it only on connections that can write: others do not load the
  /// constraints.
  mutating func checkConstraints() throws(StoreError) {
    let tables = try rows(
      "SELECT m.name, m.sql FROM main.sqlite_schema m WHERE m.type = 'table' AND m.rootpage > 0")
    for row in tables {
      guard let table = row[0].text, let sql = row[1].text else { continue }
      for constraint in CheckConstraint.all(in: sql) { try check(constraint, of: table) }
    }
  }

  private mutating func check(_ constraint: CheckConstraint, of table: String) throws(StoreError) {
    let key: [SQL] =
      switch layout.tables.values.first(where: { $0.name == table })?.key {
      case .rowid(let name): [.name(name)]
      case .columns(let names): names.map(SQL.name)
      case .some(.none), nil: ["''"]
      }
    // The expression may name the table, so the table has no alias.
    do {
      try report(
        .error, .checkConstraint, table: table, rows: key,
        from: "\(name: table) WHERE NOT \(SQL(schema: constraint.expression))",
        "violate CHECK \(constraint.expression)",
        remedy: "correct the rows; the database refuses them when they are changed")
    } catch  where error.reason == .other {
      report(
        .note, .checkConstraint, table: table,
        "CHECK \(constraint.expression) of \(table) cannot be evaluated: \(error.detail)")
    }
  }
}
