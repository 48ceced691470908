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
}

/// Formats a number with a comma between groups of three digits: `1,000,000`.
package func groupedDigits(_ number: Int) -> String {
  var result = ""
  let digits = String(number.magnitude)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return number < 0 ? "-" + result : result
}

/// A number with the noun for it: `1 byte`, `1,024 bytes`.
///
/// - Parameters:
///   - count: The number.
///   - noun: The noun for one.
///   - plural: The noun for several; nil for one that ends in `s`.
/// - Returns: The number and the noun.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(groupedDigits(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// The scalars whose East Asian Width is Wide or Fullwidth in Unicode 16, except emoji.
///
/// Emoji are looked up in the standard library, which also knows newer ones. Unassigned gaps inside
/// a block of wide characters are included.
enum WideScalars {
  private static let ranges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x2E99,
    0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x2FF0...0x303E, 0x3041...0x3096, 0x3099...0x30FF,
    0x3105...0x312F, 0x3131...0x318E, 0x3190...0x31E5, 0x31EF...0x321E, 0x3220...0x3247,
    0x3250...0xA48C, 0xA490...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE52, 0xFE54...0xFE66, 0xFE68...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x16FE4, 0x16FF0...0x16FF6, 0x17000...0x187FF, 0x18800...0x18CD5,
    0x18CFF...0x18D1E, 0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB, 0x1AFFD...0x1AFFE,
    0x1B000...0x1B122, 0x1B132...0x1B132, 0x1B150...0x1B152, 0x1B155...0x1B155,
    0x1B164...0x1B167, 0x1B170...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376,
    0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251,
    0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// Returns whether a scalar is in the table.
  static func contains(_ value: UInt32) -> Bool {
    let index = partitioningIndex(of: ranges.count) { ranges[$0].upperBound < value }
    return index < ranges.count && ranges[index].contains(value)
  }
}
