import ObjectModel
import SQLQueries

extension StoreReader {
  /// Fetches both halves of a table at the same time, in the order of the keys.
  ///
  /// - Returns: The IDs; nil if there is no second reader.
  /// - Throws: ``StoreError``.
  func fetchHalves(
    _ plan: FetchPlan, _ lower: KeyCondition, _ upper: KeyCondition, _ run: FetchRun
  ) throws(StoreError) -> FetchedIDs? {
    guard let (first, second) = try fetchBoth(plan, lower, upper, run) else { return nil }
    let codes = first.ids.withKeys { codes in second.ids.withKeys { codes + $0 } } ?? nil
    if let codes, first.ids.sharesCodes(with: second.ids),
      let ids = ObjectIDList(compactKeys: codes, like: first.ids)
    {
      return FetchedIDs(ids: ids)
    }
    return FetchedIDs(ids: ObjectIDList(Array(first.ids) + Array(second.ids)))
  }

  /// Fetches the first rows of both halves of a table at the same time, and of those the first ones.
  ///
  /// - Returns: The IDs and sections; nil if there is no second reader.
  /// - Throws: ``StoreError``.
  func fetchFirst(
    _ plan: FetchPlan, ofHalves lower: KeyCondition, _ upper: KeyCondition, _ run: FetchRun
  ) throws(StoreError) -> FetchedIDs? {
    var candidates = plan
    candidates.limit = plan.limit.map { $0 + plan.offset }
    candidates.offset = 0
    candidates.sectionKey = nil
    guard let (first, second) = try fetchBoth(candidates, lower, upper, run) else { return nil }
    var keys: [Int64] = []
    for id in Array(first.ids) + Array(second.ids) {
      guard case .integer(let key) = id.key else { return nil }
      keys.append(key)
    }
    let query = try FetchQuery(plan, compiler: compiler, within: .among(keys))
    return try fetchInOrder(query, run)
  }

  private func fetchBoth(
    _ plan: FetchPlan, _ lower: KeyCondition, _ upper: KeyCondition, _ run: FetchRun
  ) throws(StoreError) -> (FetchedIDs, FetchedIDs)? {
    let first = try FetchQuery(plan, compiler: compiler, within: lower)
    let second = try FetchQuery(plan, compiler: compiler, within: upper)
    return try run.together { connection throws(StoreError) in
      try fetchInOrder(first, run, readers: 2)
    } second: { connection throws(StoreError) in
      try fetchInOrder(second, FetchRun(connection: connection))
    }
  }
}
