import ObjectModel
import SQLQueries

/// A fetch whose rows are sorted here instead of by SQLite.
///
/// The rows are read in the order of their keys (``TableRows``). The first rows are kept (``FirstRows``), or
/// are the first ones that are found (``FirstKeys``). To sort all rows, each distinct value of a
/// sort column is folded and sorted once, and rows are placed by the ranks of their values
/// (``SortRows``): a pass over the rows for each column, instead of comparing records.
/// The result is the order of the statement with ORDER BY.
struct OwnOrder {
  /// The rows.
  let rows: TableRows
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

  /// Prepares the fetch; nil for all objects of an entity without integer keys, a large limit or
  /// offset, a limit in the order of the keys without a predicate or from the end, descending keys,
  /// external values, and sections by another attribute than the first one of the order.
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
    rows = TableRows(
      plan: plan, compiler: compiler, scope: scope, selected: selected,
      receiversTestEntity: object.entity != nil)
    self.object = object
    self.columns = columns
    sections = query.sections
  }

  /// Whether the rows are in the order of their keys.
  var isByKey: Bool { columns.isEmpty }

  /// Whether only the first rows are found.
  var findsFirstRows: Bool { keptCount != nil }

  /// Reads and sorts the rows.
  ///
  /// - Parameters:
  ///   - source: Where they are read.
  ///   - run: The connections, and who watches.
  /// - Returns: The IDs and sections; nil if their values differ too much to be worth the memory, a
  ///   key has no code, or values of one rank have different sections.
  /// - Throws: ``StoreError``.
  func fetch(_ source: TableRows.Source, _ run: FetchRun) throws(StoreError) -> FetchedIDs? {
    let plan = rows.plan
    if let keptCount, isByKey {
      return try rows.read(source, run) { _, _ in FirstKeys(keptCount, object) }?
        .ordered(from: plan.offset)
    }
    if let keptCount {
      let first = try rows.read(source, run) { _, _ in
        FirstRows(
          keptCount, isReversed: plan.isFromEnd, object, columns: columns, sections: sections)
      }
      return try first?.ordered(from: plan.offset)
    }
    guard let coding else { return nil }
    let all = try rows.read(source, run) { progress, readers in
      SortRows(
        object, coding, columns: columns,
        budget: SortBudget(total: run.total, readers: readers), progress: progress)
    }
    return try all?.sorted(sections)
  }
}
