/// The code points of a text beside ASCII that may be ASCII once they are folded, or nothing: all
/// others end every match of ASCII.
struct ASCIISources {
  /// One of the code points.
  struct Source {
    let range: Range<Int>
    /// What it is folded to, if that is one byte of ASCII.
    let byte: UInt8?
    /// Whether there is nothing but ASCII between where the search for it began and it.
    let followsASCII: Bool
  }

  let utf8: UnsafeBufferPointer<UInt8>
  private let kind: FoldingTables.Kind
  private let low: FoldingTables.Table

  /// The code points of a text, for a kind of folding.
  init(_ utf8: UnsafeBufferPointer<UInt8>, _ kind: FoldingTables.Kind) {
    (self.utf8, self.kind, low) = (utf8, kind, FoldingTables.low(kind))
  }

  /// Whether one of them is folded to text with a byte of ASCII.
  func include(_ byte: UInt8) -> Bool { next(from: 0) { $0.contains(byte) } != nil }

  /// Looks for the next source.
  ///
  /// - Parameters:
  ///   - start: The index from which on it is looked for.
  ///   - isWanted: Whether a folding is that of a source.
  /// - Returns: The source; nil if no other follows.
  @inline(__always)
  func next(from start: Int, where isWanted: (Folding) -> Bool = \.meetsASCII) -> Source? {
    var index = start
    var followsASCII = true
    while index < utf8.count {
      if utf8[index] < 0x80 {
        index += ASCII.prefixCount(utf8, from: index)
        continue
      }
      let (folding, length) = folding(at: index)
      if let folding, isWanted(folding) {
        return Source(
          range: index..<index + length, byte: folding.asciiByte, followsASCII: followsASCII)
      }
      index += length
      followsASCII = false
    }
    return nil
  }

  /// The folding of the code point at an index, nil if it folds to itself, and its length.
  @inline(__always)
  private func folding(at index: Int) -> (Folding?, length: Int) {
    if let code = UTF8Reader.twoByteCode(in: utf8, at: index) { return (low[code], 2) }
    if let base = utf8.baseAddress {
      let length = FoldingTransform.unchangedCount(base + index, left: utf8.count - index)
      if length > 0 { return (nil, length) }
    }
    let (scalar, length) = UTF8Reader.scalar(in: utf8, at: index)
    let page = FoldingTables.page(scalar.value >> 8, kind)
    return (page.map { $0[Int(scalar.value & 0xFF)] }, length)
  }
}
