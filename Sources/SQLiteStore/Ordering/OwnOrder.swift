import ObjectModel
import SQLQueries

/// A fetch whose rows are sorted here instead of by SQLite.
///
/// SQLite reads the rows in the order of their keys. Each distinct value of a sort column is folded
/// and sorted once, and rows are placed by the ranks of their values: a pass over the rows for each
/// column, instead of comparing records. The result is the order of the statement with ORDER BY.
struct OwnOrder {
  private let plan: FetchPlan
  private let compiler: QueryCompiler
  private let scope: QueryScope
  private let selected: [SQL]
  private let object: IDColumns
  private let coding: ObjectIDCoding
  /// The columns, without values.
  private let columns: [SortColumn.Description]
  private let sections: SectionRuns?

  /// Prepares the fetch; nil for objects without an integer key, a limit, an order by key, external
  /// values, and sections by another attribute than the first one of the order.
  ///
  /// - Throws: ``StoreError``.
  init?(_ query: FetchQuery, compiler: QueryCompiler) throws(StoreError) {
    let plan = query.plan
    guard plan.limit == nil, plan.offset == 0, !plan.sortDescriptors.isEmpty,
      query.object.isRowid, query.sections?.isAgreed ?? true
    else { return nil }
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    guard case .rowid = scope.table.key else { return nil }
    var selected: [SQL] = []
    let object = IDColumns(scope.object, storeIdentifier: compiler.storeIdentifier, in: &selected)
    guard let coding = object.coding else { return nil }
    var columns: [SortColumn.Description] = []
    for descriptor in plan.sortDescriptors {
      let column = try compiler.sortColumn(descriptor.keyPath, in: scope)
      if column.attribute.encoding == .externalData { return nil }
      if column.isRowid(of: scope) {
        // The key is unique: further descriptors have no effect.
        guard !columns.isEmpty, descriptor.ascending else { return nil }
        break
      }
      columns.append(
        .init(column: column, descriptor: descriptor, index: Int32(selected.count)))
      selected.append(column.sql)
    }
    self.plan = plan
    self.compiler = compiler
    self.scope = scope
    self.selected = selected
    self.object = object
    self.coding = coding
    self.columns = columns
    sections = query.sections
  }

  /// The statement that reads the rows, or a part of them.
  func sql(within keys: KeyCondition? = nil) throws(StoreError) -> SQL {
    let filter = try FetchQuery.filter(
      plan, compiler: compiler, scope: scope, within: keys, isOrdered: false)
    return "SELECT \(selected) FROM \(scope.from)\(filter)"
  }

  /// Reads and sorts the rows.
  ///
  /// - Parameters:
  ///   - run: The connections, and who watches.
  ///   - halves: Both halves of the table, to be read at the same time; nil for one reader.
  /// - Returns: The IDs and sections; nil if their values differ too much to be worth the memory, a
  ///   key has no code, or values of one rank have different sections.
  /// - Throws: ``StoreError``.
  func fetch(_ run: FetchRun, halves: (KeyCondition, KeyCondition)? = nil) throws(StoreError)
    -> FetchedIDs?
  {
    if let halves, let (isWhole, rows) = try read(halves, run) {
      return isWhole ? try rows.sorted(sections) : nil
    }
    let rows = makeRows(run, readers: 1)
    let isWhole = try read(sql(), into: rows, run.connection, run.progress, total: run.total)
    return isWhole ? try rows.sorted(sections) : nil
  }

  /// Reads both halves at the same time.
  ///
  /// - Returns: Whether all rows were read, and the rows; nil if there is no second reader.
  /// - Throws: ``StoreError``.
  private func read(_ halves: (KeyCondition, KeyCondition), _ run: FetchRun) throws(StoreError)
    -> (isWhole: Bool, rows: SortRows)?
  {
    let (first, second) = (makeRows(run, readers: 2), makeRows(run, readers: 2))
    let (lower, upper) = (try sql(within: halves.0), try sql(within: halves.1))
    let found = try run.together { connection throws(StoreError) in
      try read(lower, into: first, connection, run.progress, total: run.total, readers: 2)
    } second: { connection throws(StoreError) in
      try read(upper, into: second, connection, nil, total: 0)
    }
    guard let found else { return nil }
    let isWhole = found.0 && found.1
    if isWhole { first.append(second) }
    return (isWhole, first)
  }

  private func makeRows(_ run: FetchRun, readers: Int) -> SortRows {
    SortRows(
      coding, columns: columns.map(SortColumn.init),
      budget: SortBudget(total: run.total, readers: readers))
  }

  private func read(
    _ sql: SQL, into rows: SortRows, _ connection: Connection, _ progress: StatementProgress?,
    total: Int, readers: Int = 1
  ) throws(StoreError) -> Bool {
    let statement = try Statement(
      sql, on: connection, doing: "fetching", subject: plan.entityName)
    progress?.follow(statement, total: total, readers: readers)
    return try rows.read(statement, object, progress)
  }
}
