/// A 64-bit checksum, the same in every process, at several bytes a nanosecond.
///
/// Four lanes are mixed like those of xxHash64, by Yann Collet: each step is a bijection of the lane
/// and of the word, so that two texts that differ in one word never have the same sum.
struct Checksum {
  private static let primes: (UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9
  )

  private(set) var value: UInt64 = primes.2

  /// Adds elements, and how many bytes they have.
  mutating func add<Element: BitwiseCopyable>(_ elements: [Element]) {
    elements.withUnsafeBytes { add($0) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var lanes: (UInt64, UInt64, UInt64, UInt64) = (
      value, value ^ Self.primes.0, value ^ Self.primes.1, ~value
    )
    var index = 0
    while index + 32 <= bytes.count {
      lanes.0 = Self.mixed(lanes.0, Self.word(bytes, index))
      lanes.1 = Self.mixed(lanes.1, Self.word(bytes, index + 8))
      lanes.2 = Self.mixed(lanes.2, Self.word(bytes, index + 16))
      lanes.3 = Self.mixed(lanes.3, Self.word(bytes, index + 24))
      index += 32
    }
    var sum = UInt64(bytes.count)
    for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { sum = Self.mixed(sum, lane) }
    while index + 8 <= bytes.count {
      sum = Self.mixed(sum, Self.word(bytes, index))
      index += 8
    }
    while index < bytes.count {
      sum = Self.mixed(sum, UInt64(bytes[index]))
      index += 1
    }
    sum ^= sum >> 33
    sum &*= Self.primes.1
    value = sum ^ sum >> 29
  }

  @inline(__always)
  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let sum = lane &+ word &* primes.1
    return (sum << 31 | sum >> 33) &* primes.0
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }
}
