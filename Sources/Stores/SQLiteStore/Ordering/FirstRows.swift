import CSQLite
import GRDBSQLite
import ObjectModel
import SQLQueries

/// The first rows in an order, of those that were read so far.
final class FirstRows: RowReceiver, OrderedRows {
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

  private let isReversed: Bool
  private let first: Column
  /// The other columns of the order, and those of the key unless it is an integer.
  private let others: [Column]
  private let object: IDColumns
  private let sections: SectionRuns?
  private let textBound: TextBound
  // It is changed for each row, by what calls nothing that leads back to it: checking each access
  // takes a tenth more of the time for the first rows.
  @exclusivity(unchecked) private var kept: KeptRows

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
    kept = KeptRows(count)
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
    textBound = TextBound(
      column: first.index, folding: first.encoder.folding, isDescending: first.mask != 0)
  }

  override var bound: UnsafePointer<cs_text_bound>? { UnsafePointer(textBound.known) }

  /// Takes a row; false if values are too long for the memory.
  override func receive(_ row: ReceivedRow) -> Bool {
    let start = kept.sortKeys.count
    guard appendSortKey(first, row) else { return false }
    if kept.isAfterLast(from: start) {
      textBound.exclude(row.stored(first.index))
      kept.sortKeys.removeAll(from: start)
      return true
    }
    for column in others { guard appendSortKey(column, row) else { return false } }
    if object.isRowid { appendSortKey(row.integer(object.keys[0])) }
    if kept.isAfterLast(from: start) {
      // Rows to come with the same text come after this one, if only their keys decide.
      if isInKeyOrder, others.isEmpty, !isReversed { textBound.exclude(row.stored(first.index)) }
      kept.sortKeys.removeAll(from: start)
      return true
    }
    // A row with NULL in its primary key, which SQLite allows, is not an object; nor is one of an
    // unknown entity.
    guard let id = object.knownID(row) else {
      kept.sortKeys.removeAll(from: start)
      return true
    }
    let value = sections == nil ? nil : row.value(first.index)
    if kept.append(sortKeyFrom: start, id, value) { moveBound() }
    return kept.sortKeys.count <= KeptRows.mostBytes
  }

  /// Takes the rows of another part of the table.
  func append(_ other: FirstRows) { kept.append(other.kept) }

  private func moveBound() {
    let last = kept.lastSortKey
    let valueClass = (last[0] ^ first.classMask) & ~SortKeyEncoder.Class.foreign
    textBound.move(to: valueClass == SortKeyEncoder.Class.text ? last[1] ^ first.mask : nil)
  }

  /// Appends the sort key of a value; whether that is short enough.
  private func appendSortKey(_ column: Column, _ row: ReceivedRow) -> Bool {
    let start = kept.sortKeys.count
    let stored = row.bytes(column.index)
    guard stored.count <= KeptRows.mostBytes else { return false }
    if column.encoder.append(stored, row.type(column.index), to: &kept.sortKeys) {
      let end = kept.sortKeys.count
      kept.sortKeys.append(stored)
      kept.sortKeys.terminate(from: end)
    }
    kept.sortKeys[start] ^= column.classMask
    guard column.mask != 0 else { return true }
    for index in start + 1..<kept.sortKeys.count { kept.sortKeys[index] ^= column.mask }
    return true
  }

  private func appendSortKey(_ number: Int64) {
    let image = UInt64(bitPattern: number ^ .min) ^ (isReversed ? .max : 0)
    withUnsafeBytes(of: image.bigEndian) {
      kept.sortKeys.append($0.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// The rows in order.
  ///
  /// - Parameter offset: How many of them are left out at the start.
  /// - Returns: The IDs and sections.
  /// - Throws: ``StoreError`` if the sections do not agree with the order.
  func ordered(from offset: Int) throws(StoreError) -> FetchedIDs {
    var (ids, values) = kept.ordered()
    ids.removeFirst(min(offset, ids.count))
    values.removeFirst(min(offset, values.count))
    if isReversed {
      ids.reverse()
      values.reverse()
    }
    let list = object.list(of: ids)
    guard var sections else { return FetchedIDs(ids: list) }
    for value in values {
      guard case .string(let text) = value, first.encoder.folds(type: SQLITE_TEXT),
        let folding = first.encoder.folding
      else {
        try sections.add(value, folded: nil, count: 1)
        continue
      }
      let bytes = TextFolding.foldedBytes(text, folding)
      try bytes.withUnsafeBufferPointer { folded throws(StoreError) in
        try sections.add(value, folded: folded, count: 1)
      }
    }
    return FetchedIDs(ids: list, sections: sections.runs)
  }
}

/// The first rows in the order of their keys: no more are taken than are wanted.
///
/// Two readers find a word that is in one of a million rows in half of the time of the statement.
final class FirstKeys: RowReceiver, OrderedRows {
  private let count: Int
  private let object: IDColumns
  private var ids: [ObjectID] = []
  private var lastKey: Int64?

  /// Creates no rows.
  ///
  /// - Parameters:
  ///   - count: How many rows are wanted; at least one.
  ///   - object: The columns of the IDs.
  init(_ count: Int, _ object: IDColumns) {
    self.count = count
    self.object = object
  }

  override var hasEnough: Bool { ids.count == count }

  /// Takes a row, unless it is of no known entity; false for the last one that is wanted, and for
  /// one out of order.
  override func receive(_ row: ReceivedRow) -> Bool {
    guard let id = object.knownID(row) else { return true }
    let key = row.integer(0)
    guard lastKey.map({ $0 < key }) ?? true else { return false }
    lastKey = key
    ids.append(id)
    return !hasEnough
  }

  /// Takes the rows of a later part of the table.
  func append(_ other: FirstKeys) { ids += other.ids.prefix(count - ids.count) }

  /// The rows in order.
  ///
  /// - Parameter offset: How many of them are left out at the start.
  /// - Returns: The IDs.
  func ordered(from offset: Int) -> FetchedIDs {
    FetchedIDs(ids: object.list(of: Array(ids.dropFirst(offset))))
  }
}
