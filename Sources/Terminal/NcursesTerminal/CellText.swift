import CNcurses

/// Splits a grapheme into characters for single ncurses cells.
///
/// Terminals, libc and Unicode disagree on the width of some clusters, which would shift the
/// columns after them. Such clusters are reduced to characters of undisputed width: an emoji
/// sequence to its first emoji, a flag to its two letters, others to a replacement character.
enum CellText {
  /// A spacing character with its combining marks.
  struct Piece: Hashable {
    /// The cell it goes to, counted from the grapheme's first column.
    let column: Int
    var text: [wchar_t]
  }

  /// The most characters that ncurses accepts in one cell (CCHARW_MAX).
  private static let mostInCell = 5

  /// Returns the pieces of a grapheme, with blanks for the columns they leave free.
  static func pieces(of character: Character, columns: Int, isUnicode: Bool) -> [Piece] {
    if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F {
      return [Piece(column: 0, text: [wchar_t(ascii)])]
    }
    let scalars = Array(character.unicodeScalars.lazy.filter { !affectsWidth($0) })
    // Some terminals apply a skin tone by itself to the emoji in the previous cell.
    let isTone = scalars.first?.properties.isEmojiModifier ?? false
    let result =
      isTone
      ? nil
      : flag(scalars) ?? emoji(scalars, columns: columns) ?? cluster(scalars, columns: columns)
    return padded(result ?? [Piece(column: 0, text: [isUnicode ? 0xFFFD : 0x3F])], to: columns)
  }

  /// Whether a scalar is a joiner, which can merge the next cell's character into this one, or a
  /// variation selector, which can change the width.
  private static func affectsWidth(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200D || (0xFE00...0xFE0F).contains(scalar.value)
  }

  /// Returns a flag as the ASCII letters of its regional indicators; nil if it is not a flag.
  private static func flag(_ scalars: [Unicode.Scalar]) -> [Piece]? {
    let letters = scalars.compactMap { scalar -> wchar_t? in
      let value = scalar.value
      return (0x1F1E6...0x1F1FF).contains(value) ? wchar_t(value - 0x1F1E6 + 0x41) : nil
    }
    guard !letters.isEmpty, letters.count == scalars.count else { return nil }
    return letters.enumerated().map { Piece(column: $0, text: [$1]) }
  }

  /// Returns each letter with its marks in its own cells; nil if libc's `wcwidth` gives the cluster
  /// another width than `columns`.
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

  /// Returns the first emoji of a sequence; nil if the cluster is not a two-column emoji.
  private static func emoji(_ scalars: [Unicode.Scalar], columns: Int) -> [Piece]? {
    guard columns == 2, let first = scalars.first, first.properties.isEmoji
    else { return nil }
    guard (1...columns).contains(Int(wcwidth(wchar_t(first.value)))) else { return nil }
    return [Piece(column: 0, text: [wchar_t(first.value)])]
  }

  /// Appends spaces for the unused columns, which erase what was there before.
  private static func padded(_ pieces: [Piece], to columns: Int) -> [Piece] {
    guard let last = pieces.last else { return pieces }
    let end = last.column + max(Int(wcwidth(last.text[0])), 1)
    return pieces + (end..<max(columns, end)).map { Piece(column: $0, text: [0x20]) }
  }
}
