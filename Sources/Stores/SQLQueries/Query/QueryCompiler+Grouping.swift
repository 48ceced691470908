package import ObjectModel

extension QueryCompiler {
  /// The SQL of a condition on values that are neither attributes nor objects, such as those of a
  /// group.
  ///
  /// - Parameters:
  ///   - predicate: The condition, whose key paths are indexes of values.
  ///   - values: Each value, and the attribute that decodes it.
  /// - Returns: The call that evaluates the condition; nil if it reads more values than SQLite passes
  ///   to a function.
  package static func condition(
    _ predicate: FetchPredicate, on values: [(sql: SQL, attribute: AttributeDescription)]
  ) -> SQL? {
    var used: [Int] = []
    let node = predicate.node.replacing { expression in
      guard case .keyPath(let keys) = expression, let key = keys.first, let index = Int(key),
        values.indices.contains(index)
      else { return expression }
      let position = used.firstIndex(of: index) ?? used.endIndex
      if position == used.endIndex { used.append(index) }
      return .keyPath([String(position)])
    }
    guard used.count <= maximumArguments else { return nil }
    let condition = EvaluatedCondition(
      predicate: FetchPredicate(node), leaves: used.map { .attribute(values[$0].attribute) })
    return "cardfile_evaluate(\(["\(condition)"] + used.map { values[$0].sql }))"
  }
}

extension ColumnOperand {
  /// What rows are grouped by: equal where the stored values mean the same.
  package var grouped: SQL {
    attribute.encoding.isReadFromText ? attribute.grouping(sql) : "\(value) COLLATE BINARY"
  }

  /// An aggregate function of the column, as ``AttributeDescription/groupValue(_:)`` stores it.
  package func aggregated(
    _ function: ExpressionDescription.Function, as output: AttributeDescription
  ) -> SQL {
    let code: SQL = "\(number: attribute.encoding.code)"
    let isText = attribute.encoding.isReadFromText
    switch function {
    case .count: return "count(\(sql))"
    case .sum: return output.grouping("cardfile_sum(\(sql), \(code))")
    case .average: return output.grouping("cardfile_average(\(sql), \(code))")
    case .min where isText: return "cardfile_min(\(sql), \(code))"
    case .max where isText: return "cardfile_max(\(sql), \(code))"
    case .min: return output.grouping("min(\(value) COLLATE BINARY)")
    case .max: return output.grouping("max(\(value) COLLATE BINARY)")
    }
  }
}

extension AttributeDescription {
  /// The stored value that stands for an expression's in a group.
  package func grouping(_ sql: SQL) -> SQL {
    let isDouble: SQL = groupsAsDouble ? "1" : "0"
    return "cardfile_group_value(\(sql), \(number: encoding.code), \(isDouble))"
  }
}
