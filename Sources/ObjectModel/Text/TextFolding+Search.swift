import Foundation

extension TextFolding {
  /// Whether a text, once folded, contains a folded text.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - foldedNeedle: The text to find, folded with the same options; empty is always contained.
  ///   - options: The folding; only case and diacritics have an effect.
  /// - Returns: Whether it is contained, at the boundaries of code points.
  public static func contains(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedNeedle: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    guard let first = foldedNeedle.first else { return true }
    if options.isDisjoint(with: .both) { return find(foldedNeedle, in: utf8) }
    guard ASCII.isAll(utf8) else {
      return withFolded(utf8, options) { find(foldedNeedle, in: $0) }
    }
    guard options.contains(.case) else { return find(foldedNeedle, in: utf8) }
    return first < 0x80 && ASCII.contains(utf8, lowercase: foldedNeedle, first: first)
  }

  /// Whether a text, once folded, begins with a folded text.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - foldedNeedle: The prefix, folded with the same options.
  ///   - options: The folding; only case and diacritics have an effect.
  /// - Returns: Whether it has the prefix.
  public static func hasPrefix(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedNeedle: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    withFoldedUnlessASCII(utf8, options) { text, fold in
      guard let base = text.baseAddress, text.count >= foldedNeedle.count else {
        return foldedNeedle.isEmpty
      }
      return fold ? ASCII.equals(base, foldedNeedle) : sameBytes(base, foldedNeedle)
    }
  }

  /// Whether a text, once folded, ends with a folded text.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - foldedNeedle: The suffix, folded with the same options.
  ///   - options: The folding; only case and diacritics have an effect.
  /// - Returns: Whether it has the suffix.
  public static func hasSuffix(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedNeedle: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    withFoldedUnlessASCII(utf8, options) { text, fold in
      guard let base = text.baseAddress, text.count >= foldedNeedle.count else {
        return foldedNeedle.isEmpty
      }
      let tail = base + (text.count - foldedNeedle.count)
      return fold ? ASCII.equals(tail, foldedNeedle) : sameBytes(tail, foldedNeedle)
    }
  }

  /// Whether a text, once folded, equals a folded text.
  package static func equals(
    _ utf8: UnsafeBufferPointer<UInt8>, folded: UnsafeBufferPointer<UInt8>, _ options: Options
  ) -> Bool {
    withFoldedUnlessASCII(utf8, options) { text, fold in
      guard text.count == folded.count else { return false }
      guard let base = text.baseAddress else { return true }
      return fold ? ASCII.equals(base, folded) : sameBytes(base, folded)
    }
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

  /// Calls a closure with the text itself and true if it is ASCII whose case the closure must fold;
  /// else with the folded text and false.
  private static func withFoldedUnlessASCII(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: Options,
    _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Bool
  ) -> Bool {
    if options.isDisjoint(with: .both) { return body(utf8, false) }
    if ASCII.isAll(utf8) { return body(utf8, options.contains(.case)) }
    return withFolded(utf8, options.intersection(.both)) { body($0, false) }
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

  private static func sameBytes(
    _ bytes: UnsafePointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let base = other.baseAddress, !other.isEmpty else { return true }
    return memcmp(bytes, base, other.count) == 0
  }
}

extension TextFolding.Options {
  /// The options that affect searching.
  static let both: TextFolding.Options = [.case, .diacritics]
}
