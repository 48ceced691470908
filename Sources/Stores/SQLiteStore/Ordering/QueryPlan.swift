import ObjectModel
import SQLQueries

/// How SQLite runs a statement: the lines of EXPLAIN QUERY PLAN.
struct QueryPlan {
  let lines: [String]

  /// Explains a statement.
  ///
  /// - Throws: ``StoreError`` if the statement cannot be prepared.
  init(_ sql: SQL, on connection: Connection) throws(StoreError) {
    let explanation = try Statement("EXPLAIN QUERY PLAN \(sql)", on: connection, doing: "fetching")
    var lines: [String] = []
    while try explanation.step() {
      if case .string(let line) = explanation.value(3) { lines.append(line) }
    }
    self.lines = lines
  }

  /// Whether all rows are sorted, because no index has their order.
  var sorts: Bool { lines.contains("USE TEMP B-TREE FOR ORDER BY") }

  /// Whether the rows of the fetched table are read from the first key to the last.
  var scansTable: Bool { lines.first == "SCAN t0" }
}
