import Foundation

/// The rows of a column whose values are not counted one by one, because there are too many
/// distinct ones: how many values they have is estimated, a sample of them is kept.
package struct UncountedValues: Sendable {
  /// The number of rows.
  private(set) var rowCount = 0
  /// Values of rows that were chosen at random, each with the length of a text.
  private(set) var sample: [Sampled] = []
  /// The sum of the numbers, if all values are numbers.
  private(set) var numbers = NumberSum()
  private(set) var numberCount = 0
  /// The least and the greatest number.
  private(set) var bounds = ValueBounds()
  /// The greatest number of leading zeros of the hashes in each part of them: HyperLogLog.
  private var zeros = [UInt8](repeating: 0, count: 1 << Self.registerBits)
  private var random: UInt64 = 0x2545_F491_4F6C_DD1D

  /// A value of the sample.
  struct Sampled: Sendable {
    let value: Value
    let length: Int
  }

  private static let sampleSize = 16_384
  private static let registerBits = 14

  /// Adds rows with a value.
  mutating func add(_ field: StoredField, hash: UInt64, length: Int, rowCount: Int) {
    note(hash)
    if case .integer(let number) = field { noteNumber(.integer(number), rowCount) }
    if case .double(let number) = field { noteNumber(.double(number), rowCount) }
    for _ in 0..<min(rowCount, Self.sampleSize) { choose(field, length) }
    self.rowCount += rowCount
  }

  /// Adds the rows of others.
  mutating func add(_ others: UncountedValues) {
    for index in zeros.indices { zeros[index] = max(zeros[index], others.zeros[index]) }
    numbers.add(others.numbers)
    numberCount += others.numberCount
    for value in [others.bounds.least, others.bounds.greatest].compactMap(\.self) {
      bounds.include(value)
    }
    let all = max(rowCount + others.rowCount, 1)
    let kept = min(Self.sampleSize * others.rowCount / all, others.sample.count)
    let mine = min(Self.sampleSize - kept, sample.count)
    sample = Array(sample.prefix(mine)) + others.sample.prefix(kept)
    rowCount += others.rowCount
  }

  /// About how many distinct values there are.
  var distinctEstimate: Int {
    let count = Double(zeros.count)
    let sum = zeros.reduce(0) { $0 + pow(2, -Double($1)) }
    let estimate = 0.7213 / (1 + 1.079 / count) * count * count / sum
    let empty = zeros.count { $0 == 0 }
    // Few values leave registers empty, which tells more than the others do.
    if estimate < 2.5 * count, empty > 0 { return Int(count * log(count / Double(empty))) }
    return Int(estimate)
  }

  private mutating func note(_ hash: UInt64) {
    // The low bits of the hash choose the slot of a table: they are mixed once more.
    let mixed = ByteHash.hash(of: hash, seed: 0xFF)
    let register = Int(mixed >> (64 - UInt64(Self.registerBits)))
    let zeroCount = (mixed << UInt64(Self.registerBits) | 1).leadingZeroBitCount + 1
    zeros[register] = max(zeros[register], UInt8(zeroCount))
  }

  private mutating func noteNumber(_ number: Value, _ rowCount: Int) {
    numbers.add(number, times: rowCount)
    numberCount += rowCount
    bounds.include(number)
  }

  /// Keeps a row so that each is kept with the same probability.
  private mutating func choose(_ field: StoredField, _ length: Int) {
    if sample.count < Self.sampleSize {
      return sample.append(Sampled(value: field.cutValue, length: length))
    }
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    let index = random % UInt64(rowCount + 1)
    guard index < Self.sampleSize else { return }
    sample[Int(index)] = Sampled(value: field.cutValue, length: length)
  }
}

extension StoredField {
  /// The field as a value; of a long text the first bytes.
  var cutValue: Value {
    func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: bytes.prefix(ColumnTally.longestWhole))
    }
    return switch self {
    case .text(let bytes): StoredField.text(cut(bytes)).value
    case .bytes(let bytes): StoredField.bytes(cut(bytes)).value
    default: value
    }
  }
}
