/// The number of colours a terminal can show, in ascending order.
public enum ColorSupport: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// No colours, also if the environment sets `NO_COLOR`: only bold, reverse and underline.
  case none
  /// The eight ANSI colours.
  case eight
  /// The eight ANSI colours and their bright variants.
  case sixteen
  /// The 256-colour xterm palette.
  case palette
  /// 24-bit colours.
  case trueColor

  /// Orders by the number of colours.
  public static func < (left: ColorSupport, right: ColorSupport) -> Bool {
    left.rawValue < right.rawValue
  }
}
