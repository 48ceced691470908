/// The digits typed before a motion: `42G`, `5j`.
///
/// A 0 begins no number, so that it may be bound to something else.
public struct CountPrefix: Hashable, Sendable {
  /// The number typed so far; nil for none.
  public private(set) var value: Int?

  /// Creates an empty prefix.
  public init() {}

  /// Takes a key if it is a digit of the number.
  ///
  /// Numbers beyond a billion stay there; no list is longer.
  ///
  /// - Returns: Whether the key belongs to the number and needs no further handling.
  public mutating func take(_ key: Key) -> Bool {
    guard case .character(let character) = key, character.isASCII,
      let digit = character.wholeNumberValue, value != nil || digit > 0
    else { return false }
    value = min((value ?? 0) * 10 + digit, 1_000_000_000)
    return true
  }

  /// Gives the number to the motion that follows it, and begins anew.
  public mutating func finish() -> Int? {
    defer { value = nil }
    return value
  }
}
