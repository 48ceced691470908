/// How many colours a terminal has.
///
/// Ordered: a later case can show everything that an earlier one can.
public enum ColorSupport: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// None, or the person asked for none (`NO_COLOR`): bold, reverse and underline only.
  case none
  /// The eight basic colours.
  case eight
  /// The basic colours and their bright forms.
  case sixteen
  /// The palette of 256.
  case palette
  /// Exact colours.
  case trueColor

  /// Orders by what can be shown.
  public static func < (left: ColorSupport, right: ColorSupport) -> Bool {
    left.rawValue < right.rawValue
  }
}
