import Foundation

/// How the numbers or dates of a column are distributed over about ten equal steps.
package struct Histogram: Sendable, Equatable {
  /// A step: from its lower edge, up to but not including its upper one.
  package struct Bin: Sendable, Equatable {
    package let lower: Value
    package let upper: Value
    package let rowCount: Int
    /// What a person calls a step of dates: `2009`, `2009-03`, `2009-01 to 2009-06`; nil for steps
    /// of numbers, and of less than a day.
    package let label: String?
  }

  /// The steps, ascending, of which the first and the last have rows.
  package let bins: [Bin]

  private static let mostBins = 12

  /// Divides points into steps; nil if they are too far apart for numbers to tell.
  init?(
    _ points: WeightedPoints, from least: Double, to greatest: Double, isDate: Bool, isWhole: Bool
  ) {
    guard
      let edges = isDate
        ? DateStep.edges(from: least, to: greatest, atMost: Self.mostBins)
        : Self.edges(from: least, to: greatest, isWhole: isWhole)
    else { return nil }
    var weights = [Double](repeating: 0, count: edges.count - 1)
    for (point, weight) in points.points {
      let index = edges.partitioningIndex { $0.at > point } - 1
      weights[min(max(index, 0), weights.count - 1)] += weight
    }
    func value(_ point: Double) -> Value {
      if isDate { return .date(Date(timeIntervalSinceReferenceDate: point)) }
      return isWhole ? Int64(exactly: point).map(Value.integer) ?? .double(point) : .double(point)
    }
    bins = weights.indices.map { index in
      let (lower, upper) = (value(edges[index].at), value(edges[index + 1].at))
      return Bin(
        lower: lower, upper: upper, rowCount: Int(weights[index].rounded()),
        label: edges[index].label)
    }
  }

  /// An edge between two steps; with a label if that is not its value.
  fileprivate struct Edge {
    let at: Double
    var label: String?
  }

  /// The edges of steps of 1, 2 or 5 times a power of ten.
  private static func edges(from least: Double, to greatest: Double, isWhole: Bool) -> [Edge]? {
    let rough = (greatest - least) / Double(mostBins - 2)
    guard rough.isFinite, rough > 0 else { return nil }
    let exponent = Int(log10(rough).rounded(.down))
    for factor in [(1, 0), (2, 0), (5, 0), (1, 1), (2, 1)] as [(Int, Int)] {
      guard let step = Step(factor.0, exponent: exponent + factor.1, isWhole: isWhole) else {
        continue
      }
      let (first, last) = (step.index(below: least), step.index(below: greatest))
      guard last - first < Double(mostBins), last.magnitude < 0x1p53 else { continue }
      return stride(from: first, through: last + 1, by: 1).map { Edge(at: step.edge($0)) }
    }
    return nil
  }

  /// A step of a number line.
  private struct Step {
    private let factor: Double
    /// The power of ten, or its inverse where that is below 1: both are exact then.
    private let power: Double
    private let isInverse: Bool

    init?(_ factor: Int, exponent: Int, isWhole: Bool) {
      if isWhole, exponent < 0 { return nil }
      self.factor = Double(factor)
      power = pow(10, Double(abs(exponent)))
      isInverse = exponent < 0
      if !power.isFinite { return nil }
    }

    func edge(_ index: Double) -> Double {
      isInverse ? index * factor / power : index * factor * power
    }

    func index(below point: Double) -> Double {
      var index = (isInverse ? point * power / factor : point / (factor * power)).rounded(.down)
      // The quotient is rounded: the edges decide.
      while edge(index) > point { index -= 1 }
      while edge(index + 1) <= point { index += 1 }
      return index
    }
  }
}

/// Steps of dates: whole parts of the calendar in UTC.
private enum DateStep {
  case seconds(Int)
  case months(Int)

  /// The steps that a person would choose, the shortest first.
  private static let all: [DateStep] =
    [1, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800]
    .map(DateStep.seconds)
    + [1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 6_000, 12_000].map(DateStep.months)

  private static let epoch = Date.timeIntervalBetween1970AndReferenceDate

  static func edges(from least: Double, to greatest: Double, atMost count: Int)
    -> [Histogram.Edge]?
  {
    for step in all {
      guard let first = step.number(of: least), let last = step.number(of: greatest),
        last - first < count
      else { continue }
      return (first...last + 1).map(step.edge)
    }
    return nil
  }

  /// The number of the step in which a time is.
  private func number(of time: Double) -> Int? {
    switch self {
    case .seconds(let length):
      let since1970 = time + Self.epoch
      guard since1970.magnitude < 1e14 else { return nil }
      // Weeks begin on Monday; 1970 began on Thursday.
      let offset = length == 604_800 ? 259_200.0 : 0
      return Int(((since1970 + offset) / Double(length)).rounded(.down))
    case .months(let length):
      guard let day = CivilDate(secondsSince1970: time + Self.epoch) else { return nil }
      let months = day.year * 12 + day.month - 1
      return (months >= 0 ? months : months - length + 1) / length
    }
  }

  private func edge(_ number: Int) -> Histogram.Edge {
    switch self {
    case .seconds(let length):
      let offset = length == 604_800 ? 259_200.0 : 0
      let at = Double(number) * Double(length) - offset - Self.epoch
      let (first, last) = (at + Self.epoch, at + Self.epoch + Double(length - 1))
      guard length >= 86_400, let first = CivilDate(secondsSince1970: first),
        let last = CivilDate(secondsSince1970: last)
      else { return Histogram.Edge(at: at) }
      return Histogram.Edge(at: at, label: Self.label(first.dayText, last.dayText))
    case .months(let length):
      func month(_ months: Int) -> CivilDate {
        let year = (months >= 0 ? months : months - 11) / 12
        return CivilDate(year: year, month: months - year * 12 + 1, day: 1)
      }
      let (first, last) = (month(number * length), month((number + 1) * length - 1))
      return Histogram.Edge(
        at: Double(first.daysSince1970) * 86_400 - Self.epoch,
        label: length % 12 == 0
          ? Self.label(first.yearText, last.yearText)
          : Self.label(first.monthText, last.monthText))
    }
  }

  private static func label(_ first: String, _ last: String) -> String {
    first == last ? first : "\(first) to \(last)"
  }
}
