import CNcurses

/// Splits a grapheme into what ncurses can put on single cells.
///
/// Terminals, libc and Unicode do not agree on the width of clusters. Columns must not drift, so a
/// cluster is reduced to characters whose width is beyond dispute: an emoji of several to its
/// first, a flag to its letters, what libc measures otherwise to a sign.
enum CellText {
  /// A spacing character with its marks, and the column it goes to.
  struct Piece: Hashable {
    let column: Int
    var text: [wchar_t]
  }

  /// More characters than this in a cell are refused by ncurses (CCHARW_MAX).
  private static let mostInCell = 5

  static func pieces(of character: Character, columns: Int, isUnicode: Bool) -> [Piece] {
    if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F {
      return [Piece(column: 0, text: [wchar_t(ascii)])]
    }
    let scalars = Array(character.unicodeScalars.lazy.filter { !meddles($0) })
    // A skin tone by itself would colour the emoji before it.
    let isTone = scalars.first?.properties.isEmojiModifier ?? false
    let result =
      isTone
      ? nil
      : flag(scalars) ?? emoji(scalars, columns: columns) ?? cluster(scalars, columns: columns)
    return padded(result ?? [Piece(column: 0, text: [isUnicode ? 0xFFFD : 0x3F])], to: columns)
  }

  /// Joiners make some terminals draw the next character into this cell, and selectors make them
  /// widen it.
  private static func meddles(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200D || (0xFE00...0xFE0F).contains(scalar.value)
  }

  /// A flag is spelled with two letters of its own, whose width nobody agrees on.
  private static func flag(_ scalars: [Unicode.Scalar]) -> [Piece]? {
    let letters = scalars.compactMap { scalar -> wchar_t? in
      let value = scalar.value
      return (0x1F1E6...0x1F1FF).contains(value) ? wchar_t(value - 0x1F1E6 + 0x41) : nil
    }
    guard !letters.isEmpty, letters.count == scalars.count else { return nil }
    return letters.enumerated().map { Piece(column: $0, text: [$1]) }
  }

  /// Letters with their marks, each letter on a cell of its own, if libc agrees on the width.
  private static func cluster(_ scalars: [Unicode.Scalar], columns: Int) -> [Piece]? {
    var result: [Piece] = []
    var column = 0
    for scalar in scalars {
      let width = Int(wcwidth(wchar_t(scalar.value)))
      if width < 0 { return nil }
      if width > 0 {
        result.append(Piece(column: column, text: [wchar_t(scalar.value)]))
        column += width
      } else if let last = result.indices.last {
        if result[last].text.count < mostInCell { result[last].text.append(wchar_t(scalar.value)) }
      } else {
        return nil
      }
    }
    return column == columns ? result : nil
  }

  /// The first of the emoji that make up one; without the selector that asks for a picture.
  private static func emoji(_ scalars: [Unicode.Scalar], columns: Int) -> [Piece]? {
    guard columns == 2, let first = scalars.first, first.properties.isEmoji
    else { return nil }
    guard (1...columns).contains(Int(wcwidth(wchar_t(first.value)))) else { return nil }
    return [Piece(column: 0, text: [wchar_t(first.value)])]
  }

  /// Blanks for the columns that nothing stands on, so that what was there before is gone.
  private static func padded(_ pieces: [Piece], to columns: Int) -> [Piece] {
    guard let last = pieces.last else { return pieces }
    let end = last.column + max(Int(wcwidth(last.text[0])), 1)
    return pieces + (end..<max(columns, end)).map { Piece(column: $0, text: [0x20]) }
  }
}
