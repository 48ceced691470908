package import ObjectModel
import SQLQueries

/// How a store finds the objects of a fetch.
package struct FetchExplanation: Hashable, Sendable {
  /// How the rows get into their order, and how many readers read them; a sentence.
  package let method: String
  /// The statement that reads the rows, with its values.
  package let sql: String
  /// How SQLite runs it, a line for each step.
  package let queryPlan: [String]
}

extension SQLiteStore {
  /// Explains a fetch without running it.
  ///
  /// - Parameter plan: The fetch.
  /// - Returns: How its objects would be found.
  /// - Throws: `StoreError` if the fetch cannot be translated, or the database cannot be read.
  package func explanation(of plan: FetchPlan) throws(StoreError) -> FetchExplanation {
    try read(doing: "explaining \(plan.entityName)") { connection throws(StoreError) in
      try reader.explanation(
        of: plan, on: connection, leastRowCount: FetchMethod.leastRowCount)
    }
  }
}

extension StoreReader {
  /// Explains a fetch without running it.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - connection: The connection.
  ///   - leastRowCount: The least number of rows for what is worth its time only for many; nil for
  ///     one reader.
  /// - Returns: How its objects would be found.
  /// - Throws: ``StoreError``.
  func explanation(of plan: FetchPlan, on connection: Connection, leastRowCount: Int?)
    throws(StoreError) -> FetchExplanation
  {
    let query = try FetchQuery(plan, compiler: compiler)
    let queryPlan = try QueryPlan(query.search, on: connection)
    let method = try FetchMethod(
      query, queryPlan, keys: KeyRange(of: layout.tables[plan.entityName], on: connection),
      leastRowCount: leastRowCount, compiler: compiler, on: connection)
    guard case .own(let order, _) = method else {
      return FetchExplanation(
        method: method.explanation(queryPlan), sql: query.sql.readable, queryPlan: queryPlan.lines)
    }
    let sql = try order.rows.search
    return FetchExplanation(
      method: method.explanation(queryPlan), sql: sql.readable,
      queryPlan: try QueryPlan(sql, on: connection).lines)
  }
}

extension FetchMethod {
  /// The choice, as a sentence.
  ///
  /// - Parameter queryPlan: How SQLite runs the statement of the fetch.
  /// - Returns: The sentence.
  fileprivate func explanation(_ queryPlan: QueryPlan) -> String {
    switch self {
    case .statement where queryPlan.sorts: "SQLite sorts the rows."
    case .statement where queryPlan.scansTable: "SQLite reads the rows in the order of their keys."
    case .statement: "SQLite reads the rows in the order of an index, or sorts a part of it."
    case .own(let order, let source):
      (order.isByKey
        ? "Cardfile reads the rows in the order of their keys"
        : order.findsFirstRows
          ? "Cardfile keeps the first rows" : "Cardfile sorts the rows, each value once")
        + source.explanation
    }
  }
}

extension TableRows.Source {
  /// The rest of the sentence.
  fileprivate var explanation: String {
    switch self {
    case .pages: ", from the pages of the table."
    case .halves(_, _, let obstacle):
      "; two statements read half of the table each, not its pages: \(obstacle.rawValue)."
    case .statement(let obstacle):
      "; a statement reads them, not the pages of the table: \(obstacle.rawValue)."
    }
  }
}
