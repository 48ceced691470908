import Foundation

/// A collation of texts that a store has, as PostgreSQL's `de-x-icu`.
///
/// The store sorts with its own implementation. Values in memory, as unsaved ones, are compared by
/// ICU's collation of the same locale, which differs from it at most in details.
public struct TextCollation: Hashable, Sendable {
  /// The name that the store has for it.
  public let name: String
  /// The locale whose order it is, as `de`, or `en-u-kn`; empty for that of all languages together.
  public let localeIdentifier: String

  /// Creates a collation.
  ///
  /// - Parameters:
  ///   - name: The name that the store has for it.
  ///   - localeIdentifier: The locale, perhaps with an encoding, as `en_US.UTF-8`; nil for the one
  ///     that the name begins with.
  public init(_ name: String, localeIdentifier: String? = nil) {
    self.name = name
    let locale = (localeIdentifier ?? name).prefix { $0 != "." && $0 != "@" }
      .replacing("-x-icu", with: "")
    self.localeIdentifier = locale == "und" ? "" : String(locale)
  }

  /// Compares two texts: -1 when the first one comes first, 1 when the other does, 0 if they are
  /// equal, byte for byte.
  func compare(_ first: String, _ second: String) -> Int {
    // Foundation skips the common prefix before it asks ICU, and that can end within a letter:
    // a literal comparison of precomposed texts keeps letters whole.
    let (left, right) = (
      first.precomposedStringWithCanonicalMapping, second.precomposedStringWithCanonicalMapping
    )
    let order = left.compare(
      right, options: .literal, range: nil, locale: Locale(identifier: localeIdentifier))
    return order != .orderedSame
      ? order.rawValue : Value.compare(.string(first), .string(second))
  }
}
