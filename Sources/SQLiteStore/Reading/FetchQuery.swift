import ObjectModel

/// The statement of a fetch: `SELECT key [, section] FROM … WHERE … ORDER BY … LIMIT …`.
struct FetchQuery {
  let plan: FetchPlan
  let sql: SQL
  /// The columns that tell an object.
  let object: IDColumns
  /// The column that tells its section.
  let sectionColumn: Int32
  /// What cuts the rows into sections; nil when none were asked for.
  let sections: SectionRuns?

  init(_ plan: FetchPlan, compiler: QueryCompiler) throws(StoreError) {
    self.plan = plan
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    var columns: [SQL] = []
    object = IDColumns(
      scope.object, storeIdentifier: compiler.storeIdentifier, in: &columns)
    sectionColumn = Int32(columns.count)
    if let key = plan.sectionKey {
      let column = try compiler.sortColumn(key.keyPath, at: scope)
      columns.append(
        SectionRuns.column(
          of: key, column, order: plan.sortDescriptors.first { $0.keyPath == key.keyPath }))
      sections = SectionRuns(key: key, column: column)
    } else {
      sections = nil
    }
    let filter = try Self.filter(plan, compiler: compiler, scope: scope)
    let order = try compiler.order(plan.sortDescriptors, at: scope)
    sql =
      .raw("SELECT ") + columns.joined(", ") + .raw(" FROM ") + scope.from + filter
      + .raw(" ORDER BY ") + order.joined(", ") + Self.window(plan)
  }

  /// The statement that counts what a fetch would give.
  static func count(_ plan: FetchPlan, compiler: QueryCompiler) throws(StoreError) -> SQL {
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    let filter = try filter(plan, compiler: compiler, scope: scope)
    guard plan.limit != nil || plan.offset > 0 else {
      return .raw("SELECT count(*) FROM ") + scope.from + filter
    }
    return .raw("SELECT count(*) FROM (SELECT 1 FROM ") + scope.from + filter + window(plan)
      + .raw(")")
  }

  private static func filter(_ plan: FetchPlan, compiler: QueryCompiler, scope: QueryScope)
    throws(StoreError) -> SQL
  {
    let entity = scope.entityCondition(includingSubentities: plan.includesSubentities)
    guard let predicate = plan.predicate else {
      return entity.map { .raw(" WHERE ") + $0 } ?? .raw("")
    }
    let checked: FetchPredicate
    do {
      checked = try predicate.validated(for: scope.entity, in: compiler.layout.model)
    } catch {
      throw StoreError(
        .unknownName, doing: "fetching", subject: plan.entityName, detail: error.description)
    }
    let condition = try compiler.condition(checked.node, at: .init(scope: scope), exact: false)
    return .raw(" WHERE ") + [entity, condition].compactMap(\.self).joined(" AND ")
  }

  private static func window(_ plan: FetchPlan) -> SQL {
    let limit = plan.limit.map { Int64(max($0, 0)) }
    if plan.offset > 0 {
      return .raw(" LIMIT ") + .value(.integer(limit ?? -1)) + .raw(" OFFSET ")
        + .value(.integer(Int64(plan.offset)))
    }
    return limit.map { .raw(" LIMIT ") + .value(.integer($0)) } ?? .raw("")
  }
}
