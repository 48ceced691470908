/// Returns the number of columns that a grapheme takes on the screen.
///
/// - Parameter character: A grapheme of text returned by `Signs.visible(_:columns:)`.
/// - Returns: Usually 1 or 2; 0 for a grapheme of combining marks only; more than 2 for some
///   clusters of several letters, for example in Devanagari.
package func displayWidth(of character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  if scalars.index(after: scalars.startIndex) == scalars.endIndex { return first.columns }
  if first.properties.isEmoji {
    if first.isRegionalIndicator { return 2 }
    // An emoji is two columns wide by default, or if variation selector 16 asks for emoji style.
    if first.properties.isEmojiPresentation || scalars.contains(where: { $0.value == 0xFE0F }) {
      return 2
    }
  }
  return scalars.reduce(0) { $0 + $1.columns }
}

/// Returns the number of columns that text takes on the screen.
///
/// - Parameter text: Text returned by `Signs.visible(_:columns:)`; control characters count 0.
/// - Returns: The sum of the widths of its graphemes; 0 for empty text.
/// - Complexity: O(*n*) in the length of the text; fast for printable ASCII.
package func displayWidth(of text: String) -> Int {
  let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  if isPlain { return text.utf8.count }
  return text.reduce(0) { $0 + displayWidth(of: $1) }
}

extension Unicode.Scalar {
  /// The width of the scalar by itself, in columns.
  var columns: Int {
    switch value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF: return 1
    case 0..<0x300: return 0
    case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0  // Jamo that combine with the preceding one.
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: return 2
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return isVisibleFormat ? 1 : 0
    case .lineSeparator, .paragraphSeparator, .control, .surrogate: return 0
    default: break
    }
    if isRegionalIndicator { return 1 }
    return properties.isEmojiPresentation || WideScalars.contains(value) ? 2 : 1
  }

  /// Whether this is a regional indicator; two of them form a flag.
  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// Whether this is a format character (Cf) with a visible glyph, such as the Arabic number sign.
  var isVisibleFormat: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Whether this is a combining mark that takes no column of its own.
  var isMark: Bool {
    if value < 0x300 { return false }
    let category = properties.generalCategory
    return category == .nonspacingMark || category == .enclosingMark
  }
}
