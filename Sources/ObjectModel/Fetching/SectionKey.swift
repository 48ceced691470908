/// What sections are made by: a key path, and what is taken of its value.
public struct SectionKey: Hashable, Sendable {
  /// What is taken of a value to name its section.
  public enum Transform: String, Hashable, Sendable, CaseIterable {
    /// The value itself.
    case value
    /// The first grapheme, case and accents folded; `#` for digits and signs; "" for nil and empty text.
    case initial
    /// The day of a date (UTC), `2024-05-01`.
    case day
    /// The month of a date (UTC), `2024-05`.
    case month
    /// The year of a date (UTC), `2024`.
    case year
  }

  /// The key path.
  public var keyPath: String
  /// What is taken of its value.
  public var transform: Transform

  /// Makes sections by a key path.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - transform: What is taken of its value.
  public init(_ keyPath: String, _ transform: Transform = .value) {
    self.keyPath = keyPath
    self.transform = transform
  }
}
