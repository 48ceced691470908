import TestSupport
import Testing

@testable import TerminalKit

@MainActor
@Suite struct GridViewTests {
  /// Sections of 5, 1 and 7 rows; three cells lie side by side in 30 columns.
  private let source = ListDataSource([Array(0..<5), [5], Array(6..<13)])

  private func grid(height: Int = 12) -> TableView {
    TableView.over(source, on: ViewKind.grid.view(), height: height)
  }

  @Test(arguments: [
    ([TableMotion.right(1)], 1), ([.right(3)], 3), ([.left(1)], 0), ([.right(.max)], 12),
    ([.down(1)], 3), ([.right(2), .down(1)], 4), ([.right(2), .down(2)], 5),
    // The column is kept through shorter lines.
    ([.right(2), .down(3)], 8), ([.right(2), .down(2), .up(2)], 2), ([.right(2), .down(9)], 12),
    ([.right(2), .down(2), .left(1), .up(1)], 1), ([.last, .up(1)], 9), ([.last, .first], 0),
    ([.nextSection(1)], 5), ([.nextSection(2), .right(4), .previousSection(1)], 6),
    ([.row(4), .previousSection(1)], 0), ([.percent(50)], 6), ([.down(.max)], 12),
    ([.down(0)], 0), ([.right(-2)], 0), ([.left(0)], 0),
  ])
  func `motions move the cursor in two dimensions`(motions: [TableMotion], row: Int) {
    let grid = grid()
    for motion in motions { grid.move(motion) }
    #expect(grid.cursorRow == row)
  }

  @Test func `left and right do nothing in a table`() {
    let table = TableView.over(source)
    table.move(.right(2))
    table.move(.left(1))
    #expect(table.cursorRow == 0)
  }

  @Test(arguments: 0..<40)
  func `every motion agrees with a plain model of lines of cells`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var next = 0
    let source = ListDataSource(
      (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        (0..<Int.random(in: 1...8, using: &generator)).map { _ in
          defer { next += 1 }
          return next
        }
      })
    let grid = TableView.over(source, on: ViewKind.grid.view())
    let lines = source.sections.flatMap { section in
      stride(from: 0, to: section.count, by: 3).map { Array(section[$0...].prefix(3)) }
    }
    var (line, column, wanted) = (0, 0, 0)
    for _ in 0..<40 {
      let count = Int.random(in: 1...3, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        let isDown = Bool.random(using: &generator)
        grid.move(isDown ? .down(count) : .up(count))
        let target = min(max(line + (isDown ? count : -count), 0), lines.count - 1)
        if target != line {
          line = target
          column = min(wanted, lines[line].count - 1)
        }
      default:
        let isRight = Bool.random(using: &generator)
        grid.move(isRight ? .right(count) : .left(count))
        let row = min(max(lines[line][column] + (isRight ? count : -count), 0), next - 1)
        line = lines.firstIndex { $0.contains(row) } ?? 0
        column = lines[line].firstIndex(of: row) ?? 0
        wanted = column
      }
      #expect(grid.cursorRow == lines[line][column])
    }
  }

  @Test func `cells fill the width, with headers over them and the strip beside them`() {
    let grid = GridView()
    grid.cellWidth = 12
    _ = TableView.over(source, on: grid, width: 39)
    grid.move(.right(4))
    grid.toggleSelection()
    #expect(
      grid.picture(width: 39, height: 9).text == """
        ── S0 ─────────────────────────── 5 ─ 0
           object 0    object 1    object 2   1
           object 3 ▌● object 4               2
        ── S1 ─────────────────────────── 1 ─
           object 5
        ── S2 ─────────────────────────── 7 ─
           object 6    object 7    object 8
           object 9    object 10   object 11
           object 12
        """)
  }

  @Test(arguments: [(30, 3), (60, 6), (8, 1), (200, 21)])
  func `as many cells as fit lie side by side`(width: Int, count: Int) {
    let source = ListDataSource([Array(0..<100)])
    source.hasHeaders = false
    let grid = TableView.over(source, on: ViewKind.grid.view(), width: width)
    #expect(grid.state.rowsPerBand == (width == 8 ? 1 : width / 9))
    #expect(abs(grid.state.rowsPerBand - count) <= 1)
    grid.move(.down(1))
    #expect(grid.cursorRow == grid.state.rowsPerBand)
  }

  @Test func `a click hits the cell drawn at its position`() {
    let grid = grid()
    #expect(grid.hit(at: Point(x: 5, y: 0)) == .header(0))
    #expect(grid.hit(at: Point(x: 2, y: 1)) == .row(TablePath(section: 0, row: 0)))
    #expect(grid.hit(at: Point(x: 9, y: 1)) == .row(TablePath(section: 0, row: 1)))
    #expect(grid.hit(at: Point(x: 26, y: 1)) == .row(TablePath(section: 0, row: 2)))
    #expect(grid.hit(at: Point(x: 9, y: 2)) == .row(TablePath(section: 0, row: 4)))
    // Beside the last cell of a section there is none.
    #expect(grid.hit(at: Point(x: 20, y: 2)) == nil)
    #expect(grid.hit(at: Point(x: 29, y: 1)) == .index(1))
    grid.handle(MouseEvent(.press, at: Point(x: 20, y: 6)))
    #expect(grid.cursor == TablePath(section: 2, row: 2))
  }

  @Test func `the cursor stays on its object when the width changes`() {
    let grid = grid()
    grid.move(.row(10))
    for width in [80, 12, 30, 9, 200] {
      _ = grid.picture(width: width, height: 6)
      #expect(grid.cursorRow == 9)
      #expect(grid.hardwareCursor != nil)
    }
  }

  @Test func `a deleted cell is seen to go, and new ones are highlighted`() {
    let grid = grid()
    source.sections[0] = [0, 2, 3, 4, 90]
    grid.apply(
      TableBatch(
        deletedRows: [TablePath(section: 0, row: 1)],
        insertedRows: [TablePath(section: 0, row: 4)]))
    let theme = TestTerminal.color.look.theme
    let canvas = grid.picture()
    #expect(canvas[12, 1].style == theme.flashDeleted)
    #expect(canvas[12, 2].style == theme.flashInserted)
    grid.clock = { 10_000 }
    #expect(grid.picture()[12, 1].style == .plain)
  }

  @Test func `a swatch fills its cell, with text in black or white`() throws {
    final class Swatches: TableViewDataSource {
      let colors = ["#141C3A", "#FFE3A8", "#E8562A", "#7FC4C0", "#808080"]
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 5 }
      func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
        var cell = TableCell(fields: [.init("Colour \(path.row)"), .init(colors[path.row])])
        cell.swatch = Color(hex: colors[path.row])
        return cell
      }
    }
    let source = Swatches()
    let grid = GridView()
    grid.dataSource = source
    grid.rowHeight = 2
    grid.reloadData()
    grid.move(.right(1))
    for terminal in TestTerminal.allCases {
      try expectGolden(
        grid.picture(width: 60, height: 5, look: terminal.look), "swatches-60x5-\(terminal)")
    }
    for support in ColorSupport.allCases where support > .none {
      for color in source.colors {
        let style = Theme(support).swatch(try #require(Color(hex: color)))
        #expect(style.foreground != style.background)
      }
    }
    #expect(Theme(.none).swatch(.red) == .plain)
  }

  @Test func `a grid asks for visible cells only`() {
    let source = ListDataSource((0..<100).map { Array($0 * 100..<$0 * 100 + 100) })
    let grid = TableView.over(source, on: ViewKind.grid.view(), height: 10)
    source.requestedCells = []
    grid.move(.percent(50))
    _ = grid.picture()
    #expect(source.requestedCells.count <= 30)
  }
}
