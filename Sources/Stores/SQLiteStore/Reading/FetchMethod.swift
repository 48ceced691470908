import ObjectModel
import SQLQueries

/// How the rows of a fetch get into their order: the choice is made here, and explained.
enum FetchMethod {
  /// SQLite returns the rows in their order: by the key, by an index, or sorted.
  case statement
  /// The rows are sorted here, or the first ones kept.
  case own(OwnOrder, TableRows.Source)

  /// The least number of rows for which reading them from pages in the order of their keys is worth
  /// its time.
  static let leastRowCount = 500

  /// Chooses the method of a fetch.
  ///
  /// - Parameters:
  ///   - query: The fetch.
  ///   - queryPlan: How SQLite runs its statement.
  ///   - keys: The keys of the table; nil if they are no integers.
  ///   - leastRowCount: The least number of rows for what is worth its time only for many; nil for
  ///     one reader.
  ///   - compiler: Translates the order.
  ///   - connection: The connection, in a transaction that lasts as long as the method is used.
  /// - Throws: ``StoreError``.
  init(
    _ query: FetchQuery, _ queryPlan: QueryPlan, keys: KeyRange?, leastRowCount: Int?,
    compiler: QueryCompiler, on connection: Connection
  ) throws(StoreError) {
    let isLong =
      if let keys, let leastRowCount { keys.estimatedCount >= leastRowCount } else { false }
    // Keys in order are as fast from the statement, unless there are many.
    let entityColumn = compiler.layout.tables[query.plan.entityName]?.entityColumn?.name
    let isScan = queryPlan.scansTable || queryPlan.searches(onlyBy: entityColumn)
    // SQLite sorts UTF-16 by its bytes, which is another order.
    guard queryPlan.sorts || isLong && isScan,
      let order = try OwnOrder(query, compiler: compiler),
      order.isByKey ? isLong : queryPlan.sorts, try connection.schema.isUTF8(on: connection)
    else {
      self = .statement
      return
    }
    let source = try order.rows.source(
      queryPlan, keys, leastRowCount: leastRowCount, on: connection)
    if order.isByKey, case .statement = source {
      self = .statement
    } else {
      self = .own(order, source)
    }
  }
}

/// How SQLite runs a statement: the lines of EXPLAIN QUERY PLAN.
struct QueryPlan {
  let lines: [String]

  /// Explains a statement.
  ///
  /// - Throws: ``StoreError`` if the statement cannot be prepared.
  init(_ sql: SQL, on connection: Connection) throws(StoreError) {
    lines = try connection.rows("EXPLAIN QUERY PLAN \(sql)", doing: "fetching")
      .compactMap { $0[3].text }
  }

  /// Whether all rows are sorted, because no index has their order.
  var sorts: Bool { lines.contains("USE TEMP B-TREE FOR ORDER BY") }

  /// Whether the rows of the fetched table are read from the first key to the last.
  var scansTable: Bool { lines.first == "SCAN t0" }

  /// Whether an index finds the rows of the fetched table by one column alone, and each row is read
  /// at its place.
  func searches(onlyBy column: String?) -> Bool {
    guard let column, let line = lines.first, line.hasPrefix("SEARCH t0 USING INDEX ") else {
      return false
    }
    return line.hasSuffix(" (\(column)=?)") || line.hasSuffix(" (\(column)>? AND \(column)<?)")
  }
}
