extension Canvas {
  /// Writes text that is safe already and returns the columns that were used.
  mutating func write(_ text: String, x: Int, y: Int, style: Style, room: Int) -> Int {
    if x >= 0, text.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E }) {
      let columns = min(text.utf8.count, room)
      openRun(x: x, y: y, columns: columns)
      let start = (part.minY + y) * bounds.width + part.minX + x
      for (place, byte) in text.utf8.prefix(columns).enumerated() {
        let character = asciiCharacters[Int(byte) - 0x20]
        cells[start + place] = CanvasCell(character: character, style: style)
      }
      return columns
    }
    var used = 0
    for character in text {
      let columns = displayWidth(of: character)
      if columns == 0 { continue }
      if used + columns > room {
        // Half of a wide grapheme cannot be shown; its place stays empty.
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

  /// Frees columns of a line from wide graphemes that reach in from outside of them.
  ///
  /// The columns must be inside of the part.
  mutating func openRun(x: Int, y: Int, columns: Int) {
    guard columns > 0 else { return }
    let left = part.minX + x
    let line = (part.minY + y) * bounds.width
    for edge in [left, left + columns] where edge < bounds.width {
      if cells[line + edge].character == nil { blankGrapheme(around: edge, line: line) }
    }
  }

  /// Sets a grapheme at a place of the part, unless it would reach out of it.
  ///
  /// What remains of a wide grapheme that is overwritten in part becomes blank.
  mutating func set(_ character: Character, columns: Int, x: Int, y: Int, style: Style) {
    guard y >= 0, y < height else { return }
    guard x >= 0, x + columns <= width else {
      // The part of a wide grapheme that is inside shows as blanks.
      if columns > 1 {
        for column in max(x, 0)..<max(min(x + columns, width), max(x, 0)) {
          set(" ", columns: 1, x: column, y: y, style: style)
        }
      }
      return
    }
    openRun(x: x, y: y, columns: columns)
    let start = (part.minY + y) * bounds.width + part.minX + x
    cells[start] = CanvasCell(character: character, style: style)
    for place in 1..<max(columns, 1) {
      cells[start + place] = CanvasCell(character: nil, style: style)
    }
  }

  /// Replaces the wide grapheme that covers a column by blanks in its own style.
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

/// The printable characters of ASCII, made once: most of every screen.
private let asciiCharacters: [Character] = (0x20...0x7E).map { Character(Unicode.Scalar($0)) }
