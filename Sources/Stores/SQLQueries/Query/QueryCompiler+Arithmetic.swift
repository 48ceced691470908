import ObjectModel

extension QueryCompiler {
  /// A comparison that SQLite's own operators compute, for rows with values of the expected types;
  /// nil if they cannot.
  ///
  /// For these types the operators and those in memory have the same results: integers that become
  /// doubles when 64 bits do not suffice, whole quotients, NULL for a division by zero. A row with a
  /// value of another type is evaluated in memory.
  func arithmetic(_ comparison: Comparison, in scopes: Scopes) throws(StoreError)
    -> PlainCondition?
  {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      let left = try operand(comparison.left, in: scopes),
      let right = try operand(comparison.right, in: scopes), left.isText == right.isText
    else { return nil }
    let sign: SQL
    switch comparison.operation {
    case .equal: sign = "IS"
    case .notEqual: sign = "IS NOT"
    case .less, .lessOrEqual, .greater, .greaterOrEqual: sign = comparison.operation.sql
    default: return nil
    }
    let types = (left.types + right.types).map { "typeof(\($0.column)) IN \($0.types)" as SQL }
    guard !types.isEmpty else { return nil }
    let otherwise = try evaluated(.comparison(comparison), in: scopes)
    return PlainCondition(
      sql: """
        CASE WHEN \(types.joined(" AND ")) THEN \(left.sql) \(sign) \(right.sql) \
        ELSE \(otherwise) END
        """)
  }

  /// A number, or the text of a column, computed by SQLite.
  private struct Operand {
    let sql: SQL
    var isText = false
    /// Whether it is an integer or NULL if the columns have the expected types.
    var isWhole = false
    /// The columns, and the types that their values must have.
    var types: [(column: SQL, types: SQL)] = []
    /// How many operators are nested.
    var depth = 0
  }

  /// More operators are evaluated in memory: SQLite limits the depth of an expression.
  private static let deepest = 12

  private func operand(_ expression: Expression, in scopes: Scopes) throws(StoreError) -> Operand? {
    switch expression {
    case .constant(let value):
      switch value {
      case .integer: return Operand(sql: "\(value)", isWhole: true)
      case .double(let number) where !number.isNaN: return Operand(sql: "\(value)")
      default: return nil
      }
    case .function(let name, let arguments):
      guard let function = PredicateFunction(written: name) else { return nil }
      return try operand(function, arguments, in: scopes)
    default:
      guard case .attribute(let column)? = try target(of: expression, in: scopes) else {
        return nil
      }
      return operand(column)
    }
  }

  private func operand(_ column: ColumnOperand) -> Operand? {
    switch (column.attribute.encoding, column.attribute.kind) {
    case (.native, .number):
      let isWhole = [.integer16, .integer32, .integer64].contains(column.attribute.type)
      return Operand(
        sql: column.bare, isWhole: isWhole,
        types: [(column.sql, isWhole ? "('integer', 'null')" : "('integer', 'real', 'null')")])
    case (.native, .text):
      return Operand(
        sql: "\(column.bare) COLLATE BINARY", isText: true,
        types: [(column.sql, "('text', 'null')")])
    default: return nil
    }
  }

  private func operand(
    _ function: PredicateFunction, _ arguments: [Expression], in scopes: Scopes
  ) throws(StoreError) -> Operand? {
    var operands: [Operand] = []
    for argument in arguments {
      guard let operand = try operand(argument, in: scopes) else { return nil }
      operands.append(operand)
    }
    guard operands.count == function.arity,
      let first = operands.first, let last = operands.last
    else { return nil }
    let depth = (operands.map(\.depth).max() ?? 0) + 1
    guard depth <= Self.deepest else { return nil }
    let types = operands.flatMap(\.types)
    if function == .length {
      guard case .attribute(let column)? = try target(of: arguments[0], in: scopes),
        column.attribute.encoding == .native, column.attribute.kind == .text
      else { return nil }
      return Operand(
        sql: column.length.sql, isWhole: true,
        types: [(column.sql, "('text', 'blob', 'null')")], depth: depth)
    }
    guard !operands.contains(where: \.isText) else { return nil }
    let areWhole = operands.allSatisfy(\.isWhole)
    if function == .onesComplement {
      return areWhole
        ? Operand(sql: "(~\(first.sql))", isWhole: true, types: types, depth: depth) : nil
    }
    guard let sign = function.sign, areWhole || !function.isOfBits else { return nil }
    return Operand(
      sql: "(\(first.sql) \(sign) \(last.sql))", isWhole: function.isOfBits, types: types,
      depth: depth)
  }
}

extension PredicateFunction {
  /// SQL's operator with the same result; nil if there is none.
  fileprivate var sign: SQL? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .modulus: "%"
    case .bitwiseAnd: "&"
    case .bitwiseOr: "|"
    case .leftShift: "<<"
    case .rightShift: ">>"
    default: nil
    }
  }

  /// Whether SQL's operator turns its operands into integers, and its result is one.
  fileprivate var isOfBits: Bool {
    switch self {
    case .modulus, .bitwiseAnd, .bitwiseOr, .leftShift, .rightShift: true
    default: false
    }
  }
}
