import Foundation

/// A 64-bit hash of stored values, by which a change of a row is detected.
///
/// Unlike Swift's hashes it is equal in every process. The storage class counts: 1, 1.0 and '1'
/// differ.
package struct RowDigest {
  package private(set) var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init() {}

  /// Adds eight bytes.
  package mutating func add(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = (high ^ low) &+ 0x2545_F491_4F6C_DD1D
  }

  /// Adds a storage class, a value's whole length, and the bytes that were read of it.
  package mutating func add(kind: Int32, length: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    add(UInt64(truncatingIfNeeded: kind) &+ UInt64(truncatingIfNeeded: length) << 8)
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    // Two at once: one product need not wait for the other.
    var second = RowDigest()
    while index + 16 <= raw.count {
      add(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      second.add(raw.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
      index += 16
    }
    if index > 0 { add(second.state) }
    if index + 8 <= raw.count {
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

  /// The number of bytes after which a long value is not hashed, which bounds what a row costs.
  package static let longestHashed = 64 << 20

  /// The hash of a long value: of its first ``longestHashed`` bytes.
  package static func hash(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var digest = RowDigest()
    let known = UnsafeBufferPointer(rebasing: bytes.prefix(longestHashed))
    digest.add(kind: 0, length: bytes.count, known)
    return digest.state
  }

  /// Adds a storage class and a number.
  package mutating func add(kind: Int32, _ number: UInt64) {
    add(UInt64(truncatingIfNeeded: kind))
    add(number)
  }
}

extension Value {
  /// The hash of a long text or long bytes, as of a row that holds them truncated; nil for other
  /// values.
  package var longHash: UInt64? {
    switch self {
    case .string(let text): text.withBytes { RowDigest.hash(of: $0) }
    case .data(let data):
      data.withUnsafeBytes { raw in
        raw.withMemoryRebound(to: UInt8.self) { RowDigest.hash(of: $0) }
      }
    default: nil
    }
  }
}
