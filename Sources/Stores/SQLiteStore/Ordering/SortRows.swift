import ObjectModel
import SQLQueries

/// Rows to be sorted: their codes in the order in which they were read, and their sort columns;
/// without any, their keys decide.
final class SortRows: RowReceiver, OrderedRows {
  // They are changed for each row, by what calls nothing that leads back to them: checking each
  // access takes a tenth more of the time of a sort.
  @exclusivity(unchecked) private var codes: RowCodes
  private let entityIndexes: EntityIndexes?
  @exclusivity(unchecked) private var columns: SortColumns
  private var budget: SortBudget
  private var progress: StatementWatch?

  /// Creates rows without any.
  ///
  /// - Parameters:
  ///   - object: The columns of the IDs.
  ///   - coding: The codes of the IDs.
  ///   - columns: The columns to sort by, the first one first.
  ///   - budget: The memory.
  ///   - progress: Who is told of it.
  init(
    _ object: IDColumns, _ coding: ObjectIDCoding, columns: [SortColumn.Description],
    budget: SortBudget,
    progress: StatementWatch?
  ) {
    codes = RowCodes(coding)
    entityIndexes = object.entityIndexes
    self.columns = SortColumns(columns)
    self.budget = budget
    self.progress = progress
  }

  /// Takes a row, unless it is of no known entity; false for a key without a code, a long value,
  /// and values that differ too much for the memory.
  override func receive(_ row: ReceivedRow) -> Bool {
    var entityIndex = 0
    if let entityIndexes {
      guard let index = entityIndexes.index(row) else { return true }
      entityIndex = index
    }
    guard codes.append(key: row.integer(0), entityIndex: entityIndex) else { return false }
    guard columns.add(row) else { return false }
    guard codes.count % SortBudget.interval == 0 else { return true }
    progress?.report(delivered: codes.count)
    return budget.suffices(used: codes.byteCount + columns.byteCount, rowCount: codes.count)
  }

  /// Adds rows with greater keys and the same columns.
  func append(_ others: SortRows) {
    codes.append(others.codes)
    columns.append(others.columns)
  }

  /// Sorts the rows by the last column first, so that the first one decides.
  ///
  /// Each column is released after its use, so that the rows can be sorted once.
  ///
  /// - Parameter sections: The sections of the first column; nil for none.
  /// - Returns: The rows; nil if values of one rank have different sections.
  /// - Throws: ``StoreError`` if the sections do not agree with the order.
  func sorted(_ sections: SectionRuns?) throws(StoreError) -> FetchedIDs? {
    // Swift writes the count of an array without room into the one empty array of all threads.
    guard codes.count > 0 else {
      return FetchedIDs(ids: ObjectIDList(codes: [], codes.coding))
    }
    var rows = codes.isAscending ? nil : codes.rowsByKey
    while columns.count > 1 {
      let column = columns.removeLast()
      let ranks = column.ranks()
      rows = [UInt32](unsafeUninitializedCapacity: codes.count) { target, count in
        _ = column.place(rows, ranks) { row, position in target[position] = row }
        count = codes.count
      }
    }
    guard columns.count > 0 else {
      let order = rows
      let ordered = [Int64](unsafeUninitializedCapacity: codes.count) { target, count in
        for index in 0..<codes.count {
          target[index] = codes[order.map { Int($0[index]) } ?? index]
        }
        count = codes.count
      }
      return FetchedIDs(ids: ObjectIDList(codes: ordered, codes.coding))
    }
    let first = columns.removeLast()
    let ranks = first.ranks()
    var counts: [Int] = []
    let total = codes.count
    let ordered = [Int64](unsafeUninitializedCapacity: total) { target, count in
      guard let start = UnsafeMutableRawPointer(target.baseAddress) else { return }
      // Rows take half of the memory of codes: they are placed in the second half, and their former
      // order is released before the first one is written.
      let placed = (start + total * MemoryLayout<UInt32>.stride)
        .bindMemory(to: UInt32.self, capacity: total)
      counts = first.place(rows, ranks) { row, position in placed[position] = row }
      rows = nil
      for position in 0..<total {
        let code = codes[Int(placed[position])]
        start.storeBytes(
          of: code, toByteOffset: position * MemoryLayout<Int64>.stride, as: Int64.self)
      }
      count = total
    }
    let ids = ObjectIDList(codes: ordered, codes.coding)
    guard let sections else { return FetchedIDs(ids: ids) }
    guard let runs = try first.sections(sections, ranks, counts: counts) else { return nil }
    return FetchedIDs(ids: ids, sections: runs)
  }
}

/// The memory for rows that are sorted: 16 MiB for all readers, and 16 bytes for each row.
///
/// It is asked while rows are read. Columns in which most values differ, of which SQLite's sort is
/// made, are noticed early: by the values of the last rows, which rows to come are expected to have.
struct SortBudget {
  /// The number of rows after which the budget is asked again.
  static let interval = 1 << 14
  /// The longest value that is sorted, in bytes.
  static let longestValue = 1 << 10

  /// The estimated number of rows; 0 if it is not known.
  private let total: Int
  private let base: Int
  private var lastUsed = 0

  init(total: Int, readers: Int = 1) {
    self.total = total / readers
    base = 16 << 20 / readers
  }

  /// Whether the memory is enough for all rows, if the rows to come are like the last ones.
  ///
  /// - Parameters:
  ///   - used: The number of bytes in use.
  ///   - rowCount: The number of rows that have been read.
  /// - Returns: False if SQLite's sort, which uses files, is the better one.
  mutating func suffices(used: Int, rowCount: Int) -> Bool {
    defer { lastUsed = used }
    let total = max(total, rowCount)
    let blocksToCome = (total - rowCount) / Self.interval
    return used + (used - lastUsed) * blocksToCome <= base + total * 16
  }
}
