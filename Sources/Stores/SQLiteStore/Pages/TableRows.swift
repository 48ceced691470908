import ObjectModel
import SQLQueries

/// Receivers of rows whose keys are in order.
protocol OrderedRows: RowReceiver {
  /// Adds the rows that another receiver of the same kind has taken, whose keys are greater.
  func append(_ others: Self)
}

/// The rows of a table that a fetch looks at, and the ways to read them: from the table's pages, by
/// a statement, or by two statements for a half of the keys each.
struct TableRows {
  let plan: FetchPlan
  let compiler: QueryCompiler
  let scope: QueryScope
  /// The columns of the rows.
  let selected: [SQL]
  /// Whether receivers leave out rows of entities that the model does not have, in less time than
  /// SQLite does.
  let receiversTestEntity: Bool

  /// Which part of a table is large: a sixteenth.
  private static let leastPart = 16
  /// How many times as many rows two statements need as pages, to be worth their time.
  private static let leastRatioOfHalves = 16

  /// Where the rows are read.
  enum Source {
    case pages(PageScan)
    /// By two statements at the same time.
    case halves(KeyCondition, KeyCondition, because: PageScan.Obstacle)
    case statement(because: PageScan.Obstacle)
  }

  /// The statement that reads the rows, with a column for each value.
  var search: SQL { get throws(StoreError) { try search(within: nil) } }

  private func search(within keys: KeyCondition?) throws(StoreError) -> SQL {
    let filter = try FetchQuery.filter(
      plan, compiler: compiler, scope: scope, within: keys,
      hasUnknownEntities: receiversTestEntity)
    return "SELECT \(selected) FROM \(scope.from)\(filter)"
  }

  /// Where the rows are best read.
  ///
  /// - Parameters:
  ///   - queryPlan: How SQLite runs the statement of the fetch.
  ///   - keys: The keys of the table; nil if they are no integers.
  ///   - leastRowCount: The least number of rows for what is worth its time only for many; nil for
  ///     one reader.
  ///   - connection: The connection, in a transaction that lasts as long as the source is used.
  /// - Returns: The source.
  /// - Throws: ``StoreError``.
  func source(
    _ queryPlan: QueryPlan, _ keys: KeyRange?, leastRowCount: Int?, on connection: Connection
  ) throws(StoreError) -> Source {
    // They are few then, unless it only tells entities apart.
    guard try isWorthScanning(queryPlan, keys, on: connection) else {
      return .statement(because: .index)
    }
    switch try pages(on: connection) {
    case .success(let pages): return .pages(pages)
    case .failure(let obstacle):
      guard let keys, let leastRowCount, queryPlan.scansTable,
        keys.estimatedCount >= leastRowCount * Self.leastRatioOfHalves
      else {
        return .statement(because: obstacle)
      }
      return .halves(keys.halves.0, keys.halves.1, because: obstacle)
    }
  }

  /// Whether SQLite reads all rows, or finds them by an index on the entity column alone, but those
  /// of the entities are a large part of the table: a row that is found takes as long as many of a
  /// scan.
  ///
  /// - Throws: ``StoreError``.
  private func isWorthScanning(
    _ queryPlan: QueryPlan, _ keys: KeyRange?, on connection: Connection
  ) throws(StoreError) -> Bool {
    if queryPlan.scansTable { return true }
    guard let keys, queryPlan.searches(onlyBy: scope.table.entityColumn?.name),
      let condition = scope.entityCondition(includingSubentities: plan.includesSubentities)
    else { return false }
    return try !connection.rows(
      """
      SELECT 1 FROM \(scope.from) WHERE \(condition) \
      LIMIT 1 OFFSET \(Value.integer(Int64(keys.estimatedCount / Self.leastPart)))
      """, doing: "fetching", subject: plan.entityName
    ).isEmpty
  }

  /// The pages of the table, if they have all that is read, and the condition needs no statement.
  ///
  /// - Throws: ``StoreError``.
  private func pages(on connection: Connection) throws(StoreError)
    -> Result<PageScan, PageScan.Obstacle>
  {
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    var conditions: [RowCondition] = []
    let includesSubentities = plan.includesSubentities
    if !receiversTestEntity || scope.selectsEntity(includingSubentities: includesSubentities),
      let entity = scope.entityRowCondition(includingSubentities: includesSubentities)
    {
      conditions.append(entity)
    }
    if let predicate = plan.predicate {
      guard let own = try compiler.rowCondition(predicate.node.computingConstants, in: scope) else {
        return .failure(.condition)
      }
      conditions.append(own)
    }
    return try PageScan.open(
      scope, selected: selected, where: conditions.isEmpty ? nil : .all(conditions),
      on: connection)
  }

  /// Reads the rows where they are best read.
  ///
  /// - Parameters:
  ///   - keys: The keys of the table; nil if they are no integers.
  ///   - run: The connections, and who watches.
  ///   - make: Makes a receiver without rows, from who watches it and the number of receivers.
  /// - Returns: The rows; nil if the receiver did not want all of them.
  /// - Throws: ``StoreError``.
  func read<Rows: OrderedRows>(
    _ keys: KeyRange?, _ run: FetchRun, making make: (StatementWatch?, _ receivers: Int) -> Rows
  ) throws(StoreError) -> Rows? {
    let source = try source(
      QueryPlan(search, on: run.connection), keys, leastRowCount: FetchMethod.leastRowCount,
      on: run.connection)
    return try read(source, run, making: make)
  }

  /// Reads the rows.
  ///
  /// - Parameters:
  ///   - source: Where.
  ///   - run: The connections, and who watches.
  ///   - make: Makes a receiver without rows, from who watches it and the number of receivers.
  /// - Returns: The rows; nil if the receiver did not want all of them.
  /// - Throws: ``StoreError``.
  func read<Rows: OrderedRows>(
    _ source: Source, _ run: FetchRun, making make: (StatementWatch?, _ receivers: Int) -> Rows
  ) throws(StoreError) -> Rows? {
    switch source {
    case .pages(let pages):
      switch pages.read(run, making: make) {
      case .rows(let rows): return rows
      case .notWanted: return nil
      // The statement is interrupted too, or meets what is wrong with the file.
      case .unreadable: break
      }
    case .halves(let lower, let upper, because: _):
      let (first, second) = (make(run.progress, 2), make(nil, 2))
      // Written before: two threads cannot share a scope, to which a condition adds joins.
      let (low, high) = (try search(within: lower), try search(within: upper))
      let found = try run.together { connection throws(StoreError) in
        try read(low, into: first, connection, run, readers: 2)
      } second: { connection throws(StoreError) in
        try read(high, into: second, connection, FetchRun(connection: connection))
      } unless: {
        first.hasEnough
      }
      if let (isWhole, isOtherWhole) = found {
        guard isWhole, isOtherWhole ?? true else { return nil }
        if isOtherWhole != nil { first.append(second) }
        return first
      }
    case .statement: break
    }
    let rows = make(run.progress, 1)
    return try read(search(within: nil), into: rows, run.connection, run) ? rows : nil
  }

  private func read(
    _ sql: SQL, into rows: RowReceiver, _ connection: Connection, _ run: FetchRun,
    readers: Int = 1
  ) throws(StoreError) -> Bool {
    let statement = try Statement(
      sql, on: connection, doing: "fetching", subject: plan.entityName)
    run.progress?.follow(statement, total: run.total, readers: readers)
    return try rows.takeRows(of: statement)
  }
}
