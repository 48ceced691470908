import GRDBSQLite
import ObjectModel
import SQLQueries

/// A fetch whose rows are sorted here instead of by SQLite.
///
/// SQLite reads the rows in the order of their keys. Each distinct value of a sort column is folded
/// and sorted once, and rows are placed by the ranks of their values: a pass over the rows for each
/// column, instead of comparing records. The result is the order of the statement with ORDER BY.
struct OwnOrder {
  private let plan: FetchPlan
  private let sql: SQL
  private let object: IDColumns
  /// The columns, without values.
  private let columns: [SortColumn.Description]
  private let sections: SectionRuns?

  /// Prepares the fetch; nil where SQLite's order is used: for objects without an integer key, a
  /// limit, an order by key or by an index, and sections by another attribute than the first one
  /// of the order.
  ///
  /// - Throws: ``StoreError``.
  init?(_ query: FetchQuery, compiler: QueryCompiler, on connection: Connection)
    throws(StoreError)
  {
    let plan = query.plan
    guard plan.limit == nil, plan.offset == 0, !plan.sortDescriptors.isEmpty,
      query.object.isRowid, query.object.coding != nil, query.sections?.isAgreed ?? true
    else { return nil }
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    guard case .rowid = scope.table.key else { return nil }
    var selected: [SQL] = []
    object = IDColumns(scope.object, storeIdentifier: compiler.storeIdentifier, in: &selected)
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
    guard try Self.sorts(query.sql, on: connection), try Self.isUTF8(connection) else { return nil }
    self.plan = plan
    self.columns = columns
    sections = query.sections
    let filter = try FetchQuery.filter(plan, compiler: compiler, scope: scope, isOrdered: false)
    sql = "SELECT \(selected) FROM \(scope.from)\(filter)"
  }

  /// Whether SQLite would sort all rows of a statement, because no index has their order.
  private static func sorts(_ sql: SQL, on connection: Connection) throws(StoreError) -> Bool {
    let explanation = try Statement("EXPLAIN QUERY PLAN \(sql)", on: connection, doing: "fetching")
    while try explanation.step() {
      if case .string("USE TEMP B-TREE FOR ORDER BY") = explanation.value(3) { return true }
    }
    return false
  }

  /// Whether text is stored as UTF-8; SQLite sorts UTF-16 by its bytes, which is another order.
  private static func isUTF8(_ connection: Connection) throws(StoreError) -> Bool {
    let encoding = try Statement("PRAGMA encoding", on: connection, doing: "fetching")
    return try encoding.step() && encoding.value(0) == .string("UTF-8")
  }

  /// Reads and sorts the rows; nil if their values differ too much to be worth the memory, a key has
  /// no code, or values of one rank have different sections.
  ///
  /// - Throws: ``StoreError``.
  func fetch(_ progress: StatementProgress?, total: Int, on connection: Connection)
    throws(StoreError) -> FetchedIDs?
  {
    guard let coding = object.coding else { return nil }
    let statement = try Statement(
      sql, on: connection, doing: "fetching", subject: plan.entityName)
    progress?.follow(statement, total: total)
    let rows = SortRows(
      coding, columns: columns.map(SortColumn.init), budget: SortBudget(total: total))
    guard try rows.read(statement, object, progress) else { return nil }
    return try rows.sorted(sections)
  }
}
