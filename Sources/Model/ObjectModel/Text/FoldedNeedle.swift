/// A folded text that others are searched for, and where to look first.
package struct FoldedNeedle {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the byte that few texts have.
  package let rarest: Int

  /// Letters by their frequency in European languages, the most frequent one first.
  private static let letters = Array("eainrtoslducmghpvbfkyzjwxq".utf8)

  /// How rare each byte of ASCII is: signs and digits are like the rarer letters, spaces are not.
  private static let rarities: [UInt8] = (UInt8.min..<0x80).map { byte in
    if byte == UInt8(ascii: " ") { return 0 }
    return UInt8(letters.firstIndex(of: byte | 0x20) ?? 16)
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
    func rarity(_ index: Int) -> UInt8 { bytes[index] < 0x80 ? rarities[Int(bytes[index])] : 0 }
    return bytes.indices.max { rarity($0) < rarity($1) } ?? 0
  }
}
