package import ObjectModel
import SQLQueries

/// Counts the values of columns.
final class TallyRows: RowReceiver, OrderedRows {
  // They are changed for each row: see SortColumn.
  @exclusivity(unchecked) private(set) var tallies: [ColumnTally]
  private let progress: StatementWatch?

  /// Creates tallies of no rows.
  ///
  /// - Parameters:
  ///   - columnCount: The number of columns.
  ///   - progress: Who is told of it.
  init(columnCount: Int, progress: StatementWatch?) {
    tallies = (0..<columnCount).map { _ in ColumnTally() }
    self.progress = progress
  }

  override func receive(_ row: ReceivedRow) -> Bool {
    for index in tallies.indices { tallies[index].add(row.field(Int32(index))) }
    if tallies[0].rowCount & 0x3FFF == 0 { progress?.report(delivered: tallies[0].rowCount) }
    return true
  }

  func append(_ others: TallyRows) {
    for index in tallies.indices { tallies[index].add(others.tallies[index]) }
  }
}

extension SQLiteStore: ColumnTallying {
  /// The most columns that are counted in one pass: `cardfile_rows` takes at most 127 values.
  private static let mostColumns = 100

  package func tallies(_ plan: SummaryPlan, control: FetchControl?) throws(StoreError)
    -> [ColumnTally]?
  {
    let isWhole = plan.fetch.limit == nil && plan.fetch.offset == 0
    guard isWhole, (1...Self.mostColumns).contains(plan.columns.count) else { return nil }
    return try read(
      doing: "summarizing \(plan.fetch.entityName)", isLimited: control == nil, by: control
    ) { connection throws(StoreError) in
      try reader.tallies(plan, control: control, on: connection, besides: pool)
    }
  }
}

extension StoreReader {
  /// Counts the values of columns.
  ///
  /// - Returns: A tally for each column; nil if text is not stored as UTF-8.
  /// - Throws: ``StoreError``.
  fileprivate func tallies(
    _ plan: SummaryPlan, control: FetchControl?, on connection: Connection,
    besides pool: ConnectionPool
  ) throws(StoreError) -> [ColumnTally]? {
    guard try FetchMethod.isUTF8(connection) else { return nil }
    let scope = try QueryScope(entityName: plan.fetch.entityName, layout: compiler.layout)
    var columns: [SQL] = []
    for column in plan.columns {
      let value = try compiler.sortColumn(KeyPathText.text(column.path), in: scope).value
      switch column.counted {
      case .value: columns.append(value)
      // SQLite knows the length of bytes without reading all of them.
      case .size: columns.append("length(\(value))")
      case .presence: columns.append("CASE WHEN \(value) IS NULL THEN NULL ELSE 1 END")
      }
    }
    let rows = TableRows(
      plan: plan.fetch, compiler: compiler, scope: scope, selected: columns,
      receiversTestEntity: false)
    let keys = try KeyRange(of: layout.tables[plan.fetch.entityName], on: connection)
    let source = try rows.source(
      QueryPlan(rows.search, on: connection), keys, leastRowCount: FetchMethod.leastRowCount,
      on: connection)
    let progress = StatementWatch(control, on: connection)
    defer { progress?.end() }
    let run = FetchRun(
      connection: connection, pool: pool, control: control, progress: progress,
      total: keys?.estimatedCount ?? 0)
    return try rows.read(source, run) { progress, _ in
      TallyRows(columnCount: columns.count, progress: progress)
    }?.tallies
  }
}
