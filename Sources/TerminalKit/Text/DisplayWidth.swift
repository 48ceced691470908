/// The columns that a grapheme takes on the screen.
///
/// - Parameter character: A grapheme as ``Signs/visible(_:columns:)`` lets it through.
/// - Returns: Mostly 1 or 2; 0 for what has no width of its own; more for a cluster of several
///   letters, such as some of Devanagari.
public func displayWidth(of character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  if scalars.index(after: scalars.startIndex) == scalars.endIndex { return first.columns }
  if first.properties.isEmoji {
    if first.isRegionalIndicator { return 2 }
    // Variation selector 16 asks for a picture, a joiner or a skin tone makes one.
    if first.properties.isEmojiPresentation || scalars.contains(where: { $0.value == 0xFE0F }) {
      return 2
    }
  }
  return scalars.reduce(0) { $0 + $1.columns }
}

/// The columns that a text takes on the screen.
///
/// - Parameter text: Text as ``Signs/visible(_:columns:)`` gives it; control characters count 0.
/// - Returns: The sum over its graphemes.
/// - Complexity: O(*n*) in the length of the text; quick for ASCII.
public func displayWidth(of text: some StringProtocol) -> Int {
  var isPlain = true
  for byte in text.utf8 where byte < 0x20 || byte > 0x7E {
    isPlain = false
    break
  }
  if isPlain { return text.utf8.count }
  return text.reduce(0) { $0 + displayWidth(of: $1) }
}

extension Unicode.Scalar {
  /// The columns of the scalar by itself.
  var columns: Int {
    switch value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF: return 1
    case 0..<0x300: return 0
    case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0  // Jamo that join the one before.
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

  /// Whether this is one of the letters that flags are spelled with.
  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// Whether this is a format character that has a glyph, such as the Arabic number sign.
  var isVisibleFormat: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Whether the scalar adds to the grapheme before it and takes no column.
  var isMark: Bool {
    if value < 0x300 { return false }
    let category = properties.generalCategory
    return category == .nonspacingMark || category == .enclosingMark
  }
}
