import ObjectModel
import SQLQueries

/// The statement of a fetch: `SELECT key [, section] FROM … WHERE … ORDER BY … LIMIT …`.
///
/// For the last objects the keys are found in the opposite order first, and then put in order.
struct FetchQuery {
  let plan: FetchPlan
  let sql: SQL
  /// The part of the statement that searches the table: the inner one for the last objects, else
  /// all of it.
  let search: SQL
  /// The columns that identify an object.
  let object: IDColumns
  /// The column of its section key.
  let sectionColumn: Int32
  /// Divides the rows into sections; nil if the plan has no section key.
  let sections: SectionRuns?

  /// Makes the statement.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - compiler: Translates predicate and order.
  ///   - keys: A part of the table, by the integer key; nil for the whole table.
  ///   - step: A part of the rows beside a place of the order; nil for all.
  /// - Throws: ``StoreError`` if the fetch cannot be translated.
  init(
    _ plan: FetchPlan, compiler: QueryCompiler, within keys: KeyCondition? = nil,
    step: OrderStep? = nil
  ) throws(StoreError) {
    self.plan = plan
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    var columns: [SQL] = []
    object = IDColumns(
      scope.object, storeIdentifier: compiler.storeIdentifier, in: &columns)
    sectionColumn = Int32(columns.count)
    if let key = plan.sectionKey {
      let column = try compiler.sortColumn(key.keyPath, in: scope)
      columns.append(
        SectionRuns.column(
          of: key, column, order: plan.sortDescriptors.first { $0.keyPath == key.keyPath }))
      sections = SectionRuns(
        key: key, column: column,
        isAgreed: key.agrees(with: plan.sortDescriptors, column.attribute))
    } else {
      sections = nil
    }
    let terms = try compiler.orderTerms(plan.sortDescriptors, in: scope)
    let filter = try Self.filter(
      plan, compiler: compiler, scope: scope, within: keys, step: step)
    let isReversed = plan.isFromEnd && (plan.limit != nil || plan.offset > 0)
    let order = SQL.order(terms, from: step?.constantCount ?? 0, isReversed: isReversed)
    let window = Self.window(plan)
    guard isReversed else {
      sql = "SELECT \(columns) FROM \(scope.from)\(filter)\(order)\(window)"
      search = sql
      return
    }
    search = "SELECT \(scope.keyColumns) FROM \(scope.from)\(filter)\(order)\(window)"
    sql = """
      SELECT \(columns) FROM \(scope.from) \
      WHERE (\(scope.keyColumns)) IN (\(search))\(SQL.order(terms, from: 0, isReversed: false))
      """
  }

  /// The statement that counts the objects of a fetch.
  static func count(_ plan: FetchPlan, compiler: QueryCompiler, step: OrderStep? = nil)
    throws(StoreError) -> SQL
  {
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    // The step may need joins.
    if step != nil { _ = try compiler.orderTerms(of: plan, in: scope) }
    let filter = try filter(plan, compiler: compiler, scope: scope, step: step)
    if scope.table.key == .none, step == nil, plan.predicate == nil, plan.limit == nil,
      plan.offset == 0
    {
      // Numbering the rows would compute every column of a view.
      return "SELECT count(*) FROM \(scope.table.rows)"
    }
    guard plan.limit != nil || plan.offset > 0 else {
      return "SELECT count(*) FROM \(scope.from)\(filter)"
    }
    return "SELECT count(*) FROM (SELECT 1 FROM \(scope.from)\(filter)\(window(plan)))"
  }

  /// The WHERE clause of a fetch.
  ///
  /// With `hasUnknownEntities`, rows of entities that the model does not have may be among the
  /// result, if all others of the table are the fetch's.
  static func filter(
    _ plan: FetchPlan, compiler: QueryCompiler, scope: QueryScope,
    within keys: KeyCondition? = nil, hasUnknownEntities: Bool = false, step: OrderStep? = nil
  ) throws(StoreError) -> SQL {
    let parts = [keys?.sql(scope.keyColumns)] + (step?.conditions ?? [])
    let isAll =
      hasUnknownEntities && !scope.selectsEntity(includingSubentities: plan.includesSubentities)
    let entity =
      isAll ? nil : scope.entityCondition(includingSubentities: plan.includesSubentities)
    guard let predicate = plan.predicate else { return "\(where: parts + [entity])" }
    let condition = try compiler.condition(
      predicate.node.computingConstants, in: .init(scope), exact: false)
    return "\(where: parts + [entity, condition])"
  }

  private static func window(_ plan: FetchPlan) -> SQL {
    let limit = plan.limit.map { Int64(max($0, 0)) }
    if plan.offset > 0 {
      return " LIMIT \(limit ?? -1) OFFSET \(Int64(plan.offset))"
    }
    return limit.map { " LIMIT \($0)" } ?? ""
  }
}

extension SQL {
  /// The ORDER BY clause of terms, but the first ones; empty if there are no others.
  fileprivate static func order(_ terms: [OrderTerm], from first: Int, isReversed: Bool) -> SQL {
    let rest = terms.dropFirst(first).map { $0.inSQLite(isReversed: isReversed) }
    return rest.isEmpty ? "" : " ORDER BY \(rest)"
  }
}
