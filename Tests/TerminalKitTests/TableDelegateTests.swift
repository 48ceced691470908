import TerminalKit
import Testing

/// Refuses what it is told to refuse, and keeps what it hears.
@MainActor
private final class Listener: TableViewDelegate {
  var refuses = false
  var redirects: TablePath?
  var heard: [String] = []

  func tableView(_ tableView: TableView, willSelectRowAt path: TablePath) -> TablePath? {
    refuses ? nil : redirects ?? path
  }

  func tableView(_ tableView: TableView, didSelectRowAt path: TablePath) {
    heard.append("select \(path)")
  }

  func tableViewDidMoveCursor(_ tableView: TableView) {
    heard.append("cursor \(tableView.cursor.map { "\($0)" } ?? "none")")
  }

  func tableView(_ tableView: TableView, canEditRowAt path: TablePath) -> Bool { !refuses }

  func tableView(_ tableView: TableView, commitDeleteForRowAt path: TablePath) {
    heard.append("delete \(path)")
  }

  func tableView(_ tableView: TableView, willDisplayRows rows: Range<Int>) {
    heard.append("display \(rows)")
  }
}

@MainActor
@Suite struct TableDelegateTests {
  private let source = ListDataSource([[1, 2], [3, 4, 5]])
  private let listener = Listener()

  private func table() -> TableView {
    let table = TableView.over(source)
    table.delegate = listener
    return table
  }

  @Test func `choosing a row asks and tells`() {
    let table = table()
    table.chooseCursorRow()
    listener.redirects = TablePath(section: 1, row: 2)
    table.chooseCursorRow()
    listener.refuses = true
    table.chooseCursorRow()
    #expect(listener.heard == ["select [0, 0]", "cursor [1, 2]", "select [1, 2]"])
  }

  @Test func `a row is deleted only when the delegate agrees`() {
    let table = table()
    #expect(table.deleteCursorRow() == true)
    listener.refuses = true
    #expect(table.deleteCursorRow() == false)
    #expect(listener.heard == ["delete [0, 0]"])
  }

  @Test func `the rows to come are told before their cells are asked for`() {
    let table = table()
    _ = table.picture(height: 4)
    table.move(.last)
    _ = table.picture(height: 4)
    #expect(listener.heard == ["display 0..<2", "cursor [1, 2]", "display 2..<5"])
  }

  @Test func `a list that loses its last row has no cursor, and gets one with its first`() {
    let table = table()
    source.sections = []
    table.apply(TableBatch(deletedSections: [0, 1]))
    #expect(table.cursor == nil)
    #expect(table.picture().text.contains("object") == false)
    source.sections = [[9]]
    table.apply(TableBatch(insertedSections: [0], insertedRows: [TablePath(section: 0, row: 0)]))
    #expect(table.cursor == TablePath(section: 0, row: 0))
  }

  @Test func `rows are selected one by one, all and none`() {
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
