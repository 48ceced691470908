import Foundation

extension PredicateFunction {
  /// Computes an aggregate function.
  ///
  /// `count:` counts all members; the others ignore nulls, and the numeric ones also non-numbers.
  /// Without members, the sum is 0 and the others are null. Of several modes the smallest is used;
  /// the standard deviation is that of a population.
  func aggregate(_ members: [Value]) -> Value {
    if self == .count { return .integer(Int64(members.count)) }
    let values = members.filter { !$0.isNull }
    switch self {
    case .min: return values.min { Value.compare($0, $1) < 0 } ?? .null
    case .max: return values.max { Value.compare($0, $1) < 0 } ?? .null
    case .mode: return mode(values)
    case .sum:
      return values.filter { $0.number != nil }
        .reduce(.integer(0)) { PredicateFunction.add.value([$0, $1]) }
    default: break
    }
    let numbers = values.compactMap { $0.number?.approximation }.filter { !$0.isNaN }
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    switch self {
    case .average: return .double(mean)
    case .median:
      let sorted = numbers.sorted()
      let middle = sorted.count / 2
      return .double(
        sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2)
    case .standardDeviation:
      let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return .double((squares / Double(numbers.count)).squareRoot())
    default: return .null
    }
  }

  private func mode(_ values: [Value]) -> Value {
    let sorted = values.sorted { Value.compare($0, $1) < 0 }
    var best: (value: Value, count: Int) = (.null, 0)
    var start = 0
    for index in sorted.indices {
      if Value.compare(sorted[start], sorted[index]) != 0 { start = index }
      if index - start + 1 > best.count { best = (sorted[start], index - start + 1) }
    }
    return best.value
  }
}
