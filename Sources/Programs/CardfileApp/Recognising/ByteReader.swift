import Foundation

/// Reads numbers from bytes of any origin: past the end there is nil, never a trap.
nonisolated struct ByteReader: Sendable {
  let bytes: [UInt8]
  /// The index of the next byte.
  var offset = 0

  /// Makes a reader of the beginning of data.
  init(_ data: Data, limit: Int = .max) { bytes = Array(data.prefix(limit)) }

  /// How many bytes are left.
  var left: Int { max(bytes.count - offset, 0) }

  /// The byte at an index.
  func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  /// A number of up to four bytes, the most significant first.
  func bigEndian(_ index: Int, size: Int) -> Int? {
    guard index >= 0, index <= bytes.count - size else { return nil }
    return bytes[index..<index + size].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A number of up to four bytes, the least significant first.
  func littleEndian(_ index: Int, size: Int) -> Int? {
    guard index >= 0, index <= bytes.count - size else { return nil }
    return bytes[index..<index + size].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether a text stands at an index.
  func has(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  /// Reads a variable-length number as protobuf writes it.
  mutating func varint() -> UInt64? {
    var result: UInt64 = 0
    for shift in stride(from: 0, to: 70, by: 7) {
      guard let byte = byte(offset) else { return nil }
      offset += 1
      if shift == 63, byte > 1 { return nil }
      result |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return result }
    }
    return nil
  }
}
