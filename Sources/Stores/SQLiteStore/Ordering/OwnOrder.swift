import ObjectModel
import SQLQueries

/// Receivers of rows whose keys are in order.
protocol OrderedRows: RowReceiver {
  /// Adds the rows that another receiver of the same kind has taken, whose keys are greater.
  func append(_ others: Self)
}

/// A fetch whose rows are sorted here instead of by SQLite.
///
/// SQLite reads the rows in the order of their keys. The first rows are kept (``FirstRows``), or
/// are the first ones that are found (``FirstKeys``). To sort all rows, each distinct value of a
/// sort column is folded and sorted once, and rows are placed by the ranks of their values
/// (``SortRows``): a pass over the rows for each column, instead of comparing records.
/// The result is the order of the statement with ORDER BY.
struct OwnOrder {
  private let plan: FetchPlan
  private let compiler: QueryCompiler
  private let scope: QueryScope
  private let selected: [SQL]
  private let object: IDColumns
  /// The codes of the IDs; nil for keys that are no integers, of which only the first are kept.
  private let coding: ObjectIDCoding?
  /// The columns, without values.
  private let columns: [SortColumn.Description]
  private let sections: SectionRuns?
  /// How many of the first rows are kept; nil for all rows.
  private let keptCount: Int?

  /// The largest limit and offset for which the first rows are kept.
  private static let mostRows = 2_000

  /// How many values `cardfile_rows` can take: SQLite's limit is 127 or more.
  private static let mostColumns = 100

  /// Prepares the fetch; nil for all objects of an entity without integer keys, a large limit or
  /// offset, a limit in the order of the keys without a predicate or from the end, descending keys,
  /// external values, very many columns, and sections by another attribute than the first one of
  /// the order.
  ///
  /// - Throws: ``StoreError``.
  init?(_ query: FetchQuery, compiler: QueryCompiler) throws(StoreError) {
    let plan = query.plan
    guard query.sections?.isAgreed ?? true else { return nil }
    if let limit = plan.limit {
      guard (1...Self.mostRows).contains(limit), (0...Self.mostRows).contains(plan.offset) else {
        return nil
      }
      keptCount = limit + plan.offset
    } else {
      guard plan.offset == 0 else { return nil }
      keptCount = nil
    }
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    var selected: [SQL] = []
    let object = IDColumns(scope.object, storeIdentifier: compiler.storeIdentifier, in: &selected)
    coding = object.isRowid ? object.coding : nil
    if coding == nil, keptCount == nil { return nil }
    var columns: [SortColumn.Description] = []
    for descriptor in plan.sortDescriptors {
      let column = try compiler.sortColumn(descriptor.keyPath, in: scope)
      if column.attribute.encoding == .externalData { return nil }
      if column.isRowid(of: scope) {
        // The key is unique: further descriptors have no effect.
        guard descriptor.ascending else { return nil }
        break
      }
      columns.append(
        .init(
          encoder: SortKeyEncoder(column, folding: descriptor.folding),
          ascending: descriptor.ascending, index: Int32(selected.count)))
      selected.append(column.sql)
    }
    // Without a condition the first keys are at hand.
    if columns.isEmpty, query.sections != nil { return nil }
    if columns.isEmpty, keptCount != nil, plan.predicate == nil || plan.isFromEnd { return nil }
    guard selected.count <= Self.mostColumns else { return nil }
    self.plan = plan
    self.compiler = compiler
    self.scope = scope
    self.selected = selected
    self.object = object
    self.columns = columns
    sections = query.sections
  }

  /// Whether the rows are in the order of their keys.
  var isByKey: Bool { columns.isEmpty }

  /// Whether only the first rows are found.
  var findsFirstRows: Bool { keptCount != nil }

  /// The statement that reads the rows, with a column for each value.
  var search: SQL { get throws(StoreError) { try sql("\(selected)", within: nil) } }

  /// The statement that sends the rows, or a part of them, to a ``RowReceiver``.
  private func sql(within keys: KeyCondition?) throws(StoreError) -> SQL {
    try sql("cardfile_rows(\(Value.null), \(selected))", within: keys)
  }

  private func sql(_ columns: SQL, within keys: KeyCondition?) throws(StoreError) -> SQL {
    // Receivers look at the entity of each row in any case, in less time than SQLite does.
    let filter = try FetchQuery.filter(
      plan, compiler: compiler, scope: scope, within: keys, hasUnknownEntities: object.entity != nil
    )
    return "SELECT \(columns) FROM \(scope.from)\(filter)"
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
    if let keptCount, isByKey {
      let rows = try read(run, halves) { _, _ in FirstKeys(keptCount, object) }
      return rows?.ordered(from: plan.offset)
    }
    if let keptCount {
      let rows = try read(run, halves) { _, _ in
        FirstRows(
          keptCount, isReversed: plan.isFromEnd, object, columns: columns, sections: sections)
      }
      return try rows?.ordered(from: plan.offset)
    }
    guard let coding else { return nil }
    let rows = try read(run, halves) { progress, readers in
      SortRows(
        object, coding, columns: columns.map(SortColumn.init),
        budget: SortBudget(total: run.total, readers: readers), progress: progress)
    }
    return try rows?.sorted(sections)
  }

  /// Reads the rows, or both halves of them at the same time.
  ///
  /// - Parameters:
  ///   - run: The connections, and who watches.
  ///   - halves: Both halves of the table; nil for one reader.
  ///   - make: Makes a receiver without rows, from who watches it and the number of readers.
  /// - Returns: The rows; nil if the receiver did not want all of them.
  /// - Throws: ``StoreError``.
  private func read<Rows: OrderedRows>(
    _ run: FetchRun, _ halves: (KeyCondition, KeyCondition)?,
    making make: (StatementWatch?, _ readers: Int) -> Rows
  ) throws(StoreError) -> Rows? {
    if let halves {
      let (first, second) = (make(run.progress, 2), make(nil, 2))
      let (lower, upper) = (try sql(within: halves.0), try sql(within: halves.1))
      let found = try run.together { connection throws(StoreError) in
        return try read(lower, into: first, connection, run, readers: 2)
      } second: { connection throws(StoreError) in
        return try read(upper, into: second, connection, FetchRun(connection: connection))
      } unless: {
        first.hasEnough
      }
      if let (isWhole, isOtherWhole) = found {
        guard isWhole, isOtherWhole ?? true else { return nil }
        if isOtherWhole != nil { first.append(second) }
        return first
      }
    }
    let rows = make(run.progress, 1)
    return try read(sql(within: nil), into: rows, run.connection, run) ? rows : nil
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
