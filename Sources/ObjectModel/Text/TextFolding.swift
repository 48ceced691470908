/// What `[c]` and `[d]` mean, and a person's order of text: one definition for memory and for the store.
///
/// - **case**: full case folding of Unicode. `ß` and `ẞ` are `ss`, `ς` is `σ`; `İ` is `i` with a dot above, `ı` stays.
/// - **diacritics**: canonical decomposition without its combining marks, so `é` is `e`, composed or not. Letters with a
///   stroke and joined letters are the plain ones: `ł ø đ ħ ŧ ı` are `l o d h t i`, `æ œ` are `ae oe`. Viramas and
///   vowel signs are letters and stay, as Hangul syllables do.
/// - **numeric**: runs of ASCII digits are written so that their bytes are in the order of their values.
/// - **signsFirst**: text that begins with a sign goes before text that begins with a letter.
///
/// Bytes that are no UTF-8 count as U+FFFD. ASCII costs a fraction of a nanosecond a byte; other text goes through
/// tables made on first use, a page of 256 code points at a time.
public enum TextFolding {
  /// What is folded.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt8
    /// Makes options from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Upper and lower case are the same.
    public static let `case` = Options(rawValue: 1)
    /// Accents are left out.
    public static let diacritics = Options(rawValue: 2)
    /// Runs of digits are ordered by value.
    public static let numeric = Options(rawValue: 4)
    /// Signs are ordered before letters.
    public static let signsFirst = Options(rawValue: 8)
    /// A person's order: what a localized sort descriptor sorts by, and what initials are taken of.
    public static let localized: Options = [.case, .diacritics, .signsFirst]
  }

  /// Folds a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - options: What is folded.
  /// - Returns: The folded text.
  public static func fold(_ text: String, _ options: Options) -> String {
    String(decoding: foldedBytes(text, options), as: UTF8.self)
  }

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
  ///   - options: What is folded.
  ///   - bytes: What it held before is replaced by the folded text; its memory is used again.
  public static func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: Options, into bytes: inout [UInt8]
  ) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(addingCapacity: capacity(for: utf8.count)) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        count = FoldingTransform(options).apply(to: utf8, into: buffer)
      }
    }
  }

  /// Folds UTF-8 bytes to where there is room for them.
  ///
  /// Without a closure or an array, so that a caller in another module pays for nothing but the folding.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - options: What is folded.
  ///   - target: Room for ``capacity(for:)`` bytes.
  /// - Returns: How many bytes were written.
  package static func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: Options,
    to target: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    FoldingTransform(options).apply(to: utf8, into: target)
  }

  /// The most bytes that so many bytes of text can become.
  ///
  /// A two-byte letter becomes six at most, a bad byte three, a digit by value two; a sign put first adds one.
  /// Eight are written at once.
  package static func capacity(for count: Int) -> Int { count * 3 + 16 }

  /// The initial under which a folded text is filed.
  ///
  /// - Parameter utf8: Text folded with ``Options/localized`` (with or without numeric).
  /// - Returns: The first letter, in upper case; `#` for a digit or a sign; empty for empty text.
  public static func initial(ofFolded utf8: UnsafeBufferPointer<UInt8>) -> String {
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
