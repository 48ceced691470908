import TerminalKit
import Testing

/// Records the calls it receives, and can refuse or redirect them.
@MainActor
private final class RecordingDelegate: TableViewDelegate {
  var refuses = false
  var redirects: TablePath?
  var calls: [String] = []

  func tableView(_ tableView: TableView, willSelectRowAt path: TablePath) -> TablePath? {
    refuses ? nil : redirects ?? path
  }

  func tableView(_ tableView: TableView, didSelectRowAt path: TablePath) {
    calls.append("select \(path)")
  }

  func tableViewDidMoveCursor(_ tableView: TableView) {
    calls.append("cursor \(tableView.cursor.map { "\($0)" } ?? "none")")
  }

  func tableView(_ tableView: TableView, willDisplayRows rows: Range<Int>) {
    calls.append("display \(rows)")
  }
}

@MainActor
@Suite struct TableDelegateTests {
  private let source = ListDataSource([[1, 2], [3, 4, 5]])
  private let recorder = RecordingDelegate()

  private func table() -> TableView {
    let table = TableView.over(source)
    table.delegate = recorder
    return table
  }

  @Test func `choosing a row calls willSelect and didSelect`() {
    let table = table()
    table.chooseCursorRow()
    recorder.redirects = TablePath(section: 1, row: 2)
    table.chooseCursorRow()
    recorder.refuses = true
    table.chooseCursorRow()
    #expect(recorder.calls == ["select [0, 0]", "cursor [1, 2]", "select [1, 2]"])
  }

  @Test func `willDisplayRows is called before the cells are requested`() {
    let table = table()
    _ = table.picture(height: 4)
    table.move(.last)
    _ = table.picture(height: 4)
    #expect(recorder.calls == ["display 0..<2", "cursor [1, 2]", "display 2..<5"])
  }

  @Test func `the cursor is nil without rows and set again by the first insertion`() {
    let table = table()
    source.sections = []
    table.apply(TableBatch(deletedSections: [0, 1]))
    #expect(table.cursor == nil)
    #expect(table.picture().text.contains("object") == false)
    source.sections = [[9]]
    table.apply(TableBatch(insertedSections: [0], insertedRows: [TablePath(section: 0, row: 0)]))
    #expect(table.cursor == TablePath(section: 0, row: 0))
  }

  @Test func `rows are selected one by one, all at once, and deselected`() {
    let table = table()
    table.toggleSelection()
    table.move(.down(2))
    table.toggleSelection()
    #expect(table.selection.ranges == [0..<1, 2..<3])
    table.toggleSelection()
    #expect(table.selection.count == 1)
    table.selectAll()
    #expect(table.selection.count == 5)
    table.setSelected(false, rows: 4..<99)
    #expect(table.selection.ranges == [0..<4])
    table.selectNone()
    #expect(table.selection.isEmpty)
  }
}
