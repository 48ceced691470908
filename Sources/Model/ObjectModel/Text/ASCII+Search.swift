extension ASCII {
  /// What a search for ASCII has found in a text.
  struct Sighting {
    /// Whether the text contains what is sought.
    var isMatch = false
    /// Whether it has the rarest byte of that.
    var hasRarest = false
    /// Whether it has nothing but ASCII.
    var isASCII = true
  }

  /// Searches a text for ASCII.
  ///
  /// Sixteen bytes at a time are looked at for the rarest byte of what is sought; only around those
  /// is it compared.
  @inline(__always)
  static func search(
    _ utf8: UnsafeBufferPointer<UInt8>, for needle: FoldedNeedle, foldsCase: Bool
  ) -> Sighting {
    var sighting = Sighting()
    guard let base = utf8.baseAddress, !utf8.isEmpty else { return sighting }
    let byte = needle.bytes[needle.rarest]
    let caseBit: UInt8 = foldsCase && byte &- 0x61 < 26 ? 0x20 : 0
    // What every match begins at or before.
    let last = utf8.count - needle.bytes.count

    /// Compares what is around the hits of the byte, if there are any.
    func compare(_ hits: UInt64, at index: Int) {
      if hits != 0 { sighting.hasRarest = true }
      var hits = hits
      while hits != 0 {
        let start = index + (hits.trailingZeroBitCount >> 3) - needle.rarest
        if start >= 0, start <= last, equals(base + start, needle.bytes, foldsCase: foldsCase) {
          sighting.isMatch = true
          return
        }
        hits &= hits &- 1
      }
    }

    guard utf8.count >= 16 else {
      func hits(_ word: UInt64) -> UInt64 {
        zeros((word | ones &* UInt64(caseBit)) ^ ones &* UInt64(byte))
      }
      let (first, second) = words(base, count: utf8.count)
      sighting.isASCII = (first | second) & highBits == 0
      compare(hits(first), at: 0)
      if utf8.count > 8, !sighting.isMatch { compare(hits(second), at: utf8.count - 8) }
      return sighting
    }
    let caseBits = SIMD16(repeating: caseBit)
    let wanted = SIMD16(repeating: byte)
    var all = SIMD16<UInt8>()
    var index = 0
    while true {
      let block = UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<UInt8>.self)
      all |= block
      let same = unsafeBitCast((block | caseBits) .== wanted, to: SIMD2<UInt64>.self)
      if same.x | same.y != 0 {
        let hits = same & SIMD2(repeating: highBits)
        compare(hits.x, at: index)
        if !sighting.isMatch { compare(hits.y, at: index + 8) }
        if sighting.isMatch { return sighting }
      }
      if index + 16 == utf8.count { break }
      // The last bytes are looked at together with some of those before.
      index = min(index + 16, utf8.count - 16)
    }
    let high = unsafeBitCast(all, to: SIMD2<UInt64>.self)
    sighting.isASCII = (high.x | high.y) & highBits == 0
    return sighting
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The high bit of each zero byte; the byte after one can be set too.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }

  /// The first and the last eight of up to sixteen bytes, the first byte lowest; zeros behind fewer
  /// than eight.
  @inline(__always)
  private static func words(_ bytes: UnsafePointer<UInt8>, count: Int) -> (UInt64, UInt64) {
    let raw = UnsafeRawPointer(bytes)
    if count >= 8 {
      return (
        raw.loadUnaligned(as: UInt64.self).littleEndian,
        (raw + (count - 8)).loadUnaligned(as: UInt64.self).littleEndian
      )
    }
    if count >= 4 {
      let first = UInt64(raw.loadUnaligned(as: UInt32.self).littleEndian)
      let last = UInt64((raw + (count - 4)).loadUnaligned(as: UInt32.self).littleEndian)
      return (first | last << (8 * (count - 4)), 0)
    }
    return (
      UInt64(bytes[0]) | UInt64(bytes[count / 2]) << (8 * (count / 2))
        | UInt64(bytes[count - 1]) << (8 * (count - 1)), 0
    )
  }
}
