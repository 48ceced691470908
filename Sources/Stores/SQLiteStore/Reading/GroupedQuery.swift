package import ObjectModel
import SQLQueries

/// The statement of a fetch of groups: `SELECT … FROM … WHERE … GROUP BY … HAVING …`.
///
/// Its order, limit and selection are those of ``GroupedFetchPlan/results(of:)``.
struct GroupedQuery {
  let sql: SQL
  /// Where a row has the value of each column of the plan.
  private let outputs: [Output]

  private enum Output {
    case value(Int32)
    case object(IDColumns)
  }

  /// Makes the statement.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - compiler: Translates the predicate.
  /// - Throws: ``StoreError`` if the fetch cannot be translated.
  init(_ plan: GroupedFetchPlan, compiler: QueryCompiler) throws(StoreError) {
    let scope = try QueryScope(entityName: plan.fetch.entityName, layout: compiler.layout)
    var groups: [SQL] = []
    var columns: [SQL] = []
    var outputs: [Output] = []
    var values: [(sql: SQL, attribute: AttributeDescription)] = []
    for column in plan.columns {
      if let source = column.source, source.isRelationship {
        guard case .object(let end) = try scope.follow(source.path) else {
          throw scope.unsupported("\(KeyPathText.text(source.path)) is no to-one relationship")
        }
        let id = IDColumns(end, storeIdentifier: compiler.storeIdentifier, in: &columns)
        outputs.append(.object(id))
        groups += end.grouped
        // No condition reads it.
        values.append(("NULL", column.output))
        continue
      }
      var value: SQL = "count(*)"
      if let source = column.source {
        let operand = try compiler.sortColumn(KeyPathText.text(source.path), in: scope)
        if let function = column.function {
          value = operand.aggregated(function, as: column.output)
        } else {
          groups.append(operand.grouped)
          value = column.output.grouping(operand.value)
        }
      }
      outputs.append(.value(Int32(columns.count)))
      columns.append(value)
      values.append((value, column.output))
    }
    self.outputs = outputs
    var tail: SQL = groups.isEmpty ? "" : " GROUP BY \(groups)"
    if let having = plan.having {
      guard let condition = QueryCompiler.condition(having, on: values) else {
        throw scope.unsupported("the condition on groups reads too many values")
      }
      tail += " HAVING \(condition)"
    }
    let filter = try FetchQuery.filter(plan.fetch, compiler: compiler, scope: scope)
    sql = "SELECT \(columns) FROM \(scope.from)\(filter)\(tail)"
  }
}

extension GroupedQuery {
  /// Reads the groups.
  ///
  /// - Returns: The groups; nil if one is in parts, because the database contains the key of its
  ///   object in several ways, such as 1 and '01'.
  /// - Throws: ``StoreError``.
  func groups(of plan: GroupedFetchPlan, on connection: Connection) throws(StoreError)
    -> [[Value]]?
  {
    let statement = try Statement(
      sql, on: connection, doing: "grouping", subject: plan.fetch.entityName)
    let hasObjects = plan.columns.contains { $0.source?.isRelationship == true }
    var rows: [[Value]] = []
    var seen: Set<ArraySlice<Value>> = []
    while try statement.step() {
      let row = outputs.map { output -> Value in
        switch output {
        case .value(let column): statement.value(column)
        case .object(let id): id.id(statement).map { .string($0.uriRepresentation) } ?? .null
        }
      }
      if hasObjects, !seen.insert(row.prefix(plan.groupCount)).inserted { return nil }
      rows.append(row)
    }
    return rows
  }
}

extension ObjectOperand {
  /// What rows are grouped by, so that those of a group have the same stored key.
  fileprivate var grouped: [SQL] {
    keyColumns.flatMap { key -> [SQL] in
      // A rowid is a number however it is stored; another key may be 1 or 1.0.
      isRowid ? ["\(key) COLLATE BINARY"] : ["typeof(\(key))", "\(key) COLLATE BINARY"]
    }
  }
}

extension SQLiteStore: GroupFetching {
  package func fetchGroups(_ plan: GroupedFetchPlan) throws(StoreError) -> [[Value]]? {
    let query = try GroupedQuery(plan, compiler: reader.compiler)
    return try read(doing: "grouping \(plan.fetch.entityName)", isLimited: true) {
      connection throws(StoreError) in
      try query.groups(of: plan, on: connection)
    }
  }
}
