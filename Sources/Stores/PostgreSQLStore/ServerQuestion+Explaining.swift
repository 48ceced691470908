import ObjectModel
import SQLQueries

extension ServerQuestion {
  /// Describes how the fetch is answered: what the server does and what is evaluated here, the
  /// statements with their parameters, and the server's query plans.
  func explanation(on connection: ServerConnection) throws(StoreError) -> [String] {
    var lines: [String]
    let statements: [SQL]
    if let rest {
      let found = condition == nil ? "all rows" : "what may match"
      lines = ["the server finds \(found); here: \(FetchPredicate(rest).description)"]
      statements = [try candidates().statement]
    } else {
      let arrangement = try arrangement()
      lines = ["the server finds\(arrangement.order == nil ? "; sorted here" : " and sorts")"]
      statements = try self.statements(arrangement).map { $0(plan.limit) }
    }
    for statement in statements {
      lines.append(statement.text(in: .postgreSQL))
      for (index, binding) in statement.bindings.enumerated() {
        if case .value(let value) = binding { lines.append("  $\(index + 1) = \(value)") }
      }
      try connection.run("EXPLAIN \(statement)", doing: "fetching") { row in
        if let line = row.text(0) { lines.append("  " + line) }
      }
    }
    return lines
  }
}
