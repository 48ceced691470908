import ObjectModel
import SQLQueries

/// How the rows of a fetch get into their order: the choice is made here, and explained.
enum FetchMethod {
  /// SQLite returns the rows in their order: by the key, by an index, or sorted.
  case statement
  /// The rows are sorted here, or the first ones kept; two readers read them at the same time if
  /// there are halves.
  case own(OwnOrder, halves: (KeyCondition, KeyCondition)?)

  /// The least number of rows for which a second reader is worth its time.
  static let leastRowCount = 8_000

  /// Chooses the method of a fetch.
  ///
  /// - Parameters:
  ///   - query: The fetch.
  ///   - queryPlan: How SQLite runs its statement.
  ///   - keys: The keys of the table; nil if they are no integers.
  ///   - leastRowCount: The least number of rows for two readers; nil for one reader.
  ///   - compiler: Translates the order.
  ///   - connection: The connection.
  /// - Throws: ``StoreError``.
  init(
    _ query: FetchQuery, _ queryPlan: QueryPlan, keys: KeyRange?, leastRowCount: Int?,
    compiler: QueryCompiler, on connection: Connection
  ) throws(StoreError) {
    var halves: (KeyCondition, KeyCondition)?
    if let keys, let leastRowCount, keys.estimatedCount >= leastRowCount, queryPlan.scansTable {
      halves = keys.halves
    }
    // One reader gets keys in order as fast from the statement.
    guard queryPlan.sorts || halves != nil,
      let order = try OwnOrder(query, compiler: compiler),
      order.isByKey ? halves != nil : queryPlan.sorts, try Self.isUTF8(connection)
    else {
      self = .statement
      return
    }
    self = .own(order, halves: halves)
  }

  /// Whether text is stored as UTF-8; SQLite sorts UTF-16 by its bytes, which is another order.
  private static func isUTF8(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.rows("PRAGMA encoding", doing: "fetching") == [[.string("UTF-8")]]
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
}
