/// Operations on ASCII bytes, eight at a time where that is faster.
package enum ASCII {
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The number of ASCII bytes at the start.
  static func prefixCount(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int {
    guard let base = utf8.baseAddress else { return 0 }
    var index = start
    while index + 8 <= utf8.count {
      let high = highBits(base + index)
      if high != 0 { return index + (high.trailingZeroBitCount >> 3) - start }
      index += 8
    }
    let left = utf8.count - index
    if left > 0, utf8.count >= 8 {
      // Of the last eight bytes those that were not looked at.
      let high = highBits(base + (utf8.count - 8)) >> (8 * (8 - left))
      return index + (high == 0 ? left : high.trailingZeroBitCount >> 3) - start
    }
    while index < utf8.count, base[index] < 0x80 { index += 1 }
    return index - start
  }

  /// The high bits of eight bytes, the first byte's lowest.
  @inline(__always)
  private static func highBits(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self).littleEndian & highBits
  }

  /// Whether all bytes are ASCII.
  package static func isAll(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    prefixCount(utf8) == utf8.count
  }

  /// The byte of the lower-case letter; every other byte as it is.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// Whether bytes, in lower case if `foldsCase`, equal others.
  @inline(__always)
  static func equals(
    _ bytes: UnsafePointer<UInt8>, _ folded: UnsafeBufferPointer<UInt8>, foldsCase: Bool
  ) -> Bool {
    for index in 0..<folded.count {
      let byte = foldsCase ? lowercased(bytes[index]) : bytes[index]
      if byte != folded[index] { return false }
    }
    return true
  }

  /// Writes ASCII bytes in lower case.
  static func lowercase(
    _ source: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>
  ) {
    var index = 0
    while index + 8 <= count {
      let word = UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
      // The high bit of each byte from `A` to `Z`; shifted, it is the bit of lower case.
      let atLeastA = word &+ 0x3F3F_3F3F_3F3F_3F3F
      let pastZ = word &+ 0x2525_2525_2525_2525
      let isUpper = (atLeastA & ~pastZ) & highBits
      UnsafeMutableRawPointer(target + index).storeBytes(of: word | isUpper >> 2, as: UInt64.self)
      index += 8
    }
    while index < count {
      target[index] = lowercased(source[index])
      index += 1
    }
  }
}

/// Decodes UTF-8 that can be invalid.
enum UTF8Reader {
  /// The code point encoded as two bytes at an index; nil if the bytes there encode no such one.
  @inline(__always)
  static func twoByteCode(in utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    let byte = utf8[index]
    guard byte >= 0xC2, byte < 0xE0, index + 1 < utf8.count, utf8[index + 1] & 0xC0 == 0x80 else {
      return nil
    }
    return (Int(byte) & 0x1F) << 6 | Int(utf8[index + 1]) & 0x3F
  }

  /// The code point at an index and its length in bytes; U+FFFD and one byte if it is invalid.
  @inline(__always)
  static func scalar(
    in utf8: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (scalar: UnicodeScalar, length: Int) {
    let first = UInt32(utf8[index])
    let left = utf8.count - index
    if first < 0x80 { return (UnicodeScalar(UInt8(truncatingIfNeeded: first)), 1) }
    var code: UInt32
    let length: Int
    if first >= 0xC2, first < 0xE0, left >= 2 {
      (code, length) = (first & 0x1F, 2)
    } else if first >= 0xE0, first < 0xF0, left >= 3 {
      (code, length) = (first & 0x0F, 3)
    } else if first >= 0xF0, first < 0xF5, left >= 4 {
      (code, length) = (first & 0x07, 4)
    } else {
      return ("\u{FFFD}", 1)
    }
    for offset in 1..<length {
      let next = UInt32(utf8[index + offset])
      guard next & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
      code = code << 6 | next & 0x3F
    }
    let isShortest = length == 2 || code >= (length == 3 ? 0x800 : 0x10000)
    guard isShortest, let scalar = UnicodeScalar(code) else { return ("\u{FFFD}", 1) }
    return (scalar, length)
  }
}
