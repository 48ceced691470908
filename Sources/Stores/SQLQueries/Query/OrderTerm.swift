package import ObjectModel

/// A term of ORDER BY.
package struct OrderTerm: Sendable {
  package let sql: SQL
  /// Whether smaller values come first; NULL is smaller than every value.
  package let ascending: Bool
  /// Which of the sort descriptors it belongs to; nil for the key.
  package var descriptor: Int?
  /// Whether it is a condition, which is never NULL.
  package var isCondition = false
  /// For which value of the condition rows are equal in the later terms of its sort descriptor; nil for
  /// none.
  package var constantWhen: Bool?
  /// What rows for which the condition holds meet too, and an index can look up; nil for nothing.
  package var range: SQL?
  /// That a value is not NULL, so that an index can look it up; nil for a term that is never NULL.
  package var isPresent: SQL?
  /// What is written after a bound value that it is compared with.
  package var cast: SQL = ""

  package init(
    _ sql: SQL, ascending: Bool, descriptor: Int? = nil, isCondition: Bool = false,
    constantWhen: Bool? = nil, range: SQL? = nil, isPresent: SQL? = nil, cast: SQL = ""
  ) {
    (self.sql, self.ascending, self.descriptor) = (sql, ascending, descriptor)
    self.constantWhen = constantWhen
    (self.isCondition, self.range, self.isPresent) = (isCondition, range, isPresent)
    self.cast = cast
  }

  private func holds(_ flag: Bool) -> SQL {
    guard flag else { return "NOT (\(sql))" }
    return range.map { "\($0) AND (\(sql))" } ?? "(\(sql))"
  }

  fileprivate func equals(_ value: Value) -> SQL {
    if isCondition { return holds(value.isTrue) }
    return value.isNull ? "\(sql) IS NULL" : "\(sql) = \(value)\(cast)"
  }

  /// The conditions of the rows after those with a value, in order; whether the term is one value in
  /// them.
  fileprivate func conditions(after value: Value, isReversed: Bool) -> [(SQL, isConstant: Bool)] {
    let ascends = ascending != isReversed
    if isCondition { return value.isTrue == ascends ? [] : [(holds(ascends), true)] }
    if ascends {
      guard value.isNull else { return [("\(sql) > \(value)\(cast)", false)] }
      return isPresent.map { [($0, false)] } ?? []
    }
    guard !value.isNull else { return [] }
    let smaller: [(SQL, isConstant: Bool)] = [("\(sql) < \(value)\(cast)", false)]
    return isPresent == nil ? smaller : smaller + [("\(sql) IS NULL", true)]
  }
}

extension Value {
  fileprivate var isTrue: Bool {
    switch self {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    default: false
    }
  }
}

/// A part of the rows beside a place of an order, which an index with that order looks up.
package struct OrderStep: Sendable {
  /// What holds for the rows.
  package var conditions: [SQL] = []
  /// How many of the first terms are the same in all rows.
  package var constantCount = 0

  /// Creates a part; by default all rows.
  package init(conditions: [SQL] = [], constantCount: Int = 0) {
    (self.conditions, self.constantCount) = (conditions, constantCount)
  }
}

extension [OrderTerm] {
  /// The parts of the rows after a place, or before it if the order is reversed, one after the other.
  ///
  /// One condition for all of them, as `(a, b) > (x, y)`, would not do: values may be NULL, directions
  /// differ, and no index looks up its OR.
  package func steps(beside place: FetchPlace, isReversed: Bool) -> [OrderStep] {
    let values = place.terms.prefix(count)
    var compared: [Int] = []
    var next = 0
    while next < values.count {
      compared.append(next)
      next = end(of: next, values[next])
    }
    let equals = compared.map { self[$0].equals(values[$0]) }
    var steps: [OrderStep] = []
    if place.isAfter == isReversed {
      steps.append(OrderStep(conditions: equals, constantCount: next))
    }
    for (number, index) in compared.enumerated().reversed() {
      for (condition, isConstant) in self[index].conditions(
        after: values[index], isReversed: isReversed)
      {
        let end = end(of: index, .bool(self[index].ascending != isReversed))
        steps.append(
          OrderStep(
            conditions: equals[..<number] + [condition],
            constantCount: isConstant ? end : index))
      }
    }
    return steps.flatMap { dividedByConditions($0, isReversed) }
  }

  /// The index after a term, or after all of its sort descriptor where rows with its value are equal in
  /// them.
  private func end(of index: Int, _ value: Value) -> Int {
    guard self[index].isCondition, self[index].constantWhen == value.isTrue else {
      return index + 1
    }
    return self[index...].firstIndex { $0.descriptor != self[index].descriptor } ?? count
  }

  /// The parts of a step by its next terms that are conditions: no index has them.
  private func dividedByConditions(_ step: OrderStep, _ isReversed: Bool) -> [OrderStep] {
    guard indices.contains(step.constantCount), self[step.constantCount].isCondition else {
      return [step]
    }
    let term = self[step.constantCount]
    return [term.ascending == isReversed, term.ascending != isReversed].flatMap { flag in
      dividedByConditions(
        OrderStep(
          conditions: step.conditions + [term.equals(.bool(flag))],
          constantCount: end(of: step.constantCount, .bool(flag))), isReversed)
    }
  }
}

extension ClosedRange<Int64> {
  /// Some numbers of a range of keys, by which rows are looked up that stand for all.
  ///
  /// Not at even distances: values that come again and again would be met at the same places.
  package func sampled(_ count: Int) -> [Int64] {
    let (low, high) = (Double(lowerBound), Double(upperBound))
    let step = high / Double(count) - low / Double(count)
    return (0..<count).map { index in
      let jitter = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
      return Int64(exactly: (low + step * (Double(index) + jitter)).rounded(.down)) ?? lowerBound
    }
  }
}
