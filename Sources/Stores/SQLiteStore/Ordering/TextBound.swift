import ObjectModel

/// An upper bound of the texts among the first rows, with quick checks that exclude most texts
/// before they are folded.
///
/// It moves towards the start, so that a text that is excluded once is excluded for good. Without it
/// the first of 300,000 rows take 42 ms instead of 29, without ``ExcludedTexts`` 34, without the
/// initial 33.
struct TextBound: ~Copyable {
  private let isDescending: Bool
  /// Whether an ASCII letter is folded by itself, unless a combining mark may follow.
  private let foldsLetters: Bool
  /// The initial of the last row's folded text, if that is a letter of ASCII; else 0.
  private var lastInitial: UInt8 = 0
  private var excluded = ExcludedTexts()

  init(folding: TextFolding.Options?, isDescending: Bool) {
    self.isDescending = isDescending
    foldsLetters = folding.map { $0.contains(.case) && !$0.contains(.numeric) } ?? false
  }

  /// Moves the bound.
  ///
  /// - Parameter initial: The first byte of the last row's folded text; nil if that is empty or the
  ///   row has another value.
  mutating func move(to initial: UInt8?) {
    lastInitial = initial.flatMap { $0 &- 97 < 26 ? $0 : nil } ?? 0
  }

  /// Notes a text that comes after the bound.
  mutating func exclude(_ text: UnsafeBufferPointer<UInt8>) { excluded.insert(text) }

  /// Whether a text is known to come after the bound.
  @inline(__always)
  func excludes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    isInitialAfterLast(text) || excluded.contains(text)
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
}

/// Remembers some short texts that are excluded for good, so that they are not folded again.
///
/// A column has far fewer texts than rows. Each text has one slot, where another text replaces it.
struct ExcludedTexts {
  /// The bytes of a text of up to 15 bytes, and their number plus one: 0 is no text.
  private typealias Key = SIMD2<UInt64>

  private static let count = 512
  private var keys = Array(repeating: Key(), count: count)

  /// Whether a text is known to be excluded.
  func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let key = Self.key(text) else { return false }
    return keys[Self.slot(key)] == key
  }

  /// Remembers an excluded text, unless it is long.
  mutating func insert(_ text: UnsafeBufferPointer<UInt8>) {
    guard let key = Self.key(text) else { return }
    keys[Self.slot(key)] = key
  }

  private static func key(_ text: UnsafeBufferPointer<UInt8>) -> Key? {
    guard text.count < 16, let start = UnsafeRawPointer(text.baseAddress) else { return nil }
    let length = UInt64(text.count + 1) << 56
    if text.count < 4 { return Key(text.reduce(0) { $0 << 8 | UInt64($1) }, length) }
    if text.count < 8 {
      // Some bytes are among the first four and among the last four.
      let first = UInt64(start.loadUnaligned(as: UInt32.self))
      let last = start.loadUnaligned(fromByteOffset: text.count - 4, as: UInt32.self)
      return Key(first << 32 | UInt64(last), length)
    }
    // The last eight bytes, without those that are among the first eight.
    let rest = start.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self).littleEndian
    return Key(start.loadUnaligned(as: UInt64.self), rest >> (8 * (16 - text.count)) | length)
  }

  private static func slot(_ key: Key) -> Int {
    let mixed = (key.x ^ key.y &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 32) & (count - 1)
  }
}
