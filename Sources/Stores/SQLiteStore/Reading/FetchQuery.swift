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
  /// - Throws: ``StoreError`` if the fetch cannot be translated.
  init(_ plan: FetchPlan, compiler: QueryCompiler, within keys: KeyCondition? = nil)
    throws(StoreError)
  {
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
    let filter = try Self.filter(plan, compiler: compiler, scope: scope, within: keys)
    let order = try compiler.order(plan.sortDescriptors, in: scope)
    guard plan.isFromEnd, plan.limit != nil || plan.offset > 0 else {
      sql = "SELECT \(columns) FROM \(scope.from)\(filter) ORDER BY \(order)\(Self.window(plan))"
      search = sql
      return
    }
    let reversed = try compiler.order(plan.sortDescriptors, in: scope, isReversed: true)
    search = """
      SELECT \(scope.keyColumns) FROM \(scope.from)\(filter) \
      ORDER BY \(reversed)\(Self.window(plan))
      """
    sql = """
      SELECT \(columns) FROM \(scope.from) \
      WHERE (\(scope.keyColumns)) IN (\(search)) ORDER BY \(order)
      """
  }

  /// The statement that counts the objects of a fetch.
  static func count(_ plan: FetchPlan, compiler: QueryCompiler) throws(StoreError) -> SQL {
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    let filter = try filter(plan, compiler: compiler, scope: scope)
    if scope.table.key == .none, plan.predicate == nil, plan.limit == nil, plan.offset == 0 {
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
    within keys: KeyCondition? = nil, hasUnknownEntities: Bool = false
  ) throws(StoreError) -> SQL {
    let part = keys?.sql(scope.keyColumns)
    let isAll =
      hasUnknownEntities && !scope.selectsEntity(includingSubentities: plan.includesSubentities)
    let entity =
      isAll ? nil : scope.entityCondition(includingSubentities: plan.includesSubentities)
    guard let predicate = plan.predicate else { return "\(where: [part, entity])" }
    let condition = try compiler.condition(
      predicate.node.computingConstants, in: .init(scope), exact: false)
    return "\(where: [part, entity, condition])"
  }

  private static func window(_ plan: FetchPlan) -> SQL {
    let limit = plan.limit.map { Int64(max($0, 0)) }
    if plan.offset > 0 {
      return " LIMIT \(limit ?? -1) OFFSET \(Int64(plan.offset))"
    }
    return limit.map { " LIMIT \($0)" } ?? ""
  }
}
