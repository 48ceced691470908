import Foundation

/// The sum and the mean of numbers of several kinds, the same in every order of the numbers.
package struct NumberSum: Sendable {
  private var count: Int64 = 0
  private var integers: Int128 = 0
  /// Added at the end in their own order, because each addition may round.
  private var decimals: [Decimal] = []
  private var doubles = ExactSum()
  private var hasDoubles = false

  package init() {}

  /// Adds a decoded value a number of times, unless it is no number.
  package mutating func add(_ value: Value, times: Int = 1) {
    guard let number = value.number else { return }
    switch number {
    case .integer(let integer): integers += Int128(integer) * Int128(times)
    case .decimal(let decimal):
      guard !decimal.isNaN else { return }
      decimals.append(times == 1 ? decimal : decimal * Decimal(times))
    case .double(let double):
      guard !double.isNaN else { return }
      doubles.add(double, times: times)
      hasDoubles = true
    }
    count += Int64(times)
  }

  /// Adds what others have added up.
  package mutating func add(_ others: NumberSum) {
    count += others.count
    integers += others.integers
    decimals += others.decimals
    doubles.add(others.doubles)
    hasDoubles = hasDoubles || others.hasDoubles
  }

  /// The sum: an integer, a decimal if there are decimals, or a double if there are doubles or it
  /// exceeds 64 bits.
  package var sum: Value {
    if hasDoubles { return approximation.isNaN ? .null : .double(approximation) }
    if decimals.isEmpty {
      return Int64(exactly: integers).map(Value.integer) ?? .double(Double(integers))
    }
    let whole = Decimal(string: String(integers)) ?? .nan
    let sum = decimals.sorted().reduce(whole, +)
    return sum.isNaN ? .null : .decimal(sum)
  }

  /// The mean as a double; null without numbers.
  package var average: Value {
    guard count > 0 else { return .null }
    let mean = (hasDoubles ? approximation : sum.number?.approximation ?? .nan) / Double(count)
    return mean.isNaN ? .null : .double(mean)
  }

  private var approximation: Double {
    var all = doubles
    all.add(integers)
    for decimal in decimals { all.add(Number.decimal(decimal).approximation) }
    return all.value
  }
}
