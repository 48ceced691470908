package import ObjectModel

/// A condition on the columns of one row that needs no statement, for a store that reads rows by
/// itself.
///
/// It holds for the same rows as the SQL of ``QueryCompiler``.
package indirect enum RowCondition: Hashable, Sendable {
  /// How a column is looked at.
  package enum Form: Hashable, Sendable {
    /// As it is stored.
    case stored
    /// With text folded.
    case folded(TextFolding.Options)
    /// As the seconds since 1970 of a date; NULL for any other value.
    case seconds(ValueEncoding)
    /// As the text of the decoded value, as `CAST(x, 'NSString')` gives it.
    case text(ValueEncoding)
  }

  /// How a value is compared with another one of the same storage class.
  package enum Order: Hashable, Sendable { case equal, less, lessOrEqual, greater, greaterOrEqual }

  case constant(Bool)
  case all([RowCondition])
  case any([RowCondition])
  case not(RowCondition)
  case isNull(SQL)
  /// Whether the value is of the literal's storage class and in an order to it.
  case comparison(SQL, Form, Order, Value)
  /// Whether a text contains, begins or ends with a folded text, or is like it.
  case search(SQL, Form, FetchPredicate.Operator, needle: String, TextFolding.Options)
  /// Whether two stored values are equal, or both NULL.
  case same(SQL, SQL)
  /// Whether a foreign key is among the integer keys that a statement finds.
  case among(SQL, keys: SQL)

  /// The columns that it reads.
  package var columns: Set<SQL> {
    switch self {
    case .constant: []
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.columns) }
    case .not(let part): part.columns
    case .isNull(let column), .comparison(let column, _, _, _), .search(let column, _, _, _, _),
      .among(let column, keys: _):
      [column]
    case .same(let left, let right): [left, right]
    }
  }

  /// The foreign keys that it compares, and the statements that find keys.
  package var lookups: [(column: SQL, keys: SQL)] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.lookups)
    case .not(let part): part.lookups
    case .among(let column, let keys): [(column, keys)]
    case .constant, .isNull, .comparison, .search, .same: []
    }
  }
}

extension QueryCompiler {
  /// The most literals of an IN, which are compared one by one.
  private static let mostLiterals = 32

  /// A condition that can be evaluated on a row alone; nil if it needs a statement.
  ///
  /// - Throws: ``StoreError`` for an unknown name.
  package func rowCondition(_ node: FetchPredicate.Node, in scope: QueryScope) throws(StoreError)
    -> RowCondition?
  {
    switch node {
    case .constant(let flag): return .constant(flag)
    case .not(let node): return try rowCondition(node, in: scope).map { .not($0) }
    case .and(let nodes): return try rowConditions(nodes, in: scope).map { .all($0) }
    case .or(let nodes): return try rowConditions(nodes, in: scope).map { .any($0) }
    case .comparison(let comparison):
      guard comparison.modifier == .direct, comparison.options.isSubset(of: .cd) else { return nil }
      if let related = try relatedCondition(comparison, in: scope) { return related }
      if let search = try rowSearch(comparison, in: scope) { return search }
      if let column = try column(comparison.left, in: scope) {
        if let other = try self.column(comparison.right, in: scope) {
          return rowCondition(column, comparison.operation, other, comparison.options)
        }
        return rowCondition(column, comparison.operation, comparison.right, comparison.options)
      }
      guard let mirrored = comparison.operation.mirrored,
        let column = try column(comparison.right, in: scope)
      else { return nil }
      return rowCondition(column, mirrored, comparison.left, comparison.options)
    }
  }

  private func rowConditions(_ nodes: [FetchPredicate.Node], in scope: QueryScope)
    throws(StoreError) -> [RowCondition]?
  {
    var conditions: [RowCondition] = []
    for node in nodes {
      guard let condition = try rowCondition(node, in: scope) else { return nil }
      conditions.append(condition)
    }
    return conditions
  }

  /// The column that a key path leads to; nil for any other expression.
  private func column(_ expression: Expression, in scope: QueryScope) throws(StoreError)
    -> ColumnOperand?
  {
    guard case .keyPath = expression,
      case .attribute(let column)? = try target(of: expression, in: Scopes(scope))
    else { return nil }
    return column
  }

  /// A condition on a related object, by the keys of those that satisfy it; nil for any other
  /// condition, and for one that can hold where there is no object.
  private func relatedCondition(_ comparison: Comparison, in scope: QueryScope)
    throws(StoreError) -> RowCondition?
  {
    var own = comparison
    let path: [String]
    switch comparison.left {
    case .keyPath(let keys):
      path = keys
      own.left = .keyPath(Array(keys.dropFirst()))
    case .cast(.keyPath(let keys), let type):
      path = keys
      own.left = .cast(.keyPath(Array(keys.dropFirst())), type)
    default: return nil
    }
    guard path.count > 1, !path.contains(where: { $0.hasPrefix("@") }),
      let relationship = scope.entity.relationship(named: path[0]), !relationship.isToMany,
      let toOne = scope.table.toOne[relationship.name], toOne.referencesKey,
      let column = toOne.columns.first, toOne.columns.count == 1,
      case .constant(let value) = comparison.right, !value.isNull,
      comparison.operation != .notEqual
    else { return nil }
    let destination = try QueryScope(
      entityName: relationship.destinationEntityName, layout: layout)
    guard destination.table.hasRowid else { return nil }
    let condition = try condition(own, in: Scopes(destination), exact: false)
    return .among(
      scope.column(column),
      keys: "SELECT \(destination.keyColumns) FROM \(destination.from) WHERE \(condition)")
  }

  /// Whether two columns are equal, as SQL compares them.
  private func rowCondition(
    _ column: ColumnOperand, _ operation: FetchPredicate.Operator, _ other: ColumnOperand,
    _ options: FetchPredicate.Options
  ) -> RowCondition? {
    guard options.isEmpty, column.form == .stored, other.form == .stored else { return nil }
    return switch operation {
    case .equal: .same(column.sql, other.sql)
    case .notEqual: .not(.same(column.sql, other.sql))
    default: nil
    }
  }

  private func rowSearch(_ comparison: Comparison, in scope: QueryScope) throws(StoreError)
    -> RowCondition?
  {
    guard let (search, column) = try textSearch(comparison, in: Scopes(scope)) else { return nil }
    // A range of bytes, as in SQL.
    if let (first, end) = search.bounds {
      return .all([
        .comparison(column.sql, .stored, .greaterOrEqual, .string(first)),
        .comparison(column.sql, .stored, .less, .string(end)),
      ])
    }
    guard case .cast(let expression, _) = comparison.left else {
      return .search(column.sql, .stored, search.operation, needle: search.needle, search.options)
    }
    guard let column = try self.column(expression, in: scope) else { return nil }
    return .search(
      column.sql, .text(column.attribute.encoding), search.operation, needle: search.needle,
      search.options)
  }

  private func rowCondition(
    _ column: ColumnOperand, _ operation: FetchPredicate.Operator, _ right: Expression,
    _ options: FetchPredicate.Options
  ) -> RowCondition? {
    switch right {
    case .constant(let value): return rowCondition(column, operation, value, options)
    case .list(let elements):
      let values = elements.compactMap { element -> Value? in
        if case .constant(let value) = element { value } else { nil }
      }
      guard values.count == elements.count, values.count <= Self.mostLiterals else { return nil }
      switch operation {
      // IN never matches NULL.
      case .in: return rowCondition(column, in: values.filter { !$0.isNull }, options)
      case .between where values.count == 2:
        guard let low = rowCondition(column, .greaterOrEqual, values[0], options),
          let high = rowCondition(column, .lessOrEqual, values[1], options)
        else { return nil }
        return .all([low, high])
      default: return nil
      }
    default: return nil
    }
  }

  private func rowCondition(
    _ column: ColumnOperand, in values: [Value], _ options: FetchPredicate.Options
  ) -> RowCondition? {
    guard let first = values.first else { return .constant(false) }
    guard
      values.allSatisfy({ $0.isDate == first.isDate && $0.isNumber == first.isNumber }),
      values.allSatisfy({ ($0.text == nil) == (first.text == nil) })
    else { return nil }
    let parts = values.compactMap { rowCondition(column, .equal, $0, options) }
    return parts.count == values.count ? .any(parts) : nil
  }

  private func rowCondition(
    _ column: ColumnOperand, _ operation: FetchPredicate.Operator, _ value: Value,
    _ options: FetchPredicate.Options
  ) -> RowCondition? {
    if value.isNull {
      return switch operation {
      case .equal: .isNull(column.sql)
      case .notEqual: .not(.isNull(column.sql))
      default: nil
      }
    }
    guard let literal = value.comparisonValue else { return nil }
    let form: RowCondition.Form
    switch (column.form, value) {
    case (.seconds, .date): form = .seconds(column.attribute.encoding)
    case (.seconds, _), (.inMemory, _), (.stored, .date): return nil
    case (.stored, _):
      form = !options.isEmpty && value.text != nil ? .folded(options.folding) : .stored
    }
    func compared(_ order: RowCondition.Order) -> RowCondition {
      .comparison(column.sql, form, order, literal.folded(options))
    }
    return switch operation {
    case .equal: compared(.equal)
    case .notEqual: .not(compared(.equal))
    case .less: compared(.less)
    case .lessOrEqual: compared(.lessOrEqual)
    case .greater: compared(.greater)
    case .greaterOrEqual: compared(.greaterOrEqual)
    default: nil
    }
  }
}

extension QueryScope {
  /// The condition that a row is of the scope's entity, as ``entityCondition(includingSubentities:)``
  /// states it; nil if the table has one entity.
  package func entityRowCondition(includingSubentities: Bool) -> RowCondition? {
    guard let own = table.entityColumn else { return nil }
    return .any(
      entityValues(includingSubentities).map {
        .comparison(column(own.name), .stored, .equal, $0)
      })
  }
}
