import ObjectModel
import SQLQueries

/// The columns that rows are sorted by, the first one first: plain memory, because references to
/// them would be counted for each row, which takes a fifth of the time of reading.
struct SortColumns: ~Copyable {
  private let start: UnsafeMutablePointer<SortColumn>
  private(set) var count: Int

  init(_ descriptions: [SortColumn.Description]) {
    count = descriptions.count
    start = .allocate(capacity: count)
    for (index, description) in descriptions.enumerated() {
      (start + index).initialize(to: SortColumn(description))
    }
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }

  /// The number of bytes in use.
  var byteCount: Int { (0..<count).reduce(0) { $0 + start[$1].byteCount } }

  /// Reads the values of the next row; whether they are short enough.
  @inline(__always)
  func add(_ row: ReceivedRow) -> Bool {
    for index in 0..<count { guard start[index].add(row) else { return false } }
    return true
  }

  /// Adds the rows of other columns with the same descriptions.
  func append(_ others: borrowing SortColumns) {
    for index in 0..<count { start[index].append(others.start[index]) }
  }

  /// Takes the last column, so that its memory can be released.
  mutating func removeLast() -> SortColumn {
    count -= 1
    return (start + count).move()
  }
}

/// A column that rows are sorted by: its distinct values, and which of them each row has.
struct SortColumn: ~Copyable {
  /// What a column is and how it is sorted.
  struct Description {
    let encoder: SortKeyEncoder
    let ascending: Bool
    /// The index of the column in the statement.
    let index: Int32
  }

  private let ascending: Bool
  private let index: Int32
  private var values: DistinctValues
  /// The number of each row's value.
  private var numbers = WideningBuffer<UInt16, UInt32>()

  init(_ description: Description) {
    index = description.index
    ascending = description.ascending
    values = DistinctValues(description.encoder)
  }

  /// The number of bytes in use.
  var byteCount: Int { values.byteCount + numbers.byteCount }

  /// Reads the value of the next row; whether it is short enough.
  mutating func add(_ row: ReceivedRow) -> Bool {
    guard let number = values.number(of: row, index) else { return false }
    numbers.append(number)
    return true
  }

  /// Adds the rows of another column with the same description.
  mutating func append(_ others: borrowing SortColumn) {
    let known = values.add(others.values)
    for row in 0..<others.numbers.count { numbers.append(known[Int(others.numbers[row])]) }
  }

  /// Sorts the values; no row is added afterwards.
  func ranks() -> ValueRanks { values.ranks(ascending: ascending) }

  /// Places rows in the order of their values; rows with equal values stay in their order.
  ///
  /// - Parameters:
  ///   - rows: The rows in their order so far; nil for the order in which they were read.
  ///   - ranks: The ranks of the values.
  ///   - body: Called with each row and its position.
  /// - Returns: The number of rows of each rank.
  /// - Complexity: O(*n*): the rows of each rank are counted first.
  func place(
    _ rows: [UInt32]?, _ ranks: borrowing ValueRanks,
    _ body: (_ row: UInt32, _ position: Int) -> Void
  ) -> [Int] {
    var counts = Array(repeating: 0, count: ranks.first.count)
    for row in 0..<numbers.count {
      counts[Int(ranks.ranks[Int(numbers[row])])] += 1
    }
    var positions: [Int] = []
    positions.reserveCapacity(counts.count)
    var next = 0
    for count in counts {
      positions.append(next)
      next += count
    }
    for index in 0..<numbers.count {
      let row = rows.map { $0[index] } ?? UInt32(index)
      let rank = Int(ranks.ranks[Int(numbers[Int(row)])])
      body(row, positions[rank])
      positions[rank] += 1
    }
    return counts
  }

  /// The sections of the rows in order, by their values in this column; nil if values of one rank
  /// have different sections, as 1 and 1.0 can.
  ///
  /// - Throws: ``StoreError`` if the sections do not agree with the order.
  func sections(
    _ sections: SectionRuns, _ ranks: borrowing ValueRanks, counts: [Int]
  ) throws(StoreError) -> [SectionRun]? {
    guard hasOneName(forEachRankOf: ranks, sections) else { return nil }
    var sections = sections
    for (rank, count) in counts.enumerated() {
      let number = ranks.first[rank]
      try sections.add(
        values.value(number), folded: values.folded(number), count: count)
    }
    return sections.runs
  }

  private func hasOneName(
    forEachRankOf ranks: borrowing ValueRanks, _ sections: SectionRuns
  ) -> Bool {
    if ranks.first.count == ranks.ranks.count { return true }
    for number in 0..<UInt32(ranks.ranks.count) {
      let first = ranks.first[Int(ranks.ranks[Int(number)])]
      guard number == first || name(of: number, sections) == name(of: first, sections) else {
        return false
      }
    }
    return true
  }

  private func name(of number: UInt32, _ sections: SectionRuns) -> String {
    sections.name(values.value(number), folded: values.folded(number))
  }
}
