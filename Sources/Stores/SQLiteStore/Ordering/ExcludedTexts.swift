/// Remembers some short texts that are excluded for good, so that they are not folded again.
///
/// A column has far fewer texts than rows. Each text has one place, where another text replaces it.
struct ExcludedTexts {
  /// The bytes of a text of up to 15 bytes, and their number plus one: 0 is no text.
  private typealias Key = SIMD2<UInt64>

  private static let count = 512
  private var keys = Array(repeating: Key(), count: count)

  /// Whether a text is known to be excluded.
  func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let key = Self.key(text) else { return false }
    return keys[Self.place(key)] == key
  }

  /// Remembers an excluded text, unless it is long.
  mutating func insert(_ text: UnsafeBufferPointer<UInt8>) {
    guard let key = Self.key(text) else { return }
    keys[Self.place(key)] = key
  }

  private static func key(_ text: UnsafeBufferPointer<UInt8>) -> Key? {
    guard text.count < 16, let start = UnsafeRawPointer(text.baseAddress) else { return nil }
    let length = UInt64(text.count + 1) << 56
    if text.count < 8 { return Key(text.reduce(0) { $0 << 8 | UInt64($1) }, length) }
    // The last eight bytes, without those that are among the first eight.
    let rest = start.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self).littleEndian
    return Key(start.loadUnaligned(as: UInt64.self), rest >> (8 * (16 - text.count)) | length)
  }

  private static func place(_ key: Key) -> Int {
    let mixed = (key.x ^ key.y &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 32) & (count - 1)
  }
}
