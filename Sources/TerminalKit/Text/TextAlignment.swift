/// Where text stands in a field that is wider.
public enum TextAlignment: Hashable, Sendable {
  /// At the left; the default, for words.
  case left
  /// At the right, for numbers.
  case right
  /// In the middle.
  case center
}
