extension Canvas {
  /// Writes text that `Signs.visible(_:columns:)` has already made safe, to `room` columns at
  /// most, and returns the number of columns written.
  mutating func write(_ text: String, x: Int, y: Int, style: Style, room: Int) -> Int {
    if x >= 0, text.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E }) {
      let columns = min(text.utf8.count, room)
      openRun(x: x, y: y, columns: columns)
      let start = (viewport.minY + y) * bounds.width + viewport.minX + x
      for (offset, byte) in text.utf8.prefix(columns).enumerated() {
        let character = asciiCharacters[Int(byte) - 0x20]
        cells[start + offset] = CanvasCell(character: character, style: style)
      }
      return columns
    }
    var used = 0
    for character in text {
      let columns = displayWidth(of: character)
      if columns == 0 { continue }
      if used + columns > room {
        // Half of a wide grapheme cannot be drawn: fill the remaining columns with spaces.
        while used < room {
          set(" ", columns: 1, x: x + used, y: y, style: style)
          used += 1
        }
        break
      }
      set(character, columns: columns, x: x + used, y: y, style: style)
      used += columns
    }
    return used
  }

  /// Blanks the wide graphemes that overlap the edges of a run of columns about to be overwritten.
  ///
  /// The run must be inside the viewport.
  mutating func openRun(x: Int, y: Int, columns: Int) {
    guard columns > 0 else { return }
    let left = viewport.minX + x
    let line = (viewport.minY + y) * bounds.width
    for edge in [left, left + columns] where edge < bounds.width {
      if cells[line + edge].character == nil { blankGrapheme(around: edge, line: line) }
    }
  }

  /// Sets one grapheme at a position in the viewport.
  ///
  /// A wide grapheme that crosses the viewport's edge is drawn as blanks in the columns inside.
  /// The remaining half of a wide grapheme that is partly overwritten becomes blank.
  mutating func set(_ character: Character, columns: Int, x: Int, y: Int, style: Style) {
    guard y >= 0, y < height else { return }
    guard x >= 0, x + columns <= width else {
      if columns > 1 {
        for column in max(x, 0)..<max(min(x + columns, width), max(x, 0)) {
          set(" ", columns: 1, x: column, y: y, style: style)
        }
      }
      return
    }
    openRun(x: x, y: y, columns: columns)
    let start = (viewport.minY + y) * bounds.width + viewport.minX + x
    cells[start] = CanvasCell(character: character, style: style)
    for offset in 1..<max(columns, 1) {
      cells[start + offset] = CanvasCell(character: nil, style: style)
    }
  }

  /// Replaces the wide grapheme that covers a column with blanks, keeping its style.
  private mutating func blankGrapheme(around column: Int, line: Int) {
    var start = column
    while start > 0, cells[line + start].character == nil { start -= 1 }
    cells[line + start].character = " "
    var next = start + 1
    while next < bounds.width, cells[line + next].character == nil {
      cells[line + next].character = " "
      next += 1
    }
  }
}

/// The printable ASCII characters, created once because they make up most of every screen.
private let asciiCharacters: [Character] = (0x20...0x7E).map { Character(Unicode.Scalar($0)) }
