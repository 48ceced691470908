/// A folded text that others are searched for, and where to look first.
package struct FoldedNeedle {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the byte that few texts have.
  package let rarest: Int
  /// The index of the rarer byte beside it; of itself if it is alone.
  package var beside: Int {
    [rarest - 1, rarest + 1].filter(bytes.indices.contains)
      .max { Self.rarity(bytes[$0]) < Self.rarity(bytes[$1]) } ?? rarest
  }

  /// Letters by their frequency in European languages, the most frequent one first, and the digits
  /// with which dates begin.
  private static let letters = Array("ea1in0rt2o9slducmghpvbfkyzjwxq".utf8)

  /// How rare each byte of ASCII is: signs and other digits are like the rarer letters, spaces are
  /// not.
  private static let rarities: [UInt8] = (UInt8.min..<0x80).map { byte in
    if byte == UInt8(ascii: " ") { return 0 }
    return UInt8(letters.firstIndex(of: byte | 0x20) ?? 20)
  }

  /// Creates a needle.
  ///
  /// - Parameters:
  ///   - bytes: The folded text; it must not be empty.
  ///   - rarest: What ``rarest`` of the same text was; nil to find it. Any index gives the same
  ///     matches, others only later.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, rarest: Int? = nil) {
    self.bytes = bytes
    self.rarest = rarest.map { max(0, min($0, bytes.count - 1)) } ?? Self.rarest(bytes)
  }

  private static func rarest(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.indices.max { rarity(bytes[$0]) < rarity(bytes[$1]) } ?? 0
  }

  private static func rarity(_ byte: UInt8) -> UInt8 { byte < 0x80 ? rarities[Int(byte)] : 0 }

  /// The code points of two bytes that are folded to the rarest byte, by their first byte.
  ///
  /// Each second byte has the bit that its low six bits say, also among those of code points that
  /// are folded to nothing else. Of three bytes they begin with 0xE1, 0xEF or 0xE2, but not with
  /// 0xE2 0x80; none has four.
  ///
  /// - Parameter options: The folding.
  /// - Returns: The code points; nil if text is not folded, or the needle is not ASCII.
  package func sources(_ options: TextFolding.Options)
    -> [(first: UInt8, seconds: UInt64, singles: UInt64)]?
  {
    guard let kind = FoldingTables.Kind(options), ASCII.isAll(bytes) else { return nil }
    let low = FoldingTables.low(kind)
    return (2..<32).compactMap { first in
      var (seconds, singles) = (UInt64(0), UInt64(0))
      for second in 0..<64 {
        let folding = low[first << 6 | second]
        if folding.contains(bytes[rarest]) { seconds |= 1 << UInt64(second) }
        if folding.asciiByte == bytes[rarest] { singles |= 1 << UInt64(second) }
      }
      return seconds == 0 ? nil : (0xC0 | UInt8(first), seconds, singles)
    }
  }
}
