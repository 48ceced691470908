import TestSupport
import Testing

@testable import TerminalKit

@MainActor
@Suite struct TableMotionTests {
  /// Sections of 3, 5 and 40 rows, shown on ten lines.
  private let source = ListDataSource([Array(0..<3), Array(3..<8), Array(8..<48)])

  private func table() -> TableView { TableView.over(source) }

  @Test(arguments: [
    ([TableMotion.down(1)], 1), ([.down(5), .up(2)], 3), ([.up(1)], 0), ([.down(.max)], 47),
    ([.last, .up(.max)], 0), ([.row(42)], 41), ([.row(0)], 0), ([.row(.max)], 47),
    ([.percent(50)], 23), ([.percent(100)], 47), ([.percent(-3)], 0), ([.percent(1000)], 47),
    ([.nextSection(1)], 3), ([.nextSection(2)], 8), ([.nextSection(9)], 47),
    ([.row(6), .previousSection(1)], 3), ([.row(6), .previousSection(2)], 0),
    ([.row(4), .previousSection(1)], 0), ([.section(2)], 8), ([.section(99)], 8),
    ([.section(-1)], 0), ([.down(0)], 0), ([.down(-4)], 0), ([.nextSection(0)], 0),
    ([.last, .first], 0), ([.last], 47), ([.pageDown(.max)], 47), ([.halfPageDown(0)], 0),
  ])
  func `motions move the cursor to the expected row`(motions: [TableMotion], row: Int) {
    let table = table()
    for motion in motions { table.move(motion) }
    #expect(table.cursorRow == row)
  }

  @Test func `paging forward and back passes every row`() {
    let table = table()
    var rows = [table.cursorRow ?? -1]
    while rows.last != 47, rows.count < 30 {
      table.move(.pageDown(1))
      rows.append(table.cursorRow ?? -1)
      _ = table.picture()
    }
    #expect(rows.last == 47)
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 <= 9 })
    for _ in 0..<30 { table.move(.halfPageUp(1)) }
    #expect(table.cursorRow == 0)
  }

  @Test func `a jump to a section scrolls its header to the first line`() {
    let table = table()
    table.move(.section(2))
    #expect(table.picture().lines[0].hasPrefix("── S2 ──"))
    #expect(table.picture().lines[1].hasPrefix("▌  object 8"))
  }

  @Test func `the current header sticks to the first line`() {
    let table = table()
    table.move(.row(30))
    #expect(table.picture().lines[0].hasPrefix("── S2 ──"))
    #expect(table.picture().lines.contains { $0.hasPrefix("▌  object 29") })
  }

  @Test(arguments: 0..<60, ViewKind.allCases)
  func `the cursor stays visible for random motions and sizes`(seed: UInt64, kind: ViewKind) {
    var generator = SeededGenerator(seed: seed)
    let source = ListDataSource(
      (0..<Int.random(in: 0...6, using: &generator)).map { section in
        Array(0..<Int.random(in: 0...20, using: &generator)).map { section * 100 + $0 }
      })
    source.hasHeaders = Bool.random(using: &generator)
    let table = kind.view()
    table.dataSource = source
    table.rowHeight = Int.random(in: 1...2, using: &generator)
    table.reloadData()
    let count = Int.random(in: -1...30, using: &generator)
    let motions: [TableMotion] = [
      .up(count), .down(count), .pageUp(1), .pageDown(1), .halfPageUp(2), .halfPageDown(1), .first,
      .left(count), .right(1), .last, .row(count), .percent(count), .nextSection(1),
      .previousSection(1), .section(count),
    ]
    for _ in 0..<60 {
      let height = Int.random(in: 0...12, using: &generator)
      if Bool.random(using: &generator) {
        table.move(motions[.random(in: 0..<motions.count, using: &generator)])
      } else {
        table.scroll(byLines: .random(in: -9...9, using: &generator))
      }
      let picture = table.picture(width: .random(in: 0...30, using: &generator), height: height)
      #expect((table.cursorRow == nil) == (table.numberOfRows == 0))
      #expect((0...table.state.numberOfLines).contains(table.state.topLine))
      guard let row = table.cursorRow, height >= 1 + table.rowHeight else { continue }
      #expect(table.state.isVisible(row))
      if picture.width > 0 { #expect(table.hardwareCursor != nil) }
    }
  }

  @Test func `the wheel scrolls and keeps the cursor visible`() {
    let table = table()
    table.handle(MouseEvent(.wheelDown, at: Point(x: 4, y: 4)))
    #expect(table.cursorRow == 3)
    table.handle(MouseEvent(.wheelUp, at: Point(x: 4, y: 4)))
    #expect(table.cursorRow == 3)
    #expect(table.state.topLine == 0)
  }

  @Test func `a click hits the element drawn at its position`() {
    let table = table()
    #expect(table.hit(at: Point(x: 5, y: 0)) == .header(0))
    #expect(table.hit(at: Point(x: 5, y: 2)) == .row(TablePath(section: 0, row: 1)))
    #expect(table.hit(at: Point(x: 29, y: 1)) == .index(1))
    #expect(table.hit(at: Point(x: 29, y: 5)) == nil)
    #expect(table.hit(at: Point(x: 90, y: 5)) == nil)
    table.handle(MouseEvent(.press, at: Point(x: 5, y: 6)))
    #expect(table.cursor == TablePath(section: 1, row: 1))
    table.handle(MouseEvent(.drag, at: Point(x: 29, y: 2)))
    #expect(table.cursor == TablePath(section: 2, row: 0))
  }

  @Test func `a position can be restored`() {
    let table = table()
    table.move(.row(30))
    let picture = table.picture().text
    let position = table.position
    table.move(.first)
    table.position = position
    #expect(table.picture().text == picture)
  }

  @Test func `reloading with a cursor keeps its screen line`() {
    let table = table()
    table.move(.row(30))
    let line = table.picture().lines.firstIndex { $0.hasPrefix("▌") }
    source.sections = [Array(0..<48).reversed()]
    table.reloadData(cursor: TablePath(section: 0, row: 18), selection: RowSet(2..<4))
    let picture = table.picture()
    #expect(picture.lines.firstIndex { $0.hasPrefix("▌  object 29") } == line)
    #expect(table.selection == RowSet(2..<4))
  }

  @Test func `type-ahead folds prefixes as section titles`() {
    final class Names: TableViewDataSource {
      let names = ["", "Ärger", "Bär", "Éa", "East", "Łódź"]
      func numberOfSections(in tableView: TableView) -> Int { names.count }
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 1 }
      func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
        TableCell()
      }
      func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        names[section]
      }
    }
    let names = Names()
    let table = TableView()
    table.dataSource = names
    table.fold = { $0.lowercased().replacing("é", with: "e").replacing("łó", with: "lo") }
    table.reloadData()
    #expect(table.sections(matching: "e") == [3, 4])
    #expect(table.sections(matching: "EAS") == [4])
    #expect(table.sections(matching: "lo") == [5])
    #expect(table.sections(matching: "x") == [])
    #expect(table.sections(matching: "").count == 6)
  }

  @Test func `only visible rows of a huge table are requested`() {
    final class Huge: TableViewDataSource {
      var asked = 0
      func numberOfSections(in tableView: TableView) -> Int { 5000 }
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 1000 }
      func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
        asked += 1
        return TableCell("\(path)")
      }
      func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        "\(section)"
      }
    }
    let huge = Huge()
    let table = TableView()
    table.dataSource = huge
    table.reloadData()
    table.selectAll()
    for part in stride(from: 0, through: 100, by: 10) {
      table.move(.percent(part))
      _ = table.picture(height: 20)
    }
    #expect(huge.asked <= 11 * 20)
    #expect(table.cursor == TablePath(section: 4999, row: 999))
    #expect(table.selection.count == 5_000_000)
  }
}

@Suite struct IndexStripTests {
  @Test func `all titles are shown if there is room`() {
    let strip = IndexStrip(count: 5, height: 5)
    #expect((0..<6).map { strip.title(onLine: $0) } == [0, 1, 2, 3, 4, nil])
  }

  @Test(arguments: [(26, 21), (28, 20), (1000, 2), (1000, 3), (7, 6), (30, 1), (3, 2)])
  func `a thinned strip keeps both ends and gives every title a line`(count: Int, height: Int) {
    let strip = IndexStrip(count: count, height: height)
    #expect(strip.count <= height)
    #expect(strip.title(onLine: 0) == 0)
    if height > 2 { #expect(strip.title(onLine: strip.count - 1) == count - 1) }
    let lines = (0..<count).map { strip.line(ofTitle: $0) }
    #expect(!lines.contains(nil))
    #expect(lines.compactMap(\.self) == lines.compactMap(\.self).sorted())
    for line in 0..<strip.count { #expect(strip.title(hitOnLine: line) != nil) }
  }

  @Test func `the strip is empty without titles or without lines`() {
    #expect(IndexStrip(count: 0, height: 5).count == 0)
    #expect(IndexStrip(count: 5, height: 0).count == 0)
  }
}
