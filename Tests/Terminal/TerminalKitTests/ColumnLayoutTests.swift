import Testing

@testable import TerminalKit

@Suite struct ColumnLayoutTests {
  private func text(_ title: String, sorting: TableColumn.Sorting? = nil) -> TableColumn {
    TableColumn(title, minimumWidth: 12, maximumWidth: 300, sorting: sorting)
  }

  private func number(_ title: String, sorting: TableColumn.Sorting? = nil) -> TableColumn {
    TableColumn(title, alignment: .right, isWhole: true, sorting: sorting)
  }

  private func layout(
    _ columns: [(TableColumn, need: Int)], width: Int, start: Int = 1, marked: Int? = nil,
    isNarrow: Bool = false
  ) -> ColumnLayout {
    ColumnLayout.following(
      .init(
        columns: columns.map(\.0), ideal: columns.map(\.need), width: width, start: start,
        marked: marked, isNarrow: isNarrow)
    ).layout
  }

  @Test func `numbers get their whole width before texts share the rest`() {
    let layout = layout(
      [(text("Name"), 60), (text("Composer"), 80), (number("Bytes"), 11)], width: 60)
    #expect(layout.fields.map(\.column) == [0, 1, 2])
    #expect(layout.fields.map(\.width) == [24, 21, 11])
    #expect(layout.usedWidth == 60)
  }

  @Test func `a short text takes no more than it needs`() {
    let layout = layout([(text("Name"), 30), (text("Genre"), 5), (text("Notes"), 300)], width: 100)
    #expect(layout.fields.map(\.width) == [30, 5, 61])
  }

  @Test func `the sorted column comes second if it would be off the screen`() {
    let columns =
      [(text("Name"), 20)] + (1...9).map { (text("T\($0)"), 20) }
      + [(number("Bytes", sorting: .descending), 11)]
    #expect(layout(columns, width: 75).fields.map(\.column) == [0, 10, 1, 2, 3])
    #expect(layout(columns, width: 300).fields.map(\.column) == Array(0...10))
  }

  @Test func `the list scrolls sideways with the marked column, and counts what is left out`() {
    let columns = (0...9).map { (text("T\($0)"), 20) }
    let first = layout(columns, width: 75)
    #expect(first.fields.map(\.column) == [0, 1, 2, 3, 4])
    #expect((first.countBefore, first.countAfter) == (0, 5))
    let marked = layout(columns, width: 75, marked: 6)
    #expect(marked.fields.map(\.column) == [0, 3, 4, 5, 6])
    #expect((marked.countBefore, marked.countAfter) == (2, 3))
    #expect(
      layout(columns, width: 75, start: 3, marked: 0).fields.map(\.column) == [0, 1, 2, 3, 4])
  }

  @Test func `a narrow table shows the first column and the marked or sorted one`() {
    let columns = [(text("A"), 20), (text("B"), 20), (number("C", sorting: .ascending), 6)]
    #expect(layout(columns, width: 40, isNarrow: true).fields.map(\.column) == [0, 2])
    #expect(layout(columns, width: 40, marked: 1, isNarrow: true).fields.map(\.column) == [0, 1])
  }

  @Test(arguments: [0, 1, 5, 13])
  func `a tiny width never makes fields wider than itself`(width: Int) {
    let layout = layout([(text("Name"), 60), (number("Bytes"), 11)], width: width)
    #expect(layout.usedWidth <= width)
  }
}
