import ObjectModel

/// An upper bound of the texts among the first rows, with quick checks that exclude most texts.
///
/// It moves towards the start, so that a text that is excluded once is excluded for good.
struct TextBound: ~Copyable {
  private let isDescending: Bool
  /// Whether an ASCII letter is folded by itself, unless a combining mark may follow.
  private let foldsLetters: Bool
  /// The folded text of the last row up to its first zero, or that at its end; empty for another
  /// value.
  private var last = GrowingBuffer<UInt8>(capacity: 64)
  /// Its initial, if that is a letter of ASCII; else 0.
  private var lastInitial: UInt8 = 0
  private var excluded = ExcludedTexts()

  init(folding: TextFolding.Options?, isDescending: Bool) {
    self.isDescending = isDescending
    foldsLetters = folding.map { $0.contains(.case) && !$0.contains(.numeric) } ?? false
  }

  /// Moves the bound.
  ///
  /// - Parameters:
  ///   - bytes: Bytes that begin with the folded text of the last row and a zero.
  ///   - mask: The bits in which they differ from it.
  ///   - isText: Whether the last row has a text.
  mutating func move(to bytes: UnsafeBufferPointer<UInt8>, mask: UInt8, isText: Bool) {
    last.removeAll()
    if isText {
      for byte in bytes {
        last.append(byte ^ mask)
        if byte == mask { break }
      }
    }
    lastInitial = last.count > 0 && last[0] &- 97 < 26 ? last[0] : 0
  }

  /// Notes a text that comes after the bound.
  mutating func exclude(_ text: UnsafeBufferPointer<UInt8>) { excluded.insert(text) }

  /// Whether a text is known to come after the bound.
  @inline(__always)
  func excludes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    isInitialAfterLast(text) || excluded.contains(text) || isAfterLast(text)
  }

  /// Whether the initial of a text alone shows that it comes after the last one, as it does for
  /// most texts.
  private func isInitialAfterLast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard lastInitial != 0, let first = text.first, foldsLetters,
      text.count == 1 || text[1] < 0x80
    else { return false }
    let letter = first | 0x20
    return letter &- 97 < 26 && letter != lastInitial && (letter > lastInitial) != isDescending
  }

  /// Whether the first ASCII letters of a text show that it comes after the last one.
  private func isAfterLast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard foldsLetters else { return false }
    for index in 0..<min(text.count, last.count) {
      let letter = text[index] | 0x20
      guard letter &- 97 < 26, index + 1 == text.count || text[index + 1] < 0x80 else {
        return false
      }
      if letter != last[index] { return (letter > last[index]) != isDescending }
    }
    return false
  }
}
