import TestSupport
import Testing

@testable import TerminalKit

@Suite struct LineScrollTests {
  private func list(_ count: Int, height: Int = 10) -> LineScroll {
    var scroll = LineScroll()
    scroll.setRows(count)
    scroll.setHeight(height)
    return scroll
  }

  @Test func `a page scrolls with its cursor and shows the lines below the last item`() {
    var page = LineScroll()
    page.setItems([1..<2, 3..<6, 8..<9], lineCount: 12)
    page.setHeight(4)
    #expect((page.cursor, page.top) == (0, 0))
    page.move(.down(1))
    #expect((page.cursor, page.top) == (1, 2))
    page.move(.down(5))
    #expect((page.cursor, page.top) == (2, 8))
    page.move(.first)
    #expect((page.cursor, page.top) == (0, 0))
    page.setItems([], lineCount: 0)
    page.move(.up(.max))
    #expect(page.cursor == 0)
  }

  @Test(arguments: [
    ([TableMotion.down(1)], 1, 0), ([.down(.max)], 47, 38), ([.last, .up(.max)], 0, 0),
    ([.pageDown(1)], 9, 9), ([.pageDown(2)], 18, 18), ([.halfPageDown(1)], 4, 4),
    ([.last, .pageUp(1)], 38, 29), ([.row(42)], 41, 32), ([.row(0)], 0, 0), ([.row(.max)], 47, 38),
    ([.percent(50)], 23, 14), ([.percent(100)], 47, 38), ([.percent(-3)], 0, 0),
    ([.down(-4)], 0, 0),
    ([.pageDown(.max), .pageUp(.max)], 0, 0), ([.nextSection(1)], 0, 0),
  ])
  func `motions move the cursor as they do in a table`(
    motions: [TableMotion], cursor: Int, top: Int
  ) {
    var scroll = list(48)
    for motion in motions { scroll.move(motion) }
    #expect((scroll.cursor, scroll.top) == (cursor, top))
  }

  @Test(arguments: [
    ([TableMotion.down(3)], 3), ([.down(3), .up(1)], 2), ([.last], 38), ([.row(20)], 19),
    ([.percent(50)], 23), ([.pageDown(1), .halfPageUp(1)], 5), ([.last, .first], 0),
  ])
  func `a page without items scrolls by lines`(motions: [TableMotion], top: Int) {
    var scroll = LineScroll()
    scroll.setLines(48)
    scroll.setHeight(10)
    for motion in motions { scroll.move(motion) }
    #expect(scroll.top == top)
    #expect(scroll.visibleLines == top..<top + 10)
  }

  @Test func `the wheel scrolls, and takes the cursor along only at the edges`() {
    var scroll = list(48)
    scroll.move(.down(5))
    scroll.scroll(by: 3)
    #expect((scroll.cursor, scroll.top) == (5, 3))
    scroll.scroll(by: 20)
    #expect((scroll.cursor, scroll.top) == (23, 23))
    scroll.scroll(by: -20)
    #expect((scroll.cursor, scroll.top) == (12, 3))
    scroll.handle(MouseEvent(.press, at: Point(x: 0, y: 4)), pageTop: 2)
    #expect(scroll.cursor == 5)
  }

  @Test(arguments: 0..<60)
  func `the cursor's item stays visible for random pages, motions and sizes`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var scroll = LineScroll()
    for _ in 0..<60 {
      var items: [Range<Int>] = []
      var line = 0
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        line += Int.random(in: 0...2, using: &generator)
        let end = line + Int.random(in: 1...3, using: &generator)
        items.append(line..<end)
        line = end
      }
      let lines = line + Int.random(in: 0...4, using: &generator)
      scroll.setItems(items, lineCount: lines)
      scroll.setHeight(Int.random(in: 3...9, using: &generator))
      let count = Int.random(in: 0...5, using: &generator)
      let motions: [TableMotion] = [
        .down(count), .up(count), .pageDown(count), .pageUp(count), .halfPageDown(count),
        .halfPageUp(count), .first, .last, .row(count), .percent(count * 20),
      ]
      if let motion = motions.randomElement(using: &generator) { scroll.move(motion) }
      #expect(scroll.top >= 0 && scroll.top <= max(lines - scroll.height, 0))
      #expect(items.isEmpty || items.indices.contains(scroll.cursor))
      scroll.scroll(by: count - 2)
      guard items.indices.contains(scroll.cursor) else { continue }
      // Lines without items can fill a page.
      let isAnyVisible = items.contains { $0.overlaps(scroll.visibleLines) }
      #expect(!isAnyVisible || items[scroll.cursor].overlaps(scroll.visibleLines), "\(scroll)")
    }
  }
}
