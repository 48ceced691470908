/// Folds text for the options `[c]` and `[d]` and for the localized order, in memory and in SQL.
///
/// - **case**: full Unicode case folding. `ß` and `ẞ` become `ss`, `ς` becomes `σ`; `İ` becomes `i`
///   with a dot above, `ı` stays.
/// - **diacritics**: canonical decomposition without combining marks, so `é` becomes `e`, composed
///   or not. Letters with strokes and ligatures become plain letters: `ł ø đ ħ ŧ ı` become `l o d h
///   t i`, `æ œ` become `ae oe`. Viramas and vowel signs are letters and stay, as Hangul syllables
///   do.
/// - **numeric**: runs of ASCII digits are encoded so that their bytes are in the order of their
///   values.
/// - **signsFirst**: text that begins with a sign sorts before text that begins with a letter.
///
/// Invalid UTF-8 becomes U+FFFD. ASCII costs a fraction of a nanosecond per byte; other text is
/// looked up in tables that are made on first use, a page of 256 code points at a time.
package enum TextFolding {
  /// The parts of a folding.
  package struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    package let rawValue: UInt8
    /// Makes options from bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Folds case.
    package static let `case` = Options(rawValue: 1)
    /// Removes diacritics.
    package static let diacritics = Options(rawValue: 2)
    /// Orders runs of digits by their values.
    package static let numeric = Options(rawValue: 4)
    /// Orders signs before letters.
    package static let signsFirst = Options(rawValue: 8)
    /// The folding of localized sort descriptors and of initials.
    package static let localized: Options = [.case, .diacritics, .signsFirst]
  }

  /// Folds a text.
  package static func fold(_ text: String, _ options: Options) -> String {
    String(decoding: foldedBytes(text, options), as: UTF8.self)
  }

  /// Makes the table that most orders and searches need, which takes some milliseconds, before the
  /// first use.
  package static func makeTables() { _ = FoldingTables.low(.both) }

  /// Folds a text for matching typed letters: case and diacritics are ignored.
  package static func folded(_ text: String) -> String { fold(text, [.case, .diacritics]) }

  /// Folds a text to bytes.
  package static func foldedBytes(_ text: String, _ options: Options) -> [UInt8] {
    text.withBytes { utf8 in
      var bytes: [UInt8] = []
      fold(utf8, options, into: &bytes)
      return bytes
    }
  }

  /// Folds UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - options: The folding.
  ///   - bytes: Replaced by the folded text; its memory is reused.
  package static func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: Options, into bytes: inout [UInt8]
  ) {
    bytes.removeAll(keepingCapacity: true)
    fold(utf8, options, appendingTo: &bytes)
  }

  /// Folds UTF-8 bytes, and appends the folded text to bytes.
  static func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: Options, appendingTo bytes: inout [UInt8]
  ) {
    bytes.append(addingCapacity: capacity(for: utf8.count)) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        count = FoldingTransform(options).apply(to: utf8, into: buffer)
      }
    }
  }

  /// Folds UTF-8 bytes into room for ``capacity(for:)`` bytes, without a closure or an array, for
  /// callers in other modules, and returns the number of bytes written.
  package static func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: Options,
    to target: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    FoldingTransform(options).apply(to: utf8, into: target)
  }

  /// The small letters of ASCII with which folded texts begin, by their first code points.
  ///
  /// - Parameter options: The folding; it must fold case.
  /// - Returns: For each code point below U+0800 the first byte of what it is folded to, whatever
  ///   follows it; 0 for another byte than a letter.
  package static func initials(_ options: Options) -> [UInt8] {
    guard let kind = FoldingTables.Kind(options) else { return Array(repeating: 0, count: 0x800) }
    let low = FoldingTables.low(kind)
    return (0..<0x800).map { low[$0].initial }
  }

  /// The most bytes that a number of bytes of text can fold to.
  ///
  /// A two-byte letter folds to six bytes at most, an invalid byte to three, a numeric digit to
  /// two; a sign ordered first adds one. Eight bytes are written at once.
  package static func capacity(for count: Int) -> Int { count * 3 + 16 }

  /// The initial of a folded text, for sections.
  ///
  /// - Parameter utf8: Text folded with ``Options/localized`` (with or without numeric).
  /// - Returns: The first letter in upper case; `#` for a digit or a sign; empty for empty text.
  package static func initial(ofFolded utf8: UnsafeBufferPointer<UInt8>) -> String {
    guard let first = utf8.first else { return "" }
    if first < 0x80 {
      return first >= 0x61 && first <= 0x7A
        ? String(UnicodeScalar(first & 0xDF))
        : first >= 0x41 && first <= 0x5A
          ? String(UnicodeScalar(first)) : "#"
    }
    let properties = UTF8Reader.scalar(in: utf8, at: 0).scalar.properties
    return properties.isAlphabetic ? properties.titlecaseMapping : "#"
  }
}
