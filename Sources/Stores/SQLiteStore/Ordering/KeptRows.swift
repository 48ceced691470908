import Glibc
import ObjectModel

/// The first rows so far.
///
/// More than those are kept for a while: when there are twice as many, they are sorted and the rest
/// is removed, which is less work than placing each row.
///
/// A row has a sort key: bytes whose order is the order of the rows, of which none begins with
/// another one.
struct KeptRows: ~Copyable {
  private struct Row {
    /// Where the sort key is.
    let start: Int
    let count: Int
    /// Its first bytes, the first one in the highest byte.
    let prefix: UInt64
    /// The index of the ID and of the value.
    let index: Int
  }

  /// The most bytes that the sort keys may have.
  static let mostBytes = 8 << 20

  private let count: Int
  /// The sort keys, and that of the row that is looked at behind them.
  var sortKeys = GrowingBuffer<UInt8>()
  private var rows: [Row] = []
  private var ids: [ObjectID] = []
  /// The values of the first column, if there are sections.
  private var values: [Value] = []
  /// The sort key of the last one of the first rows when they were sorted the last time.
  private var last = GrowingBuffer<UInt8>(capacity: 64)

  /// Keeps no rows.
  ///
  /// - Parameter count: How many rows are wanted; at least one.
  init(_ count: Int) { self.count = count }

  /// Whether there are enough rows, so that those after the last one are not wanted.
  private(set) var hasLast = false

  /// The sort key of the last row, or of one after it, if there are enough; empty before.
  var lastSortKey: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: last.start, count: last.count)
  }

  /// Whether a sort key at the end of ``sortKeys`` comes after that of the last row, as far as it
  /// is known.
  func isAfterLast(from start: Int) -> Bool {
    hasLast
      && memcmp(sortKeys.start + start, last.start, min(sortKeys.count - start, last.count)) > 0
  }

  /// Keeps a row.
  ///
  /// - Parameters:
  ///   - start: Where its sort key begins, which is at the end of ``sortKeys``.
  ///   - id: The ID of its object.
  ///   - value: The value of the first column; nil without sections.
  /// - Returns: Whether the last row is another one now.
  mutating func append(sortKeyFrom start: Int, _ id: ObjectID, _ value: Value?) -> Bool {
    let length = sortKeys.count - start
    rows.append(
      Row(
        start: start, count: length, prefix: sortKeys.prefix(from: start, count: length),
        index: rows.count))
    ids.append(id)
    if let value { values.append(value) }
    let isLong = rows.count >= (hasLast ? 2 * count : count) || sortKeys.count > Self.mostBytes
    return isLong && removeRest()
  }

  /// Adds the rows that were kept elsewhere.
  mutating func append(_ others: borrowing KeptRows) {
    for row in others.rows {
      let start = sortKeys.count
      sortKeys.append(
        UnsafeBufferPointer(start: others.sortKeys.start + row.start, count: row.count))
      let value = others.values.isEmpty ? nil : others.values[row.index]
      _ = append(sortKeyFrom: start, others.ids[row.index], value)
    }
  }

  /// Sorts the rows and removes those after the first ones.
  ///
  /// - Returns: Whether there are enough rows.
  private mutating func removeRest() -> Bool {
    let start = sortKeys.start
    rows.sort { left, right in
      left.prefix == right.prefix
        ? memcmp(start + left.start, start + right.start, min(left.count, right.count)) < 0
        : left.prefix < right.prefix
    }
    rows.removeLast(max(0, rows.count - count))
    ids = rows.map { ids[$0.index] }
    if !values.isEmpty { values = rows.map { values[$0.index] } }
    var kept = GrowingBuffer<UInt8>(capacity: sortKeys.count)
    for index in rows.indices {
      let row = rows[index]
      rows[index] = Row(start: kept.count, count: row.count, prefix: row.prefix, index: index)
      kept.append(UnsafeBufferPointer(start: start + row.start, count: row.count))
    }
    sortKeys = kept
    guard rows.count == count, let row = rows.last else { return false }
    hasLast = true
    last.removeAll()
    last.append(UnsafeBufferPointer(start: sortKeys.start + row.start, count: row.count))
    return true
  }

  /// The rows in order.
  mutating func ordered() -> (ids: [ObjectID], values: [Value]) {
    _ = removeRest()
    return (ids, values)
  }
}
