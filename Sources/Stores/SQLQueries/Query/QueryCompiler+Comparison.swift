import ObjectModel

extension QueryCompiler {
  typealias Comparison = FetchPredicate.Comparison
  typealias Expression = FetchPredicate.Expression

  /// The SQL of a comparison.
  func condition(_ comparison: Comparison, in scopes: Scopes, exact: Bool) throws(StoreError) -> SQL
  {
    if comparison.modifier != .direct {
      if let sql = try quantified(comparison, in: scopes) { return sql }
    } else if let sql = try inSQL(comparison, in: scopes) {
      return exact && sql.mayBeNull ? "((\(sql.sql)) IS TRUE)" : sql.sql
    }
    return try evaluated(.comparison(comparison), in: scopes)
  }

  private func inSQL(_ comparison: Comparison, in scopes: Scopes) throws(StoreError)
    -> PlainCondition?
  {
    if let sql = try plain(comparison, in: scopes) { return sql }
    return try arithmetic(comparison, in: scopes)
  }

  /// A condition, and whether it may be NULL instead of false.
  struct PlainCondition {
    let sql: SQL
    var mayBeNull = true
  }

  /// The target of a key path, or of a cast of one to text; nil for any other expression and for a
  /// collection operator.
  func target(of expression: Expression, in scopes: Scopes) throws(StoreError) -> KeyPathTarget? {
    switch expression {
    case .keyPath(let path):
      return path.contains { $0.hasPrefix("@") } ? nil : try scopes.subject.follow(path)
    case .selfObject: return .object(scopes.subject.object)
    case .variable(let name, let path):
      guard let scope = scopes.variables[name], !path.contains(where: { $0.hasPrefix("@") }) else {
        return nil
      }
      return try scope.follow(path)
    case .cast(let operand, let type):
      guard PredicateCast(written: type) == .string,
        case .attribute(let column)? = try target(of: operand, in: scopes)
      else { return nil }
      return column.text.map { .attribute($0) }
    default: return nil
    }
  }

  /// The comparison as plain SQL; nil if none has the same result as evaluation in memory.
  private func plain(_ comparison: Comparison, in scopes: Scopes) throws(StoreError)
    -> PlainCondition?
  {
    if let (search, column) = try textSearch(comparison, in: scopes) {
      if let range = search.range(of: column) { return PlainCondition(sql: range) }
      return PlainCondition(sql: search.call([column.searched]), mayBeNull: false)
    }
    if let count = try counting(comparison, in: scopes) { return count }
    if let left = try target(of: comparison.left, in: scopes) {
      return try plain(left, comparison.operation, comparison.right, comparison.options, in: scopes)
    }
    if let mirrored = comparison.operation.mirrored,
      let right = try target(of: comparison.right, in: scopes)
    {
      return try plain(right, mirrored, comparison.left, comparison.options, in: scopes)
    }
    return nil
  }

  private func plain(
    _ left: KeyPathTarget, _ operation: FetchPredicate.Operator, _ right: Expression,
    _ options: FetchPredicate.Options, in scopes: Scopes
  ) throws(StoreError) -> PlainCondition? {
    switch left {
    case .collection: return nil
    case .object(let object):
      return try plain(object, operation, right, in: scopes)
    case .attribute(let column):
      if case .constant(let value) = right {
        return plain(column, operation, value, options)
      }
      if case .list(let elements) = right {
        let values = elements.compactMap { element -> Value? in
          if case .constant(let value) = element { value } else { nil }
        }
        guard values.count == elements.count else { return nil }
        switch operation {
        case .in: return plain(column, in: values, options)
        case .between where values.count == 2:
          guard let low = plain(column, .greaterOrEqual, values[0], options),
            let high = plain(column, .lessOrEqual, values[1], options)
          else { return nil }
          return PlainCondition(sql: "(\(low.sql) AND \(high.sql))")
        default: return nil
        }
      }
      guard case .attribute(let other)? = try target(of: right, in: scopes) else { return nil }
      return plain(column, operation, other, options)
    }
  }

  /// A column compared with a literal.
  private func plain(
    _ column: ColumnOperand, _ operation: FetchPredicate.Operator, _ value: Value,
    _ options: FetchPredicate.Options
  ) -> PlainCondition? {
    if value.isNull {
      switch operation {
      case .equal: return PlainCondition(sql: "\(column.sql) IS NULL", mayBeNull: false)
      case .notEqual: return PlainCondition(sql: "\(column.sql) IS NOT NULL", mayBeNull: false)
      default: return nil
      }
    }
    guard let literal = value.comparisonValue, let form = comparable(column, with: value, options)
    else {
      return nil
    }
    let folded = literal.folded(options)
    switch operation {
    case .equal: return PlainCondition(sql: "\(form) = \(folded)")
    case .notEqual: return PlainCondition(sql: "\(form) IS NOT \(folded)", mayBeNull: false)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      // Values of other types are neither less nor greater.
      let isLess = operation == .less || operation == .lessOrEqual
      let bound: SQL? =
        isLess
        ? "\(form) >= \(literal.leastOfKind)"
        : literal.leastOfNextKind.map { "\(form) < \($0)" }
      let comparison: SQL = "\(form) \(operation.sql) \(folded)"
      return PlainCondition(sql: bound.map { "(\(comparison) AND \($0))" } ?? comparison)
    default: return nil
    }
  }

  /// A column that is IN a list of literals.
  private func plain(
    _ column: ColumnOperand, in values: [Value], _ options: FetchPredicate.Options
  ) -> PlainCondition? {
    let values = values.filter { !$0.isNull }  // IN never matches NULL
    guard let first = values.first else { return PlainCondition(sql: "0", mayBeNull: false) }
    let literals = values.compactMap(\.comparisonValue)
    guard literals.count == values.count,
      values.allSatisfy({ $0.isDate == first.isDate && $0.isNumber == first.isNumber }),
      let form = comparable(column, with: first, options)
    else { return nil }
    let folded = literals.map { $0.folded(options) }
    guard let list = SQL.list(folded) else { return nil }
    return PlainCondition(sql: "\(form) IN \(list)")
  }

  /// A column as an expression whose comparison with a literal has the same result as in memory;
  /// nil if there is none.
  private func comparable(
    _ column: ColumnOperand, with value: Value, _ options: FetchPredicate.Options
  ) -> SQL? {
    guard options.isSubset(of: .cd) else { return nil }
    switch column.form {
    case .inMemory: return nil
    case .seconds:
      // Dates are comparable with dates only.
      guard case .date = value else { return nil }
      return "cardfile_date(\(column.sql), \(number: column.attribute.encoding.code))"
    case .stored:
      if case .date = value { return nil }
      if !options.isEmpty, value.text != nil {
        return "cardfile_fold(\(column.sql), \(number: options.folding.rawValue))"
      }
      return "\(column.compared(withNumber: value.isNumber)) COLLATE BINARY"
    }
  }

  /// A comparison of two columns for equality; SQLite orders mixed types differently than memory.
  private func plain(
    _ column: ColumnOperand, _ operation: FetchPredicate.Operator, _ other: ColumnOperand,
    _ options: FetchPredicate.Options
  ) -> PlainCondition? {
    guard options.isEmpty, column.form == .stored, other.form == .stored,
      operation == .equal || operation == .notEqual
    else { return nil }
    let word: SQL = operation == .equal ? "IS" : "IS NOT"
    return PlainCondition(
      sql: "\(column.bare) COLLATE BINARY \(word) \(other.bare)", mayBeNull: false)
  }
}

extension FetchPredicate.Operator {
  /// The operator for exchanged sides; nil if there is none.
  var mirrored: FetchPredicate.Operator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }

  /// The SQL operator of a comparison by order or equality.
  var sql: SQL {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    default: ""
    }
  }
}
