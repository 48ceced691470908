import ObjectModel
import SQLQueries

extension StoreReader {
  /// The greatest number of runs of keys whose rows are put in their positions one by one; if more have
  /// changed, all rows are sorted again.
  private static let mostChangedRuns = 128

  /// Fetches again: reads the sort keys, and sorts only the rows that have changed.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - earlier: The last fetch, or an earlier one; nil for none.
  ///   - control: Reports progress, and can cancel the fetch; nil for none.
  ///   - connection: The connection, in a transaction.
  ///   - pool: Where a second reader can be had.
  /// - Returns: The results, the same as those of a fetch.
  /// - Throws: ``StoreError``.
  func refetch(
    _ plan: FetchPlan, since earlier: TrackedFetch?, control: FetchControl?,
    on connection: Connection, besides pool: ConnectionPool?
  ) throws(StoreError) -> TrackedFetch {
    guard let earlier, earlier.fingerprint != nil, earlier.plan == plan else {
      return try wholeFetch(plan, nil, control: control, on: connection, besides: pool)
    }
    let fingerprint = try fingerprint(
      of: plan, control: control, on: connection, besides: pool)
    guard let fingerprint,
      let results = try results(of: plan, since: earlier, fingerprint, on: connection)
    else {
      return try wholeFetch(plan, fingerprint, control: control, on: connection, besides: pool)
    }
    return TrackedFetch(results, plan: plan, fingerprint: fingerprint, isIncremental: true)
  }

  private func wholeFetch(
    _ plan: FetchPlan, _ fingerprint: FetchFingerprint?, control: FetchControl?,
    on connection: Connection, besides pool: ConnectionPool?
  ) throws(StoreError) -> TrackedFetch {
    TrackedFetch(
      try fetch(plan, control: control, on: connection, besides: pool), plan: plan,
      fingerprint: fingerprint)
  }

  /// Fetches again in the same state of the database: gives the same results, or those of a filter
  /// of the list in the order that it has.
  ///
  /// - Parameters:
  ///   - list: The results of the same plan, or of that without its predicate.
  ///   - plan: The fetch.
  ///   - control: Reports progress, and can cancel the fetch; nil for none.
  ///   - connection: The connection, in a transaction.
  ///   - pool: Where a second reader can be had.
  /// - Returns: The results; nil if they must be fetched.
  /// - Throws: ``StoreError``.
  func narrow(
    _ list: TrackedFetch, to plan: FetchPlan, control: FetchControl?, on connection: Connection,
    besides pool: ConnectionPool?
  ) throws(StoreError) -> TrackedFetch? {
    if plan.predicate == nil { return list.plan == plan ? list : nil }
    guard let rows = try NarrowedFetch(plan, of: list, compiler: compiler)?.rows,
      let keys = try KeyRange(of: layout.tables[plan.entityName], on: connection),
      let none = KeySet(keys.bounds, for: list.results.ids.count)
    else { return nil }
    let found = try read(rows, keys, control: control, on: connection, besides: pool) {
      FoundKeys(none, progress: $0)
    }
    guard let results = found?.keys.filter(list.results) else { return nil }
    return TrackedFetch(results, plan: plan, fingerprint: nil, isIncremental: true)
  }

  /// What the rows of a fetch are like; nil if all of them must be fetched to know that.
  ///
  /// - Throws: ``StoreError``.
  func fingerprint(
    of plan: FetchPlan, control: FetchControl?, on connection: Connection,
    besides pool: ConnectionPool?
  ) throws(StoreError) -> FetchFingerprint? {
    guard let rows = try FingerprintQuery(plan, compiler: compiler)?.rows,
      let keys = try KeyRange(of: layout.tables[plan.entityName], on: connection),
      let fingerprint = FetchFingerprint(keys: keys.bounds)
    else { return nil }
    return try read(rows, keys, control: control, on: connection, besides: pool) {
      FingerprintRows(
        fingerprint, keys: keys.bounds, columnCount: rows.selected.count, progress: $0)
    }?.fingerprint
  }

  private func read<Rows: OrderedRows>(
    _ rows: TableRows, _ keys: KeyRange, control: FetchControl?, on connection: Connection,
    besides pool: ConnectionPool?, making make: (StatementWatch?) -> Rows
  ) throws(StoreError) -> Rows? {
    let progress = StatementWatch(control, on: connection)
    defer { progress?.end() }
    let run = FetchRun(
      connection: connection, pool: pool, control: control, progress: progress,
      total: keys.estimatedCount)
    return try rows.read(keys, run) { progress, _ in make(progress) }
  }

  /// The results of a fetch, made from those of an earlier one.
  ///
  /// - Returns: The results; nil if too much has changed, or a section would have to be named.
  /// - Throws: ``StoreError``.
  func results(
    of plan: FetchPlan, since earlier: TrackedFetch, _ fingerprint: FetchFingerprint,
    on connection: Connection
  ) throws(StoreError) -> FetchedIDs? {
    guard earlier.plan == plan, let old = earlier.fingerprint,
      let runs = fingerprint.changes(since: old, limit: Self.mostChangedRuns)
    else { return nil }
    let merge = RowMerge(plan: plan, reader: self, connection: connection)
    guard let results = try merge.results(of: runs, among: earlier.results),
      results.ids.count == fingerprint.rowCount
    else { return nil }
    return results
  }
}
