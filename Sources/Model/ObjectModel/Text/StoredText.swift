import Foundation

/// Text of a database, which need not be UTF-8, as a string without loss.
///
/// A byte that belongs to no character is kept as U+10FF00 plus the byte, a private character that
/// no font shows. A stored character in that range is kept as its four bytes, so that the bytes of
/// every string are known again: see `String.withBytes`.
@usableFromInline
enum StoredText {
  /// The characters that stand for bytes.
  private static let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // The initializer that validates is generic code, and several times as slow.
    if ASCII.isAll(bytes) || !hasEscapes(bytes) && bytes.isUTF8 {
      return String(decoding: bytes, as: UTF8.self)
    }
    var scalars = String.UnicodeScalarView()
    var index = 0
    while index < bytes.count {
      let (scalar, length) = UTF8Reader.scalar(in: bytes, at: index)
      if scalar == "\u{FFFD}" && length == 1 || escapes.contains(scalar.value) {
        for byte in bytes[index..<(index + length)] {
          Unicode.Scalar(0x10FF00 + UInt32(byte)).map { scalars.append($0) }
        }
      } else {
        scalars.append(scalar)
      }
      index += length
    }
    return String(scalars)
  }

  /// The bytes that a string with escapes stands for.
  @usableFromInline
  static func encode(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var index = 0
    while index < utf8.count {
      if isEscape(utf8, at: index) {
        bytes.append((utf8[index + 2] & 1) << 6 | utf8[index + 3] & 0x3F | 0x80)
        index += 4
      } else {
        bytes.append(utf8[index])
        index += 1
      }
    }
    return bytes
  }

  /// Whether characters of UTF-8 text stand for bytes.
  @usableFromInline
  static func hasEscapes(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    possibleEscapes(utf8).contains { isEscape(utf8, at: $0) }
  }

  /// How many characters of UTF-8 text stand for bytes.
  static func escapeCount(_ utf8: UnsafeBufferPointer<UInt8>) -> Int {
    possibleEscapes(utf8).count { isEscape(utf8, at: $0) }
  }

  /// The indexes from the first one on where an escape may be: its first byte is that of a code
  /// point beyond U+FFFFF, which is rare.
  private static func possibleEscapes(_ utf8: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard let start = utf8.baseAddress, let first = memchr(start, 0xF4, utf8.count) else {
      return utf8.count..<utf8.count
    }
    return (UnsafeRawPointer(first) - UnsafeRawPointer(start))..<utf8.count
  }

  /// U+10FF80 to U+10FFFF are F4 8F BE 80 to F4 8F BF BF.
  private static func isEscape(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    utf8[index] == 0xF4 && index + 3 < utf8.count && utf8[index + 1] == 0x8F
      && utf8[index + 2] & 0xFE == 0xBE
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are UTF-8, so that a string of them has no U+FFFD in place of others.
  package var isUTF8: Bool {
    var index = 0
    while true {
      index += ASCII.prefixCount(self, from: index)
      if index == count { return true }
      if UTF8Reader.twoByteCode(in: self, at: index) != nil {
        index += 2
        continue
      }
      let length = UTF8Reader.scalar(in: self, at: index).length
      if length == 1 { return false }
      index += length
    }
  }
}

extension String {
  /// Creates a string of stored text, in which bytes that are no UTF-8 stay known.
  package init(storedText bytes: UnsafeBufferPointer<UInt8>) { self = StoredText.decode(bytes) }
}
