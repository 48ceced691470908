extension FoldedNeedle {
  /// What code points that are not ASCII can be in a match of a needle.
  package struct Source: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A part of the match, or nothing, as a diacritic is.
    package static let part = Source(rawValue: 1)
    /// The rarest byte of the needle.
    package static let rarest = Source(rawValue: 2)
    /// More than one byte of the match, so that nothing beside them may belong to it.
    package static let several = Source(rawValue: 4)
    /// All that.
    package static let any: Source = [.part, .rarest, .several]
  }

  /// The blocks of 64 code points from U+0800 on of which one may be folded to ASCII; a test
  /// compares them with the foldings.
  private static let letters: [ClosedRange<UInt32>] = [
    0x1E00...0x1EFF, 0x1FC0...0x1FFF, 0x2100...0x213F, 0x2240...0x227F, 0xFB00...0xFB3F,
  ]

  /// The blocks, from U+10000 on of 4096, of which one may be folded to nothing.
  private static let marks: [ClosedRange<UInt32>] = [
    0x0800...0x10FF, 0x1340...0x137F, 0x1700...0x1CFF, 0x1DC0...0x1DFF, 0x20C0...0x20FF,
    0x2CC0...0x2CFF, 0x2DC0...0x2DFF, 0x3000...0x303F,
    0x3080...0x30BF, 0xA640...0xABFF, 0xFB00...0xFB3F, 0xFE00...0xFE3F, 0x10000...0x1EFFF,
  ]

  /// What the code points that are not ASCII can be in a match of ASCII, by their first two bytes.
  ///
  /// - Parameter options: The folding.
  /// - Returns: A ``Source`` at the six low bits of the first byte and then those of the second
  ///   one, 4096 in all; nil if text is not folded, or the needle is not ASCII.
  package func sources(_ options: TextFolding.Options) -> [UInt8]? {
    guard let kind = FoldingTables.Kind(options), ASCII.isAll(bytes) else { return nil }
    var sources = Array(repeating: Source(), count: 4096)
    let low = FoldingTables.low(kind)
    for code in 0x80..<0x800 {
      let folding = low[code]
      guard folding.meetsASCII, folding.isEmpty || bytes.contains(where: folding.contains) else {
        continue
      }
      sources[code].insert(.part)
      if folding.contains(bytes[rarest]) { sources[code].insert(.rarest) }
      if folding.asciiByte == nil, !folding.isEmpty { sources[code].insert(.several) }
    }
    for (blocks, source) in [(Self.marks, Source.part), (Self.letters, .any)] {
      for block in blocks {
        for code in block where code & 63 == 0 { sources[Self.index(of: code)] = source }
      }
    }
    return sources.map(\.rawValue)
  }

  /// The index of a code point from U+0080 on among the sources.
  static func index(of code: UInt32) -> Int {
    switch code {
    // The first byte has five bits of the code point, or four behind one that is set, or three
    // behind two.
    case ..<0x800: Int(code)
    case ..<0x10000: Int(code >> 6 | 0x20 << 6)
    default: Int(code >> 12 | 0x30 << 6)
    }
  }
}
