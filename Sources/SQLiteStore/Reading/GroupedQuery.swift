package import ObjectModel
import SQLQueries

/// The statement of a fetch of groups: `SELECT … FROM … WHERE … GROUP BY … HAVING …`.
///
/// Its order, limit and selection are those of ``GroupedFetchPlan/results(of:)``.
struct GroupedQuery {
  let sql: SQL

  /// Makes the statement.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - compiler: Translates the predicate.
  /// - Throws: ``StoreError`` if the fetch cannot be translated.
  init(_ plan: GroupedFetchPlan, compiler: QueryCompiler) throws(StoreError) {
    let scope = try QueryScope(entityName: plan.fetch.entityName, layout: compiler.layout)
    var groups: [SQL] = []
    var values: [(sql: SQL, attribute: AttributeDescription)] = []
    for column in plan.columns {
      guard let source = column.source else {
        values.append(("count(*)", column.output))
        continue
      }
      let operand = try compiler.sortColumn(KeyPathText.text(source.path), in: scope)
      if let function = column.function {
        values.append((operand.aggregated(function, as: column.output), column.output))
      } else {
        groups.append(operand.grouped)
        values.append((column.output.grouping(operand.value), column.output))
      }
    }
    var tail: SQL = groups.isEmpty ? "" : " GROUP BY \(groups)"
    if let having = plan.having {
      guard let condition = QueryCompiler.condition(having, on: values) else {
        throw scope.unsupported("the condition on groups reads too many values")
      }
      tail += " HAVING \(condition)"
    }
    let filter = try FetchQuery.filter(
      plan.fetch, compiler: compiler, scope: scope, isOrdered: false)
    sql = "SELECT \(values.map(\.sql)) FROM \(scope.from)\(filter)\(tail)"
  }
}

extension GroupedQuery {
  /// Reads the groups.
  ///
  /// - Throws: ``StoreError``.
  func groups(of plan: GroupedFetchPlan, on connection: Connection) throws(StoreError) -> [[Value]]
  {
    let statement = try Statement(
      sql, on: connection, doing: "grouping", subject: plan.fetch.entityName)
    var rows: [[Value]] = []
    while try statement.step() {
      rows.append(plan.columns.indices.map { statement.value(Int32($0)) })
    }
    return rows
  }
}

extension SQLiteStore: GroupFetching {
  package func fetchGroups(_ plan: GroupedFetchPlan) throws(StoreError) -> [[Value]] {
    let query = try GroupedQuery(plan, compiler: reader.compiler)
    return try read(doing: "grouping \(plan.fetch.entityName)", isLimited: true) {
      connection throws(StoreError) in
      try query.groups(of: plan, on: connection)
    }
  }
}
