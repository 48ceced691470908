import TestSupport
import Testing

@testable import TerminalKit

@MainActor
@Suite struct TableBatchTests {
  private func randomSections(using generator: inout SeededGenerator) -> [[Int]] {
    var next = 0
    return (0..<Int.random(in: 1...5, using: &generator)).map { _ in
      (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        next += 1
        return next
      }
    }
  }

  /// Returns the object that gets the cursor if its own was deleted: the next surviving one,
  /// otherwise the previous one.
  private func successor(of id: Int, in old: [Int], stayed: Set<Int>) -> Int? {
    guard let index = old.firstIndex(of: id) else { return nil }
    return old[index...].first { stayed.contains($0) }
      ?? old[..<index].last { stayed.contains($0) }
  }

  /// Expects the screen, once the highlights ended, to equal that of a newly created table.
  private func expectFresh(
    _ table: TableView, _ source: ListDataSource, _ kind: ViewKind, height: Int
  ) {
    let clock = table.clock
    table.clock = { .max }
    let fresh = TableView.over(source, on: kind.view(), height: height)
    fresh.position = table.position
    for range in table.selection.ranges { fresh.setSelected(true, rows: range) }
    #expect(table.picture(height: height) == fresh.picture(height: height))
    table.clock = clock
  }

  @Test(arguments: 0..<50, ViewKind.allCases)
  func `cursor and selection stay on their objects through random batches`(
    seed: UInt64, kind: ViewKind
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var sections = randomSections(using: &generator)
    let source = ListDataSource(sections)
    let table = TableView.over(
      source, on: kind.view(), height: .random(in: 1...14, using: &generator))
    var problems: [String] = []
    table.reportInvalidUpdate = { problems.append($0) }
    var firstNewID = 1000
    for _ in 0..<12 {
      let flat = sections.flatMap { $0 }
      var selected: Set<Int> = []
      if !flat.isEmpty {
        table.move(.row(.random(in: 1...flat.count, using: &generator)))
        table.selectNone()
        for row in flat.indices where Int.random(in: 0..<3, using: &generator) == 0 {
          table.setSelected(true, rows: row..<row + 1)
          selected.insert(flat[row])
        }
      }
      let cursorID = table.cursorRow.map { flat[$0] }
      let change = RandomBatch(from: sections, firstNewID: firstNewID, using: &generator)
      firstNewID += 10
      sections = change.new
      source.sections = sections
      table.apply(change.batch)
      #expect(problems.isEmpty)

      let after = sections.flatMap { $0 }
      #expect(table.numberOfRows == after.count)
      let cursorAfter = table.cursorRow.map { after[$0] }
      if let cursorID, after.contains(cursorID) {
        #expect(cursorAfter == cursorID)
      } else if let cursorID,
        let successor = successor(of: cursorID, in: flat, stayed: change.stayed)
      {
        #expect(cursorAfter == successor)
      } else {
        #expect((cursorAfter == nil) == after.isEmpty)
      }
      let selectedAfter = Set(
        after.indices.filter { table.selection.contains($0) }.map { after[$0] })
      #expect(selectedAfter == selected.intersection(after))
      let height = Int.random(in: 1...14, using: &generator)
      _ = table.picture(height: height)
      expectFresh(table, source, kind, height: height)
      if let row = table.cursorRow {
        #expect(table.hardwareCursor != nil)
        #expect(table.state.isVisible(row))
      }
    }
  }

  @Test(arguments: 0..<60)
  func `the row map gives every row's new number`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let change = RandomBatch(
      from: randomSections(using: &generator), firstNewID: 1000, using: &generator)
    let map = try change.batch.rowMap(
      from: SectionOffsets(counts: change.old.map(\.count)),
      to: SectionOffsets(counts: change.new.map(\.count)))
    let after = change.new.flatMap { $0 }
    for (row, id) in change.old.flatMap({ $0 }).enumerated() {
      #expect(map.newRow(for: row) == after.firstIndex(of: id))
    }
  }

  @Test func `the cursor keeps its screen line when rows are inserted above it`() {
    let source = ListDataSource([Array(0..<100)])
    let table = TableView.over(source)
    table.move(.row(50))
    let before = table.picture().lines.firstIndex { $0.hasPrefix("▌") }
    source.sections = [[900, 901, 902] + Array(0..<100)]
    let paths = (0..<3).map { TablePath(section: 0, row: $0) }
    table.apply(TableBatch(insertedRows: paths))
    #expect(table.picture().lines.firstIndex { $0.hasPrefix("▌") } == before)
    #expect(table.cursorRow == 52)
  }

  @Test func `a batch with wrong counts is reported with the counts, and the table reloads`() {
    let source = ListDataSource([[1, 2, 3], [4]])
    let table = TableView.over(source)
    var problems: [String] = []
    table.reportInvalidUpdate = { problems.append($0) }
    source.sections = [[1, 2], [4]]
    table.apply(TableBatch(insertedRows: [TablePath(section: 0, row: 1)]))
    #expect(
      problems == [
        """
        Invalid update: invalid number of rows in section 0. The number of rows after the update \
        (2) must equal the number before (3), plus or minus those inserted or deleted (1 inserted, \
        0 deleted) and moved (0 moved in, 0 moved out).
        """
      ])
    #expect(table.numberOfRows == 3)
  }

  @Test(arguments: [
    (
      TableBatch(deletedSections: [7]),
      "Invalid update: there is no section 7 before the update."
    ),
    (
      TableBatch(deletedRows: [TablePath(section: 0, row: -1)]),
      "Invalid update: there is no row [0, -1] before the update."
    ),
    (
      TableBatch(insertedRows: Array(repeating: TablePath(section: 0, row: 0), count: 2)),
      "Invalid update: the row [0, 0] after the update is listed twice."
    ),
    (
      TableBatch(insertedSections: [1]),
      "Invalid update: invalid number of sections. The number of sections after the update (2) "
        + "must equal the number before (2), plus or minus those inserted or deleted (1 inserted, "
        + "0 deleted)."
    ),
  ])
  func `an invalid batch is reported`(batch: TableBatch, message: String) {
    let source = ListDataSource([[1, 2, 3], [4]])
    let table = TableView.over(source)
    var problems: [String] = []
    table.reportInvalidUpdate = { problems.append($0) }
    table.apply(batch)
    #expect(problems == [message])
  }

  @Test func `applying a change to a million rows requests no cells`() {
    let source = ListDataSource([Array(0..<1_000_000)])
    let table = TableView.over(source)
    source.requestedCells = []
    source.sections[0].remove(at: 500_000)
    table.apply(TableBatch(deletedRows: [TablePath(section: 0, row: 500_000)]))
    #expect(source.requestedCells.isEmpty)
    _ = table.picture(height: 10)
    #expect(source.requestedCells.count == 9)
  }

  @Test func `changed and deleted rows are highlighted until the deadline`() {
    let source = ListDataSource([[1, 2, 3, 4, 5]])
    let table = TableView.over(source)
    var now = 1000
    table.clock = { now }
    table.move(.row(4))
    source.sections = [[1, 3, 9, 4, 5]]
    table.apply(
      TableBatch(
        deletedRows: [TablePath(section: 0, row: 1)],
        insertedRows: [TablePath(section: 0, row: 2)],
        updates: [.init(from: TablePath(section: 0, row: 4), to: TablePath(section: 0, row: 4))]))
    let during = table.picture(height: 8)
    let names = during.lines[2...6].map { $0.prefix(11).dropFirst(3) }
    #expect(names == ["object 2", "object 3", "object 9", "object 4", "object 5"])
    let theme = during.theme
    #expect(during[5, 2].style == theme.flashDeleted)
    #expect(during[5, 4].style == theme.flashInserted)
    #expect(during[5, 6].style == theme.flashUpdated)
    #expect(table.nextDeadline == 1700)
    now = 1700
    let later = table.picture(height: 8)
    #expect(later.lines.filter { $0.contains("object 2") }.isEmpty)
    #expect(later[5, 3].style == .plain)
    #expect(table.nextDeadline == nil)
  }

  @Test func `a hidden table draws nothing but still applies batches`() {
    let source = ListDataSource([[1, 2, 3]])
    let table = TableView.over(source)
    table.move(.last)
    table.isHidden = true
    source.sections = [[2, 3, 4]]
    table.apply(
      TableBatch(
        deletedRows: [TablePath(section: 0, row: 0)], insertedRows: [TablePath(section: 0, row: 2)])
    )
    source.requestedCells = []
    #expect(table.picture().text.allSatisfy { $0 == "\n" })
    #expect(source.requestedCells.isEmpty)
    #expect(table.nextDeadline == nil)
    table.isHidden = false
    #expect(table.picture().text.contains("▌  object 3"))
  }
}
