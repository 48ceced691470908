/// How exactly lists write dates; the object page has them in full.
package nonisolated enum DateForm: String, CaseIterable, Hashable, Sendable {
  /// `2024-05-01 13:45:00`, or `2024-05-01` at midnight.
  case seconds
  /// `2024-05-01 13:45`.
  case minutes
  /// `2024-05-01`.
  case days

  /// The number of characters of a date with its time.
  private var length: Int {
    switch self {
    case .seconds: 19
    case .minutes: 16
    case .days: 10
    }
  }

  /// The width that dates need whose widest is known in seconds.
  func width(within width: Int) -> Int { width > Self.seconds.length ? width : min(width, length) }

  /// Shortens a date that is written in full; dates outside the years 0 to 9999 stay as they are.
  func shortened(_ text: String) -> String {
    text.utf8.dropFirst(4).first == UInt8(ascii: "-") ? String(text.prefix(length)) : text
  }
}
