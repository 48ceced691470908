/// The alignment of text in a wider field.
public enum TextAlignment: Hashable, Sendable {
  /// Aligned left; the default.
  case left
  /// Aligned right, for numbers.
  case right
  /// Centred; an odd space goes to the right.
  case center
}
