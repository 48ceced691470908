import ObjectModel
import SQLQueries

/// Puts changed rows in their positions among the unchanged rows of an earlier fetch.
///
/// All comparisons are SQLite's: it sorts the changed rows together with those that they are
/// compared with, so that the order is that of a fetch.
struct RowMerge {
  let plan: FetchPlan
  let reader: StoreReader
  /// The connection, in the transaction in which the changes were found.
  let connection: Connection

  /// The results of the fetch now.
  ///
  /// - Parameters:
  ///   - runs: The keys of the rows that may have changed.
  ///   - earlier: The results before.
  /// - Returns: The results; nil if the positions cannot be found, or a section repeats a name.
  /// - Throws: ``StoreError``.
  /// - Complexity: One pass over the keys, and a query for each step of the binary searches.
  func results(of runs: KeyRuns, among earlier: FetchedIDs) throws(StoreError) -> FetchedIDs? {
    if runs.isEmpty { return earlier }
    guard let removals = earlier.ids.indexes(in: runs) else { return nil }
    let changed = try fetch(runs.keys, plan)
    guard changed.ids.allSatisfy({ earlier.ids.compactKey(of: $0) != nil }),
      Self.hasPlainNames(changed.sections), Self.hasPlainNames(earlier.sections)
    else { return nil }
    let remaining = RemainingRows(removals: removals, count: earlier.ids.count)
    let before = Dictionary(firstOf: removals.map { (earlier.ids[$0], $0) })
    guard
      let gaps = try gaps(
        of: changed.ids, near: changed.ids.map { before[$0].map(remaining.count(before:)) },
        in: remaining, earlier.ids), zip(gaps, gaps.dropFirst()).allSatisfy(<=)
    else { return nil }
    let names = changed.sections.flatMap { Array(repeating: $0.name, count: $0.count) }
    let insertions = changed.ids.indices.map { index in
      ListEdits.Insertion(
        gap: gaps[index], id: changed.ids[index],
        sectionName: plan.sectionKey == nil ? "" : names[index])
    }
    let results = earlier.applying(
      ListEdits(removals: removals, insertions: insertions), isSectioned: plan.sectionKey != nil)
    return Set(results.sections.map(\.name)).count == results.sections.count ? results : nil
  }

  /// Finds before which of the remaining rows each changed row belongs.
  ///
  /// - Returns: The indexes among the remaining rows; nil if one of those is not there any more.
  private func gaps(
    of rows: ObjectIDList, near guesses: [Int?], in remaining: RemainingRows, _ ids: ObjectIDList
  ) throws(StoreError) -> [Int]? {
    var open = rows.map { _ in 0..<remaining.count }
    // Most rows of the runs have not moved: comparing them with their neighbours is enough.
    var probes = guesses.map { guess in
      guess.map { [$0 - 1, $0] } ?? [remaining.count / 2]
    }
    while true {
      let searching = open.indices.filter { !open[$0].isEmpty }
      guard !searching.isEmpty else { return open.map(\.lowerBound) }
      let indexes = Set(searching.flatMap { probes[$0] }).filter { (0..<remaining.count) ~= $0 }
      let others = Dictionary(firstOf: indexes.map { ($0, ids[remaining.oldIndex(at: $0)]) })
      let ranks = try ranks(of: searching.map { rows[$0] } + others.values)
      for row in searching {
        guard let own = ranks[rows[row]] else { return nil }
        for index in probes[row] where open[row].contains(index) {
          guard let rank = others[index].flatMap({ ranks[$0] }) else { return nil }
          let range = open[row]
          open[row] = rank < own ? index + 1..<range.upperBound : range.lowerBound..<index
        }
        probes[row] = [(open[row].lowerBound + open[row].upperBound) / 2]
      }
    }
  }

  /// The positions of some objects in the order of the plan.
  private func ranks(of ids: [ObjectID]) throws(StoreError) -> [ObjectID: Int] {
    var order = plan
    // They are known to satisfy it.
    order.predicate = nil
    order.sectionKey = nil
    let keys = ids.compactMap { id in if case .integer(let key) = id.key { key } else { nil } }
    let sorted = try fetch(keys, order).ids
    return Dictionary(firstOf: sorted.enumerated().map { ($1, $0) })
  }

  /// Fetches the objects with some keys.
  private func fetch(_ keys: [Int64], _ plan: FetchPlan) throws(StoreError) -> FetchedIDs {
    let query = try FetchQuery(plan, compiler: reader.compiler, within: .among(keys))
    return try reader.fetchInOrder(query, FetchRun(connection: connection))
  }

  /// Whether no name was made different from an earlier one.
  static func hasPlainNames(_ sections: [SectionRun]) -> Bool {
    sections.allSatisfy { $0.name.unicodeScalars.last != SectionNames.mark }
  }
}
