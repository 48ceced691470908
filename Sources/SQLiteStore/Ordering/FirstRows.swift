import GRDBSQLite
import Glibc
import HeapModule
import ObjectModel
import SQLQueries

/// The first rows in an order: a heap keeps the first ones of the rows so far.
final class FirstRows: RowReceiver, OrderedRows {
  /// A kept row.
  private struct Row: Comparable {
    /// The sort keys of its columns and its own key, one after the other: bytes whose order is the
    /// order of the rows.
    let sortKey: [UInt8]
    /// Its first bytes, the first one in the highest byte.
    let prefix: UInt64
    let id: ObjectID
    /// The value of the first column, if there are sections.
    let value: Value

    static func == (left: Row, right: Row) -> Bool { left.sortKey == right.sortKey }
    static func < (left: Row, right: Row) -> Bool {
      left.prefix == right.prefix
        ? ByteOrder.compare(left.sortKey, right.sortKey) < 0 : left.prefix < right.prefix
    }
  }

  /// A column, and what turns its sort keys into its direction.
  private struct Column {
    let encoder: SortKeyEncoder
    let index: Int32
    /// The bits of the class that change; foreign values stay the last ones in a descending order.
    let classMask: UInt8
    /// The bits of the other bytes that change.
    let mask: UInt8

    init(_ encoder: SortKeyEncoder, _ index: Int32, isAscending: Bool, isReversed: Bool) {
      self.encoder = encoder
      self.index = index
      mask = isAscending == isReversed ? .max : 0
      let foreign = SortKeyEncoder.Class.foreign
      classMask = isReversed ? mask | foreign : mask & ~foreign
    }
  }

  /// The most bytes that a value, and the sort keys of all kept rows, may have.
  private static let mostBytes = 8 << 20

  private let count: Int
  private let isReversed: Bool
  private let first: Column
  /// The other columns of the order, and those of the key unless it is an integer.
  private let others: [Column]
  private let object: IDColumns
  private let sections: SectionRuns?
  // They are changed for each row, by what calls nothing that leads back to them.
  @exclusivity(unchecked) private var kept = Heap<Row>()
  @exclusivity(unchecked) private var keptBytes = 0
  @exclusivity(unchecked) private var isFull = false
  /// The sort key of the last kept row, if there are enough; an array would be retained for each
  /// row.
  @exclusivity(unchecked) private var last = GrowingBuffer<UInt8>()
  @exclusivity(unchecked) private var bound: TextBound
  /// The sort key of the row that is looked at.
  @exclusivity(unchecked) private var key = GrowingBuffer<UInt8>()

  /// Creates no rows.
  ///
  /// - Parameters:
  ///   - count: How many rows are kept; at least one.
  ///   - isReversed: Whether the last rows are wanted.
  ///   - object: The columns of the IDs.
  ///   - columns: The columns of the order, the first one first; at least one.
  ///   - sections: The sections of the first column; nil for none.
  init(
    _ count: Int, isReversed: Bool, _ object: IDColumns, columns: [SortColumn.Description],
    sections: SectionRuns?
  ) {
    self.count = count
    self.isReversed = isReversed
    self.object = object
    self.sections = sections
    var all = columns.map {
      Column($0.encoder, $0.index, isAscending: $0.ascending, isReversed: isReversed)
    }
    first = all.removeFirst()
    if !object.isRowid {
      all += object.keys.map {
        Column(SortKeyEncoder(), $0, isAscending: true, isReversed: isReversed)
      }
    }
    others = all
    bound = TextBound(folding: first.encoder.folding, isDescending: first.mask != 0)
  }

  /// Takes a row; false if values are too long for the memory.
  override func receive(_ row: ReceivedRow) -> Bool {
    let isText = isFull && row.type(first.index) == SQLITE_TEXT
    if isText, bound.excludes(row.bytes(first.index)) { return true }
    key.removeAll()
    guard appendKey(first, row) else { return false }
    if isFull, isAfterLast {
      if isText { bound.exclude(row.bytes(first.index)) }
      return true
    }
    for column in others { guard appendKey(column, row) else { return false } }
    if object.isRowid { appendKey(row.integer(object.keys[0])) }
    if isFull, isAfterLast { return true }
    // A row with NULL in its primary key, which SQLite allows, is not an object.
    guard let id = object.id(row) else { return true }
    keep(
      Row(
        sortKey: Array(UnsafeBufferPointer(start: key.start, count: key.count)),
        prefix: key.prefix(count: key.count), id: id,
        value: sections == nil ? .null : row.value(first.index)))
    return keptBytes <= Self.mostBytes
  }

  /// Takes the rows of another part of the table.
  func append(_ other: FirstRows) { for row in other.kept.unordered { keep(row) } }

  private func keep(_ row: Row) {
    if isFull {
      guard let last = kept.max, row < last else { return }
      keptBytes -= last.sortKey.count
      kept.replaceMax(with: row)
    } else {
      kept.insert(row)
      isFull = kept.count == count
    }
    keptBytes += row.sortKey.count
    if isFull { noteLast() }
  }

  private func noteLast() {
    guard let sortKey = kept.max?.sortKey else { return }
    last.removeAll()
    sortKey.withUnsafeBufferPointer { last.append($0) }
    let valueClass = (last[0] ^ first.classMask) & ~SortKeyEncoder.Class.foreign
    bound.move(
      to: UnsafeBufferPointer(start: last.start + 1, count: last.count - 1), mask: first.mask,
      isText: valueClass == SortKeyEncoder.Class.text)
  }

  /// Whether the sort key comes after that of the last kept row, as far as it is known.
  ///
  /// No sort key begins with another one, so that one of them differs where the shorter one ends.
  private var isAfterLast: Bool {
    memcmp(key.start, last.start, min(key.count, last.count)) > 0
  }

  /// Appends the sort key of a value; whether that is short enough.
  private func appendKey(_ column: Column, _ row: ReceivedRow) -> Bool {
    let start = key.count
    let isShort = row.withStored(column.index) { stored, type in
      guard stored.count <= Self.mostBytes else { return false }
      guard column.encoder.append(stored, type, to: &key) else { return true }
      let end = key.count
      key.append(stored)
      key.terminate(from: end)
      return true
    }
    guard isShort else { return false }
    key[start] ^= column.classMask
    guard column.mask != 0 else { return true }
    for index in start + 1..<key.count { key[index] ^= column.mask }
    return true
  }

  private func appendKey(_ number: Int64) {
    let image = UInt64(bitPattern: number ^ .min) ^ (isReversed ? .max : 0)
    withUnsafeBytes(of: image.bigEndian) { key.append($0.assumingMemoryBound(to: UInt8.self)) }
  }

  /// The rows in order.
  ///
  /// - Parameter offset: How many of them are left out at the start.
  /// - Returns: The IDs and sections.
  /// - Throws: ``StoreError`` if the sections do not agree with the order.
  func ordered(from offset: Int) throws(StoreError) -> FetchedIDs {
    var rows = Array(kept.unordered.sorted().dropFirst(offset))
    if isReversed { rows.reverse() }
    let ids = object.list(of: rows.map(\.id))
    guard var sections else { return FetchedIDs(ids: ids) }
    for row in rows {
      guard case .string(let text) = row.value, first.encoder.folds(type: SQLITE_TEXT),
        let folding = first.encoder.folding
      else {
        try sections.add(row.value, folded: nil, count: 1)
        continue
      }
      let bytes = TextFolding.foldedBytes(text, folding)
      try bytes.withUnsafeBufferPointer { folded throws(StoreError) in
        try sections.add(row.value, folded: folded, count: 1)
      }
    }
    return FetchedIDs(ids: ids, sections: sections.runs)
  }
}
