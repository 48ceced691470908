import GRDBSQLite
import Glibc
import ObjectModel

/// The order of distinct values.
struct ValueRanks: ~Copyable {
  /// The rank of each value, by its number; equal for values whose sort keys are equal.
  var ranks: GrowingBuffer<UInt32>
  /// The first value of each rank.
  var first: GrowingBuffer<UInt32>
}

extension DistinctValues {
  /// Sorts the values: foreign ones last, whatever the direction.
  ///
  /// - Complexity: O(*n* log *n*) in the number of distinct values.
  func ranks(ascending: Bool) -> ValueRanks {
    struct Item: BitwiseCopyable {
      var prefix: UInt64
      var number: UInt32
    }
    var items = GrowingBuffer<Item>(capacity: entries.count)
    for number in 0..<entries.count {
      // Foreign values keep the highest bit; descending values are complemented.
      let prefix = entries[number].prefix
      items.append(
        Item(prefix: ascending ? prefix : prefix ^ (.max >> 1), number: UInt32(number)))
    }
    let (entries, bytes) = (entries.start, bytes.start)
    func compareKeys(_ left: UInt32, _ right: UInt32) -> Int {
      let (left, right) = (entries[Int(left)], entries[Int(right)])
      let order = ByteOrder.compare(
        UnsafeRawBufferPointer(start: bytes + Int(left.start), count: Int(left.keyCount)),
        UnsafeRawBufferPointer(start: bytes + Int(right.start), count: Int(right.keyCount)))
      return ascending ? order : -order
    }
    var sorted = UnsafeMutableBufferPointer(start: items.start, count: items.count)
    sorted.sort { left, right in
      left.prefix == right.prefix
        ? compareKeys(left.number, right.number) < 0 : left.prefix < right.prefix
    }
    var ranks = GrowingBuffer<UInt32>(capacity: items.count)
    ranks.advance(by: items.count)
    var first = GrowingBuffer<UInt32>(capacity: items.count)
    for index in 0..<items.count {
      let number = items[index].number
      if index == 0 || compareKeys(items[index - 1].number, number) != 0 { first.append(number) }
      ranks[Int(number)] = UInt32(first.count - 1)
    }
    return ValueRanks(ranks: ranks, first: first)
  }

  /// The stored value with a number.
  func value(_ number: UInt32) -> Value {
    withStored(number) { Value(stored: $0, type: $1) }
  }

  /// The folded text of a value; nil if it is no text or is not folded.
  func folded(_ number: UInt32) -> UnsafeBufferPointer<UInt8>? {
    let entry = entries[Int(number)]
    let start = bytes.start + Int(entry.start)
    // The class comes before the folded text; two zeros and the type come after it.
    guard encoder.folds(type: Int32(start[Int(entry.storedStart) - 1])) else { return nil }
    return UnsafeBufferPointer(start: start + 1, count: Int(entry.storedStart) - 4)
  }
}
