import Foundation

/// What the values of a column are like: how many there are, from where to where they go, and which
/// are frequent.
///
/// Values are decoded; numbers that SQL takes for equal are one value, texts are equal if their bytes
/// are.
package struct ColumnSummary: Sendable {
  /// A value and how many rows have it.
  package struct Counted: Sendable, Equatable {
    package let value: Value
    package let rowCount: Int
    /// Whether the value is the beginning of a long text.
    package var isCut = false
  }

  /// How long texts are in characters (Unicode scalars), or how many bytes there are.
  package struct Lengths: Sendable, Equatable {
    package let least: Int
    package let greatest: Int
    package let mean: Double
  }

  /// The attribute whose values these are.
  package let attribute: AttributeDescription
  /// The number of rows.
  package let rowCount: Int
  /// The number of rows without a value.
  package let nullCount: Int
  /// The number of values that are not of the attribute's kind, such as a text in a date.
  package private(set) var foreignCount = 0
  /// The number of distinct values; nil where they are not compared, as bytes are not.
  package private(set) var distinctCount: Int?
  /// Whether distinct values, what is in the middle, and frequent values are estimates, because
  /// there are more distinct values than memory is spent on.
  package let isEstimate: Bool
  /// The least value; nil if there is none.
  ///
  /// Texts are compared by their bytes.
  package var least: Value? { bounds.least }
  /// The greatest value.
  package var greatest: Value? { bounds.greatest }
  private var bounds = ValueBounds()
  /// The sum of numbers; nil for other kinds.
  package private(set) var sum: Value?
  /// The mean of numbers; nil for other kinds.
  package private(set) var mean: Value?
  /// The lower quartile, the median and the upper quartile of numbers and dates, between two values
  /// the point between them (type 7 of Hyndman and Fan); nil for other kinds.
  package private(set) var quartiles: Quartiles?
  /// The most frequent values, at most ten; of equally frequent ones those that were found first.
  package private(set) var mostFrequent: [Counted] = []
  /// How numbers or dates are distributed; nil for other kinds, and for a single value.
  package private(set) var histogram: Histogram?
  /// The lengths of texts and bytes; nil for other kinds.
  package private(set) var lengths: Lengths?

  /// The values that divide the rows into quarters.
  package struct Quartiles: Sendable, Equatable {
    package let lower: Value
    package let median: Value
    package let upper: Value
  }

  /// Summarizes what was counted.
  ///
  /// - Parameters:
  ///   - tally: The values as they are stored; of bytes their lengths.
  ///   - attribute: Decodes them.
  package init(_ tally: ColumnTally, of attribute: AttributeDescription) {
    self.attribute = attribute
    (rowCount, nullCount) = (tally.rowCount, tally.nullCount)
    isEstimate = tally.uncounted != nil
    switch attribute.kind {
    case .bytes: summarizeSizes(tally)
    case .number, .date: summarizePoints(tally)
    default: summarizeOthers(tally)
    }
  }

  // MARK: Bytes

  private mutating func summarizeSizes(_ tally: ColumnTally) {
    guard attribute.encoding != .externalData else { return }
    var sizes = WeightedLengths()
    for entry in tally.entries where entry.kind == .integer {
      sizes.add(Int(Int64(bitPattern: entry.bits)), entry.rowCount)
    }
    if let uncounted = tally.uncounted, let total = uncounted.numbers.sum.number {
      for case .integer(let size)? in [uncounted.bounds.least, uncounted.bounds.greatest] {
        sizes.add(Int(size), 0)
      }
      sizes.add(total: total.approximation, uncounted.rowCount)
    }
    lengths = sizes.lengths
  }

  // MARK: Numbers and dates

  private mutating func summarizePoints(_ tally: ColumnTally) {
    var points = WeightedPoints()
    var numbers = NumberSum()
    var frequent = FrequentEntries()
    func point(_ decoded: Value) -> Double? {
      if attribute.isForeign(decoded) { return nil }
      if case .date(let date) = decoded { return date.timeIntervalSinceReferenceDate }
      return decoded.number?.approximation
    }
    for index in tally.entries.indices {
      let rowCount = tally.entries[index].rowCount
      let decoded = attribute.decode(tally.withField(index, \.value))
      frequent.offer(index, rowCount)
      guard let point = point(decoded) else {
        foreignCount += rowCount
        continue
      }
      points.add(point, weight: Double(rowCount))
      numbers.add(decoded, times: rowCount)
      bounds.include(decoded)
    }
    if let uncounted = tally.uncounted {
      let sampled = uncounted.sample.map { attribute.decode($0.value) }
      let weight = Double(uncounted.rowCount) / Double(max(sampled.count, 1))
      let ends = [uncounted.bounds.least, uncounted.bounds.greatest].compactMap(\.self)
      for decoded in sampled + ends.map(attribute.decode) where point(decoded) != nil {
        bounds.include(decoded)
      }
      for case let found? in sampled.map(point) { points.add(found, weight: weight) }
      let foreign = sampled.count { point($0) == nil }
      foreignCount += Int(Double(foreign) * weight)
      numbers.add(uncounted.numbers)
    }
    distinctCount = tally.distinctCount
    mostFrequent = counted(frequent, tally)
    let isDate = attribute.kind == .date
    // A sum of sampled texts would be none.
    let isSummed = tally.uncounted.map { $0.numberCount == $0.rowCount } ?? true
    if !isDate, isSummed, points.weight > 0 { (sum, mean) = (numbers.sum, numbers.average) }
    guard let least, let greatest else { return }
    let isWhole = [.integer16, .integer32, .integer64].contains(attribute.type)
    func value(_ point: Double) -> Value {
      if isDate { return .date(Date(timeIntervalSinceReferenceDate: point)) }
      if isWhole, let whole = Int64(exactly: point) { return .integer(whole) }
      return .double(point)
    }
    let found = points.quantiles([0.25, 0.5, 0.75]).map(value)
    if found.count == 3 {
      quartiles = Quartiles(lower: found[0], median: found[1], upper: found[2])
    }
    if let low = point(least), let high = point(greatest), low < high {
      histogram = Histogram(points, from: low, to: high, isDate: isDate, isWhole: isWhole)
    }
  }

  // MARK: Texts and what has no order of its own

  private mutating func summarizeOthers(_ tally: ColumnTally) {
    var frequent = FrequentEntries()
    var lengths = WeightedLengths()
    var (first, last): (Int?, Int?)
    let hasLengths = attribute.kind == .text || attribute.kind == nil
    func compare(_ left: Int, _ right: Int) -> Int {
      tally.withField(left) { left in
        tally.withField(right) { right in
          if case .text(let a) = left, case .text(let b) = right {
            return ByteOrder.compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
          }
          return Value.compare(left.value, right.value)
        }
      }
    }
    for index in tally.entries.indices {
      let entry = tally.entries[index]
      frequent.offer(index, entry.rowCount)
      if hasLengths, entry.kind == .text { lengths.add(Int(entry.length), entry.rowCount) }
      if attribute.kind == .text, entry.kind != .text {
        foreignCount += entry.rowCount
        continue
      }
      if let known = first, compare(known, index) <= 0 {} else { first = index }
      if let known = last, compare(known, index) >= 0 {} else { last = index }
    }
    for index in [first, last] {
      if let index { bounds.include(attribute.decode(tally.withField(index, \.value))) }
    }
    distinctCount = tally.distinctCount
    if let uncounted = tally.uncounted {
      let share = max(uncounted.rowCount / max(uncounted.sample.count, 1), 1)
      for sampled in uncounted.sample {
        if hasLengths, case .string = sampled.value { lengths.add(sampled.length, share) }
        bounds.include(attribute.decode(sampled.value))
      }
    }
    self.lengths = lengths.lengths
    mostFrequent = counted(frequent, tally)
  }

  private func counted(_ frequent: FrequentEntries, _ tally: ColumnTally) -> [Counted] {
    frequent.entries.map { entry in
      Counted(
        value: attribute.decode(tally.withField(entry.index, \.value)), rowCount: entry.rowCount,
        isCut: tally.entries[entry.index].isCut)
    }
  }
}

/// The least and the greatest of some values; nil for none.
struct ValueBounds: Sendable {
  private(set) var least: Value?
  private(set) var greatest: Value?

  mutating func include(_ value: Value) {
    if let least, Value.compare(value, least) >= 0 {} else { least = value }
    if let greatest, Value.compare(value, greatest) <= 0 {} else { greatest = value }
  }
}

/// The entries with the most rows.
private struct FrequentEntries {
  private(set) var entries: [(index: Int, rowCount: Int)] = []
  private static let limit = 10

  mutating func offer(_ index: Int, _ rowCount: Int) {
    if entries.count == Self.limit {
      guard let last = entries.last, rowCount > last.rowCount else { return }
      entries.removeLast()
    }
    let position = entries.firstIndex { $0.rowCount < rowCount } ?? entries.count
    entries.insert((index, rowCount), at: position)
  }
}

/// The least, the greatest and the sum of lengths.
private struct WeightedLengths {
  private var least = Int.max
  private var greatest = 0
  private var total = 0.0
  private var rowCount = 0

  mutating func add(_ length: Int, _ rowCount: Int) {
    (least, greatest) = (min(least, length), max(greatest, length))
    add(total: Double(length) * Double(rowCount), rowCount)
  }

  mutating func add(total: Double, _ rowCount: Int) {
    self.total += total
    self.rowCount += rowCount
  }

  var lengths: ColumnSummary.Lengths? {
    guard rowCount > 0 else { return nil }
    return ColumnSummary.Lengths(
      least: least, greatest: greatest, mean: total / Double(rowCount))
  }
}
