/// The repeat count typed before a command, as in vim: `42G`, `5j`.
///
/// A leading 0 is not part of a count, so `0` can be bound to an action.
package struct CountPrefix: Hashable, Sendable {
  /// The number typed so far; nil if no digit was typed.
  package private(set) var value: Int?

  /// Creates an empty prefix.
  package init() {}

  /// Adds a key to the count if it is a digit.
  ///
  /// The count is capped at 1,000,000,000.
  ///
  /// - Returns: Whether the key was added and needs no further handling.
  package mutating func take(_ key: Key) -> Bool {
    guard case .character(let character) = key, character.isASCII,
      let digit = character.wholeNumberValue, value != nil || digit > 0
    else { return false }
    value = min((value ?? 0) * 10 + digit, 1_000_000_000)
    return true
  }

  /// Returns the count for the command that follows it, and clears it.
  package mutating func finish() -> Int? {
    defer { value = nil }
    return value
  }
}
