import ObjectModel
package import TerminalKit

/// A text wrapped to the width of the screen; only the part seen is laid out.
package struct TextPager {
  /// A row of the screen: a part of the characters of a piece of the text.
  private struct Row {
    let characters: ArraySlice<Character>
  }

  /// The row at the top: a piece of the text and a row of it.
  private struct Place: Hashable {
    var piece = 0
    var row = 0
  }

  private let text: PagerText
  private let signs: Signs
  private var top = Place()
  private var width = 80
  private var height = 24
  /// The piece of the last match, from which `n` goes on; nil after a motion.
  private var matched: Int?
  /// The rows of pieces looked at, for this width.
  private var cache: [Int: [Row]] = [:]

  private static let tabWidth = 8
  private static let mostCached = 400

  /// Makes a pager of a text.
  package init(_ text: String, signs: Signs) {
    self.text = PagerText(text)
    self.signs = signs
  }

  // MARK: Layout

  private mutating func rows(_ piece: Int) -> [Row] {
    if let known = cache[piece] { return known }
    if cache.count > Self.mostCached { cache.removeAll() }
    let rows = layOut(piece)
    cache[piece] = rows
    return rows
  }

  /// Breaks a piece into rows, after a space where there is one in the second half of the row.
  private func layOut(_ piece: Int) -> [Row] {
    let characters = expanded(text[piece])
    var rows: [Row] = []
    var start = 0
    var used = 0
    var gap: Int?
    for (index, character) in characters.enumerated() {
      let columns = self.columns(of: character)
      if used + columns > width, index > start {
        var end = index
        if let gap, gap - start > width / 2 { end = gap }
        rows.append(Row(characters: characters[start..<end]))
        start = end
        gap = nil
        used = characters[start..<index].reduce(0) { $0 + self.columns(of: $1) }
      }
      used += columns
      if character == " " { gap = index + 1 }
    }
    rows.append(Row(characters: characters[start...]))
    return rows
  }

  private func columns(of character: Character) -> Int {
    character.isASCII && (character.asciiValue ?? 0) >= 0x20 && character != "\u{7F}"
      ? 1 : displayWidth(of: signs.visible(String(character)))
  }

  /// The characters of a text with tabs as spaces.
  private func expanded(_ text: String) -> [Character] {
    guard text.utf8.contains(0x09) else { return Array(text) }
    var result: [Character] = []
    for character in text {
      guard character == "\t" else {
        result.append(character)
        continue
      }
      let count = Self.tabWidth - result.count % Self.tabWidth
      result += Array(repeating: " ", count: count)
    }
    return result
  }

  // MARK: Moving

  /// Moves as the cursor of a table does; `row` is a line of the text.
  package mutating func move(_ motion: TableMotion) {
    matched = nil
    let page = max(height - 1, 1)
    let halfPage = max(height / 2, 1)
    switch motion {
    case .down(let count): scroll(by: most(count))
    case .up(let count): scroll(by: -most(count))
    case .halfPageDown(let count): scroll(by: most(count) * halfPage)
    case .halfPageUp(let count): scroll(by: -most(count) * halfPage)
    case .pageDown(let count): scroll(by: most(count) * page)
    case .pageUp(let count): scroll(by: -most(count) * page)
    case .first: go(to: 0)
    case .last: go(to: text.count)
    case .row(let line): go(to: text.piece(ofLine: line))
    case .percent(let percent): go(to: text.count * min(percent, 100) / 100)
    default: break
    }
  }

  private func most(_ count: Int) -> Int { min(count, 1_000_000_000) }

  /// Shows a piece at the top; for a piece beyond the last, the last page.
  private mutating func go(to piece: Int) {
    let shown = min(max(piece, 0), text.count - 1)
    // The last piece of a long line has more rows than a page.
    top = Place(piece: shown, row: piece < text.count ? 0 : rows(shown).count - 1)
    keepPageFull()
  }

  /// Scrolls by rows; a long way by pieces, so that nothing between is laid out.
  private mutating func scroll(by rows: Int) {
    let most = 4 * height + 100
    if abs(rows) > most { return go(to: top.piece + rows) }
    if rows < 0 { back(by: -rows) } else { forward(by: rows) }
    keepPageFull()
  }

  private mutating func forward(by rows: Int) {
    for _ in 0..<rows {
      if top.row + 1 < self.rows(top.piece).count {
        top.row += 1
      } else if top.piece + 1 < text.count {
        top = Place(piece: top.piece + 1, row: 0)
      } else {
        return
      }
    }
  }

  private mutating func back(by rows: Int) {
    for _ in 0..<rows {
      if top.row > 0 {
        top.row -= 1
      } else if top.piece > 0 {
        top.piece -= 1
        top.row = self.rows(top.piece).count - 1
      } else {
        return
      }
    }
  }

  /// Moves back until the page is full, or the text begins at its top.
  private mutating func keepPageFull() {
    var missing = height - rows(top.piece).count + top.row
    var piece = top.piece + 1
    while missing > 0, piece < text.count {
      missing -= rows(piece).count
      piece += 1
    }
    if missing > 0 { back(by: missing) }
  }

  // MARK: Finding

  /// Moves to the next line that contains a pattern, around the ends of the text.
  ///
  /// - Returns: Whether there is any; the line at the top counts only if it `includesCurrent`.
  package mutating func find(_ pattern: TextPattern, isForward: Bool, includesCurrent: Bool) -> Bool
  {
    let current = matched ?? top.piece
    let isFirst = matched == nil && top == Place()
    let step = includesCurrent || isFirst ? 0 : isForward ? 1 : -1
    let start = (current + step + text.count) % text.count
    guard let piece = text.find(pattern, from: start, isForward: isForward) else { return false }
    let rows = rows(piece)
    let characters = rows.flatMap(\.characters)
    let match = pattern.ranges(in: characters).first?.lowerBound ?? 0
    top = Place(
      piece: piece, row: rows.firstIndex { $0.characters.endIndex > match } ?? 0)
    keepPageFull()
    matched = piece
    return true
  }

  // MARK: Drawing

  /// Draws the lines from the top one on, and remembers the size for motions.
  ///
  /// - Returns: The position of the hardware cursor in the viewport.
  package mutating func draw(
    in canvas: inout Canvas, highlighting pattern: TextPattern?
  ) -> Point {
    let width = max(canvas.width - 2, 1)
    if width != self.width {
      // The first character stays at the top.
      let first = rows(top.piece)[min(top.row, rows(top.piece).count - 1)].characters.startIndex
      self.width = width
      cache.removeAll()
      top.row = rows(top.piece).lastIndex { $0.characters.startIndex <= first } ?? 0
    }
    height = max(canvas.height, 1)
    keepPageFull()
    var y = 0
    var piece = top.piece
    while y < height, piece < text.count {
      let rows = rows(piece)
      let matches = pattern.map { $0.ranges(in: rows.flatMap(\.characters)) } ?? []
      for row in rows.dropFirst(piece == top.piece ? top.row : 0).prefix(height - y) {
        canvas.put(String(row.characters), x: 1, y: y, limit: width)
        highlight(matches, in: row, y: y, in: &canvas)
        y += 1
      }
      piece += 1
    }
    return Point(x: 0, y: 0)
  }

  private func highlight(
    _ matches: [Range<Int>], in row: Row, y: Int, in canvas: inout Canvas
  ) {
    for match in matches where match.overlaps(row.characters.indices) {
      let part = match.clamped(to: row.characters.indices)
      func column(_ index: Int) -> Int {
        row.characters[..<index].reduce(0) { $0 + columns(of: $1) }
      }
      let start = column(part.lowerBound)
      canvas.overlay(
        Rect(x: 1 + start, y: y, width: column(part.upperBound) - start, height: 1),
        style: canvas.theme.match)
    }
  }

  /// The line at the top, as `line 12/1,000  3%`.
  package var position: String {
    let line = text.lineNumber(of: top.piece)
    let percent = text.count <= 1 ? 100 : top.piece * 100 / (text.count - 1)
    return "line \(groupedDigits(line))/\(groupedDigits(text.lineCount))  \(percent)%"
  }
}
