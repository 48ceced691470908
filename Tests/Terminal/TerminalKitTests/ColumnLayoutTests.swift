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
    isNarrow: Bool = false, content: [Int] = []
  ) -> ColumnLayout {
    ColumnLayout.following(
      .init(
        columns: columns.map(\.0), ideal: columns.map(\.need), content: content, width: width,
        start: start,
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

  @Test func `the first column is not cut at a quarter of the width while others are added`() {
    let columns = [(text("Name"), 48)] + (1...8).map { (text("T\($0)"), 30) }
    let layout = layout(columns, width: 120)
    #expect(layout.fields.map(\.width) == [48, 22, 22, 22])
    #expect(layout.usedWidth == 120)
  }

  @Test func `a long title is cut while texts need the room, and whole where they do not`() {
    let columns = [(text("Name"), 40), (number("visitsOfTheLastYears"), 20)]
    #expect(layout(columns, width: 46, content: [40, 3]).fields.map(\.width) == [28, 16])
    #expect(layout(columns, width: 80, content: [40, 3]).fields.map(\.width) == [40, 20])
  }

  @Test func `columns keep their order, whichever is marked`() {
    let columns =
      [(text("Name"), 20)] + (1...6).map { (text("T\($0)"), 20) }
      + [(number("Bytes", sorting: .descending), 11)]
      + (8...9).map { (text("T\($0)"), 20) }
    for marked in columns.indices {
      for isNarrow in [false, true] {
        let shown = layout(columns, width: 75, marked: marked, isNarrow: isNarrow).fields
          .map(\.column)
        #expect(shown == shown.sorted())
        #expect(shown.contains(marked) && shown.contains(0) && shown.contains(7))
      }
    }
  }

  @Test func `the sorted column is shown if it would be off the screen`() {
    let columns =
      [(text("Name"), 20)] + (1...9).map { (text("T\($0)"), 20) }
      + [(number("Bytes", sorting: .descending), 11)]
    #expect(layout(columns, width: 75).fields.map(\.column) == [0, 1, 2, 3, 10])
    #expect(layout(columns, width: 300).fields.map(\.column) == Array(0...10))
  }

  @Test func `the list scrolls sideways with the marked column, and counts what is left out`() {
    let columns = (0...9).map { (text("T\($0)"), 20) }
    let first = layout(columns, width: 75)
    #expect(first.fields.map(\.column) == [0, 1, 2, 3])
    #expect((first.countBefore, first.countAfter) == (0, 6))
    let marked = layout(columns, width: 75, marked: 6)
    #expect(marked.fields.map(\.column) == [0, 4, 5, 6])
    #expect((marked.countBefore, marked.countAfter) == (3, 3))
    #expect(
      layout(columns, width: 75, start: 3, marked: 0).fields.map(\.column) == [0, 1, 2, 3])
  }

  @Test func `a narrow table shows the first, the marked and the sorted column, and what fits`() {
    let columns = [(text("A"), 20), (text("B"), 20), (number("C", sorting: .ascending), 6)]
    #expect(layout(columns, width: 37, isNarrow: true).fields.map(\.column) == [0, 2])
    #expect(layout(columns, width: 40, marked: 1, isNarrow: true).fields.map(\.column) == [0, 1])
    #expect(layout(columns, width: 60, isNarrow: true).fields.map(\.column) == [0, 1, 2])
  }

  @Test(arguments: [0, 1, 5, 13])
  func `a tiny width never makes fields wider than itself`(width: Int) {
    let layout = layout([(text("Name"), 60), (number("Bytes"), 11)], width: width)
    #expect(layout.usedWidth <= width)
  }

  @Test func `the last text of a narrow table is cut rather than left out`() {
    let columns = [(text("A"), 18), (text("B"), 20), (number("C"), 9)]
    let layout = layout(columns, width: 30, isNarrow: true)
    #expect(layout.fields.map(\.column) == [0, 1] && layout.fields.map(\.width) == [18, 10])
    #expect(self.layout(columns, width: 20, isNarrow: true).fields.map(\.column) == [0])
  }

  @Test func `a narrow table leaves out what does not fit, not what follows it`() {
    let columns = [(text("A"), 12), (number("C", sorting: .ascending), 16), (text("B"), 20)]
    #expect(layout(columns, width: 26, isNarrow: true).fields.map(\.column) == [0, 2])
  }
}
