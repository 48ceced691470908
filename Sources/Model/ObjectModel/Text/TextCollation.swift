import Foundation

/// A collation of texts that a store has, as PostgreSQL's `de-x-icu`.
///
/// The store sorts by its own. Values in memory, as those that are not saved yet, are compared by the
/// rules that Unicode has for the same locale, which differ from it at most in details.
public struct TextCollation: Hashable, Sendable {
  /// The name that the store has for it.
  public let name: String
  /// The locale whose order it is, as `de`, or `en-u-kn`; empty for that of all languages together.
  public let localeIdentifier: String

  /// Creates a collation.
  ///
  /// - Parameters:
  ///   - name: The name that the store has for it.
  ///   - localeIdentifier: The locale; nil for the one that the name begins with.
  public init(_ name: String, localeIdentifier: String? = nil) {
    self.name = name
    let locale = localeIdentifier ?? String(name.prefix { $0 != "." }).replacing("-x-icu", with: "")
    self.localeIdentifier = locale == "und" ? "" : locale
  }

  /// Compares two texts: -1 when the first one comes first, 1 when the other does, 0 if they are
  /// equal, byte for byte.
  func compare(_ first: String, _ second: String) -> Int {
    // Where texts differ only from the middle of a letter on, Foundation compares what is left of it,
    // unless they are literally compared; letters are whole in the canonical form.
    let (left, right) = (
      first.precomposedStringWithCanonicalMapping, second.precomposedStringWithCanonicalMapping
    )
    let order = left.compare(
      right, options: .literal, range: nil, locale: Locale(identifier: localeIdentifier))
    return order != .orderedSame
      ? order.rawValue : Value.compare(.string(first), .string(second))
  }
}
