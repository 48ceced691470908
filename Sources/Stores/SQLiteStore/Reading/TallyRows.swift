package import ObjectModel
import SQLQueries

/// Counts the values of a column.
final class TallyRows: RowReceiver, OrderedRows {
  // It is changed for each row: see SortRows.
  @exclusivity(unchecked) private(set) var tally = ColumnTally()
  private let progress: StatementWatch?

  /// Creates a tally of no rows, whose progress is told to a watch.
  init(_ progress: StatementWatch?) { self.progress = progress }

  override func receive(_ row: ReceivedRow) -> Bool {
    tally.add(row.field(0))
    if tally.rowCount & 0x3FFF == 0 { progress?.report(delivered: tally.rowCount) }
    return true
  }

  func append(_ others: TallyRows) { tally.add(others.tally) }
}

extension SQLiteStore: ColumnSummarizing {
  package func summaries(_ plan: SummaryPlan, control: FetchControl?) throws(StoreError)
    -> [ColumnSummary]?
  {
    let isWhole = plan.fetch.limit == nil && plan.fetch.offset == 0
    guard isWhole else { return nil }
    return try read(
      doing: "summarizing \(plan.fetch.entityName)", isLimited: control == nil, by: control
    ) { connection throws(StoreError) in
      try reader.summaries(plan, control: control, on: connection, besides: pool)
    }
  }
}

extension StoreReader {
  /// Summarizes columns, one after the other: the values of many at once would need much memory.
  ///
  /// - Returns: A summary for each column; nil if text is not stored as UTF-8.
  /// - Throws: ``StoreError``.
  fileprivate func summaries(
    _ plan: SummaryPlan, control: FetchControl?, on connection: Connection,
    besides pool: ConnectionPool
  ) throws(StoreError) -> [ColumnSummary]? {
    guard try connection.schema.isUTF8(on: connection) else { return nil }
    let progress = StatementWatch(control, on: connection)
    defer { progress?.end() }
    let keys = try KeyRange(of: layout.tables[plan.fetch.entityName], on: connection)
    let run = FetchRun(
      connection: connection, pool: pool, control: control, progress: progress,
      total: keys?.estimatedCount ?? 0)
    var summaries: [ColumnSummary] = []
    for column in plan.columns {
      guard let tally = try tally(column, plan.fetch, keys, run) else { return nil }
      summaries.append(ColumnSummary(tally, of: column.attribute))
    }
    return summaries
  }

  private func tally(
    _ column: SummaryPlan.Column, _ plan: FetchPlan, _ keys: KeyRange?, _ run: FetchRun
  ) throws(StoreError) -> ColumnTally? {
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    let value = try compiler.sortColumn(KeyPathText.text(column.path), in: scope).value
    let counted: SQL =
      switch column.counted {
      case .value: value
      // SQLite knows the length of bytes without reading all of them.
      case .size: "length(\(value))"
      case .presence: "CASE WHEN \(value) IS NULL THEN NULL ELSE 1 END"
      }
    let rows = TableRows(
      plan: plan, compiler: compiler, scope: scope, selected: [counted],
      receiversTestEntity: false)
    return try rows.read(keys, run) { progress, _ in TallyRows(progress) }?.tally
  }
}
