import ObjectModel

/// A 64-bit digest of stored values: tells one state of a row from another.
///
/// It is the same in every process, unlike Swift's hashes, and it tells kinds apart: 1, 1.0 and '1' differ.
struct RowDigest {
  private(set) var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Mixes in eight bytes.
  mutating func add(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = (high ^ low) &+ 0x2545_F491_4F6C_DD1D
  }

  /// Mixes in a kind, a whole length and the bytes that are known of it.
  mutating func add(kind: Int32, length: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    add(UInt64(truncatingIfNeeded: kind) &+ UInt64(truncatingIfNeeded: length) << 8)
    let raw = UnsafeRawBufferPointer(bytes)
    var place = 0
    while place + 8 <= raw.count {
      add(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < raw.count {
      rest = rest << 8 | UInt64(raw[place])
      place += 1
    }
    add(rest)
  }

  /// Mixes in a kind and a number.
  mutating func add(kind: Int32, _ number: UInt64) {
    add(UInt64(truncatingIfNeeded: kind))
    add(number)
  }
}
