/// A hash of a few multiplications, eight bytes at a time; other in no run, so that it may be kept.
package enum ByteHash {
  /// The hash of some bytes; another one for each seed.
  package static func hash(of bytes: UnsafeBufferPointer<UInt8>, seed: UInt8) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = start(seed)
    var index = 0
    while index + 8 <= raw.count {
      mix(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self), into: &hash)
      index += 8
    }
    var rest = UInt64(raw.count)
    while index < raw.count {
      rest = rest << 8 | UInt64(raw[index])
      index += 1
    }
    mix(rest, into: &hash)
    return hash
  }

  /// The hash of a word; another one for each seed.
  package static func hash(of word: UInt64, seed: UInt8) -> UInt64 {
    var hash = start(seed)
    mix(word, into: &hash)
    return hash
  }

  private static func start(_ seed: UInt8) -> UInt64 { UInt64(seed) &+ 0x9E37_79B9_7F4A_7C15 }

  @inline(__always)
  private static func mix(_ word: UInt64, into hash: inout UInt64) {
    hash = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
    hash ^= hash >> 32
  }
}
