import GRDBSQLite
import Glibc
import ObjectModel

/// The distinct values of a column, each stored once with its sort key (``SortKeyEncoder``).
///
/// Equal values have one number, so that a text is folded once however often it occurs.
struct DistinctValues: ~Copyable {
  /// A value: where its sort key and its stored bytes are.
  struct Entry: BitwiseCopyable {
    /// The first eight bytes of the sort key, the first one in the highest byte.
    var prefix: UInt64
    /// The index of the sort key in the bytes.
    var start: UInt32
    var keyCount: UInt32
    /// The stored value behind `start`: the end of the sort key where that is the text itself.
    var storedStart: UInt32
    var storedCount: UInt32
  }

  private typealias StoredBytes = (bytes: UnsafeBufferPointer<UInt8>, type: Int32)

  let encoder: SortKeyEncoder
  var entries = GrowingBuffer<Entry>()
  var bytes = GrowingBuffer<UInt8>(capacity: 1 << 16)
  private var table = HashTable()

  init(_ encoder: SortKeyEncoder) { self.encoder = encoder }

  /// The number of bytes in use.
  var byteCount: Int { entries.byteCount + bytes.byteCount + table.byteCount }

  /// The number of the value in a column of a row, a new one for a value that was not seen before;
  /// nil for a long value.
  mutating func number(of row: ReceivedRow, _ index: Int32) -> UInt32? {
    let stored = row.bytes(index)
    return stored.count <= SortBudget.longestValue ? number(of: stored, row.type(index)) : nil
  }

  private mutating func number(of stored: UnsafeBufferPointer<UInt8>, _ type: Int32) -> UInt32 {
    let (entries, bytes) = (entries.start, bytes.start)
    let hash = ByteHash.hash(of: stored, seed: UInt8(truncatingIfNeeded: type))
    let known = table.indexOrAdd(UInt32(truncatingIfNeeded: hash)) {
      Self.isEqual(Self.stored(entries[$0], bytes), (stored, type))
    }
    if let known { return UInt32(known) }
    add(stored, type)
    return UInt32(table.count - 1)
  }

  /// Adds a value: its sort key, and its type and stored bytes, with which the key of a text or of
  /// bytes ends.
  private mutating func add(_ stored: UnsafeBufferPointer<UInt8>, _ type: Int32) {
    let start = bytes.count
    let endsWithStored = encoder.append(stored, type, to: &bytes)
    var keyCount = bytes.count - start
    bytes.append(UInt8(truncatingIfNeeded: type))
    let storedStart = bytes.count - start
    bytes.append(stored)
    if endsWithStored { keyCount = bytes.count - start }
    entries.append(
      Entry(
        prefix: bytes.prefix(from: start, count: keyCount), start: UInt32(start),
        keyCount: UInt32(keyCount), storedStart: UInt32(storedStart),
        storedCount: UInt32(stored.count)))
  }

  /// Adds the values of another column, unless they are among the values.
  ///
  /// - Returns: The number of each of the other column's values.
  mutating func add(_ others: borrowing DistinctValues) -> [UInt32] {
    (0..<UInt32(others.entries.count)).map { other in
      others.withStored(other) { number(of: $0, $1) }
    }
  }

  /// Calls a closure with the stored bytes of a value and their type.
  func withStored<Result>(
    _ number: UInt32, _ body: (UnsafeBufferPointer<UInt8>, Int32) -> Result
  ) -> Result {
    let (stored, type) = Self.stored(entries[Int(number)], bytes.start)
    return body(stored, type)
  }

  /// The stored bytes of a value and their type, which is the byte before them.
  private static func stored(_ entry: Entry, _ bytes: UnsafePointer<UInt8>) -> StoredBytes {
    let start = bytes + Int(entry.start + entry.storedStart)
    return (UnsafeBufferPointer(start: start, count: Int(entry.storedCount)), Int32(start[-1]))
  }

  private static func isEqual(_ left: StoredBytes, _ right: StoredBytes) -> Bool {
    guard left.bytes.count == right.bytes.count, left.type == right.type else { return false }
    guard let start = left.bytes.baseAddress, let other = right.bytes.baseAddress,
      !left.bytes.isEmpty
    else { return true }
    return memcmp(start, other, left.bytes.count) == 0
  }
}

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
