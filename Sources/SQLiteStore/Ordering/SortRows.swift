import ObjectModel
import SQLQueries

/// Rows to be sorted: their codes in the order in which they were read, and their sort columns.
final class SortRows {
  private var codes: RowCodes
  private var columns: [SortColumn]
  private var budget: SortBudget

  init(_ coding: ObjectIDCoding, columns: [SortColumn], budget: SortBudget) {
    codes = RowCodes(coding)
    self.columns = columns
    self.budget = budget
  }

  /// Reads the rows of a statement.
  ///
  /// - Returns: Whether all were read; false for a key without a code, a long value, and values that
  ///   differ too much for the memory.
  /// - Throws: ``StoreError``.
  func read(
    _ statement: borrowing Statement, _ object: IDColumns, _ progress: StatementProgress?
  ) throws(StoreError) -> Bool {
    // A local variable, because Swift does not check each access to one.
    var codes = RowCodes(codes.coding)
    let isWhole = try read(statement, object, progress, into: &codes)
    self.codes = codes
    return isWhole
  }

  private func read(
    _ statement: borrowing Statement, _ object: IDColumns, _ progress: StatementProgress?,
    into codes: inout RowCodes
  ) throws(StoreError) -> Bool {
    var entityIndexes = object.entityIndexes
    let hasEntity = object.entity != nil
    // They would be retained for each row.
    let unretained = columns.map(Unmanaged.passUnretained)
    while try statement.step() {
      let entityIndex = hasEntity ? entityIndexes.next(statement) : 0
      guard codes.append(key: statement.integer(0), entityIndex: entityIndex) else { return false }
      for column in unretained {
        guard column._withUnsafeGuaranteedRef({ $0.add(statement) }) else { return false }
      }
      if codes.count % SortBudget.interval == 0 {
        progress?.report(delivered: codes.count)
        let used = columns.reduce(codes.byteCount) { $0 + $1.byteCount }
        guard budget.suffices(used: used, rowCount: codes.count) else { return false }
      }
    }
    return true
  }

  /// Adds rows with greater keys and the same columns.
  func append(_ others: SortRows) {
    codes.append(others.codes)
    for (column, other) in zip(columns, others.columns) { column.append(other) }
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
        _ = column.place(rows, ranks) { row, place in target[place] = row }
        count = codes.count
      }
    }
    let first = columns[0]
    let ranks = first.ranks()
    var counts: [Int] = []
    let ordered = [Int64](unsafeUninitializedCapacity: codes.count) { target, count in
      counts = first.place(rows, ranks) { row, place in target[place] = codes[Int(row)] }
      count = codes.count
    }
    let ids = ObjectIDList(codes: ordered, codes.coding)
    guard let sections else { return FetchedIDs(ids: ids) }
    guard let runs = try first.sections(sections, ranks, counts: counts) else { return nil }
    return FetchedIDs(ids: ids, sections: runs)
  }
}
