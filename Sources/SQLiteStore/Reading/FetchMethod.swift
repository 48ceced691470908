import ObjectModel
import SQLQueries

/// How the rows of a fetch get into their order: the choice is made here, and explained.
enum FetchMethod {
  /// SQLite returns the rows in their order: by the key, by an index, or sorted.
  case statement
  /// Both halves of the table are read at the same time, in the order of the keys.
  case halves(KeyCondition, KeyCondition)
  /// Both halves of the table are searched for the first rows at the same time; SQLite sorts those.
  case firstOfHalves(KeyCondition, KeyCondition)
  /// The rows are sorted here; two readers read them at the same time if there are halves.
  case ranks(OwnOrder, halves: (KeyCondition, KeyCondition)?)

  /// The least number of rows for which a second reader is worth its time.
  static let leastRowCount = 8_000
  /// How many times as many they must be to be searched for the first ones, which takes less time
  /// for each row.
  private static let firstFactor = 3

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
    let plan = query.plan
    var halves: (KeyCondition, KeyCondition)?
    if let keys, let leastRowCount, keys.estimatedCount >= leastRowCount, queryPlan.scansTable {
      halves = keys.halves
    }
    if queryPlan.sorts, try Self.isUTF8(connection),
      let order = try OwnOrder(query, compiler: compiler)
    {
      self = .ranks(order, halves: halves)
    } else if let halves, let keys, let leastRowCount,
      keys.estimatedCount >= leastRowCount * Self.firstFactor,
      queryPlan.sorts, let limit = plan.limit,
      (0...FetchQuery.firstLimit).contains(limit),
      (0...FetchQuery.firstLimit).contains(plan.offset)
    {
      self = .firstOfHalves(halves.0, halves.1)
    } else if let halves, plan.sortDescriptors.isEmpty, plan.limit == nil, plan.offset == 0,
      plan.sectionKey == nil
    {
      self = .halves(halves.0, halves.1)
    } else {
      self = .statement
    }
  }

  /// Whether text is stored as UTF-8; SQLite sorts UTF-16 by its bytes, which is another order.
  private static func isUTF8(_ connection: Connection) throws(StoreError) -> Bool {
    let encoding = try Statement("PRAGMA encoding", on: connection, doing: "fetching")
    return try encoding.step() && encoding.value(0) == .string("UTF-8")
  }
}
