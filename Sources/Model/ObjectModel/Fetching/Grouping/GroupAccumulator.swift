import Foundation

/// Groups objects in memory, one after the other.
package struct GroupAccumulator {
  /// What is computed from the objects of one group, as far as they came.
  private enum Aggregate {
    case count(Int64)
    case sum(NumberSum)
    case extreme(Value)

    func result(of function: ExpressionDescription.Function?) -> Value {
      switch self {
      case .count(let count): .integer(count)
      case .sum(let sum): function == .sum ? sum.sum : sum.average
      case .extreme(let value): value
      }
    }
  }

  private let plan: GroupedFetchPlan
  private var groups: [[Value]: [Aggregate]] = [:]

  package init(_ plan: GroupedFetchPlan) { self.plan = plan }

  private var initial: [Aggregate] {
    plan.columns.dropFirst(plan.groupCount).map { column in
      switch column.function {
      case .count, nil: .count(0)
      case .sum, .average: .sum(NumberSum())
      case .min, .max: .extreme(.null)
      }
    }
  }

  /// Adds an object.
  ///
  /// - Parameter values: The stored value of each column's attribute; of any kind where objects are
  ///   counted.
  package mutating func add(_ values: [Value]) {
    let key = (0..<plan.groupCount).map { plan.columns[$0].output.groupValue(values[$0]) }
    var group = groups.removeValue(forKey: key) ?? initial
    for index in group.indices {
      let column = plan.columns[plan.groupCount + index]
      add(values[plan.groupCount + index], to: &group[index], column)
    }
    groups[key] = group
  }

  private func add(
    _ value: Value, to aggregate: inout Aggregate, _ column: GroupedFetchPlan.Column
  ) {
    switch aggregate {
    case .count(let count):
      aggregate = .count(column.source == nil || !value.isNull ? count + 1 : count)
    case .sum(var sum):
      aggregate = .count(0)  // so that there is no second reference
      sum.add(column.source?.attribute.decode(value) ?? .null)
      aggregate = .sum(sum)
    case .extreme(let best):
      aggregate = .extreme(column.output.extreme(best, value, isLeast: column.function == .min))
    }
  }

  /// The stored values of the groups that meet the plan's condition.
  ///
  /// - Returns: The groups in no particular order; one group if nothing is grouped by, even without
  ///   objects.
  /// - Throws: ``FetchPredicateError`` if a regular expression of the condition gives up on a text.
  package func rows() throws -> [[Value]] {
    let found = groups.isEmpty && plan.groupCount == 0 ? [[]: initial] : groups
    return try found.map { key, aggregates in
      key
        + zip(plan.columns.dropFirst(plan.groupCount), aggregates).map { column, aggregate in
          column.stored(aggregate.result(of: column.function))
        }
    }.filter(plan.holds)
  }
}

extension GroupedFetchPlan.Column {
  /// The result of an aggregate function as ``output`` stores it.
  package func stored(_ result: Value) -> Value {
    if case .decimal(let decimal) = result { return .string(decimal.description) }
    return output.groupValue(result)
  }
}

extension GroupedFetchPlan {
  /// Whether a group meets the condition.
  fileprivate func holds(_ group: [Value]) throws -> Bool {
    guard let having else { return true }
    return try having.matches(
      Group(values: zip(columns, group).map { $0.output.decode($1) }))
  }

  /// What the condition is evaluated for: its keys are indexes of columns.
  private struct Group: PredicateSubject {
    let values: [Value]

    var objectID: ObjectID { ObjectID(storeIdentifier: "", entityName: "", key: .temporary(0)) }

    func operand(forKey key: String) -> PredicateOperand {
      guard let index = Int(key), values.indices.contains(index) else { return .missing }
      return .value(values[index])
    }
  }
}
