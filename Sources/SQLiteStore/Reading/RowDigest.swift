import ObjectModel

/// A 64-bit hash of stored values, by which a change of a row is detected.
///
/// Unlike Swift's hashes it is equal in every process. The storage class counts: 1, 1.0 and '1'
/// differ.
struct RowDigest {
  private(set) var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Adds eight bytes.
  mutating func add(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = (high ^ low) &+ 0x2545_F491_4F6C_DD1D
  }

  /// Adds a storage class, a value's whole length, and the bytes that were read of it.
  mutating func add(kind: Int32, length: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    add(UInt64(truncatingIfNeeded: kind) &+ UInt64(truncatingIfNeeded: length) << 8)
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index + 8 <= raw.count {
      add(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < raw.count {
      rest = rest << 8 | UInt64(raw[index])
      index += 1
    }
    add(rest)
  }

  /// Adds a storage class and a number.
  mutating func add(kind: Int32, _ number: UInt64) {
    add(UInt64(truncatingIfNeeded: kind))
    add(number)
  }
}
