import Foundation

extension TextFolding {
  /// Whether a text, once folded, contains a folded text.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - foldedNeedle: The text to find, folded with the same options; empty is always contained.
  ///   - options: The folding; only case and diacritics have an effect.
  /// - Returns: Whether it is contained, at the boundaries of code points.
  package static func contains(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedNeedle: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    foldedNeedle.isEmpty || contains(utf8, FoldedNeedle(foldedNeedle), options)
  }

  /// Whether a text, once folded, contains a folded text.
  package static func contains(
    _ utf8: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle, _ options: Options
  ) -> Bool {
    guard let kind = FoldingTables.Kind(options) else { return find(needle.bytes, in: utf8) }
    guard ASCII.isAll(needle.bytes) else {
      return !ASCII.isAll(utf8)
        && withFolded(utf8, options.intersection(.both)) { find(needle.bytes, in: $0) }
    }
    // A code point is folded by itself, and one of ASCII to its lower case only: what matches
    // unfolded, matches folded.
    let sighting = ASCII.search(utf8, for: needle, foldsCase: options.contains(.case))
    if sighting.isMatch || sighting.isASCII { return sighting.isMatch }
    let sources = ASCIISources(utf8, kind)
    guard sighting.hasRarest || sources.include(needle.bytes[needle.rarest]) else { return false }
    return containsBesideASCII(sources, needle.bytes, options.intersection(.both))
  }

  /// Whether a text, once folded, contains ASCII of which a part comes from other code points: only
  /// these, and what is so near that it may belong to a match, are folded.
  private static func containsBesideASCII(
    _ sources: ASCIISources, _ needle: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    let utf8 = sources.utf8
    let reach = needle.count - 1
    var next = sources.next(from: 0)
    while let first = next {
      // Up to the end of the code points that can belong to a match with those before.
      var end = first.range.upperBound
      var isAlone = true
      next = sources.next(from: end)
      while let follower = next, follower.followsASCII, follower.range.lowerBound - end <= reach {
        (end, isAlone) = (follower.range.upperBound, false)
        next = sources.next(from: end)
      }
      let start = max(first.range.lowerBound - reach, 0)
      let part = UnsafeBufferPointer(rebasing: utf8[start..<min(end + reach, utf8.count)])
      if isAlone, let byte = first.byte {
        // Most are a letter with a diacritic, which is compared where it stands.
        let occurrence = first.range.lowerBound - start..<first.range.upperBound - start
        if contains(part, needle, with: byte, at: occurrence, options) { return true }
      } else if withFolded(part, options, { find(needle, in: $0) }) {
        return true
      }
    }
    return false
  }

  /// Whether a text of which one code point is folded to an ASCII byte contains ASCII that includes
  /// this byte.
  private static func contains(
    _ utf8: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>, with byte: UInt8,
    at occurrence: Range<Int>, _ options: Options
  ) -> Bool {
    guard let base = utf8.baseAddress else { return false }
    let foldsCase = options.contains(.case)
    return needle.indices.contains { index in
      guard needle[index] == byte, index <= occurrence.lowerBound,
        occurrence.upperBound + needle.count - index - 1 <= utf8.count
      else { return false }
      let before = UnsafeBufferPointer(rebasing: needle[..<index])
      let after = UnsafeBufferPointer(rebasing: needle[(index + 1)...])
      return ASCII.equals(base + (occurrence.lowerBound - index), before, foldsCase: foldsCase)
        && ASCII.equals(base + occurrence.upperBound, after, foldsCase: foldsCase)
    }
  }

  /// Whether a text, once folded, begins with a folded text.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - foldedNeedle: The prefix, folded with the same options.
  ///   - options: The folding; only case and diacritics have an effect.
  /// - Returns: Whether it has the prefix.
  package static func hasPrefix(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedNeedle: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    isFound(foldedNeedle, in: utf8, options) { _ in 0 }
  }

  /// Whether a text, once folded, ends with a folded text.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - foldedNeedle: The suffix, folded with the same options.
  ///   - options: The folding; only case and diacritics have an effect.
  /// - Returns: Whether it has the suffix.
  package static func hasSuffix(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedNeedle: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    isFound(foldedNeedle, in: utf8, options) { $0 - foldedNeedle.count }
  }

  /// Calls a closure with the folded text, which is on the stack if it is short.
  package static func withFolded<Result>(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: Options,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity(for: utf8.count)) { buffer in
      let count = FoldingTransform(options).apply(to: utf8, into: buffer)
      return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Whether a folded text stands in another, once that is folded, at the offset that the closure
  /// returns for its number of bytes.
  @inline(__always)
  private static func isFound(
    _ needle: UnsafeBufferPointer<UInt8>, in utf8: UnsafeBufferPointer<UInt8>, _ options: Options,
    at offset: (Int) -> Int
  ) -> Bool {
    func isFound(in text: UnsafeBufferPointer<UInt8>, folding: Bool) -> Bool {
      guard let base = text.baseAddress, text.count >= needle.count else { return needle.isEmpty }
      let start = base + offset(text.count)
      return ASCII.equals(start, needle, foldsCase: folding)
    }
    if options.isDisjoint(with: .both) { return isFound(in: utf8, folding: false) }
    if ASCII.isAll(utf8) { return isFound(in: utf8, folding: options.contains(.case)) }
    return withFolded(utf8, options.intersection(.both)) { isFound(in: $0, folding: false) }
  }

  private static func find(
    _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let needleBase = needle.baseAddress, !needle.isEmpty else { return true }
    guard let base = text.baseAddress, text.count >= needle.count else { return false }
    var start = base
    let last = base + (text.count - needle.count)
    while start <= last,
      let found = memchr(start, Int32(needleBase.pointee), last - start + 1)
    {
      if memcmp(found, needleBase, needle.count) == 0 { return true }
      start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
    }
    return false
  }
}

extension TextFolding.Options {
  /// The options that affect searching.
  static let both: TextFolding.Options = [.case, .diacritics]
}
