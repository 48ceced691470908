/// What a terminal can do.
///
/// It is settled when the terminal opens, from TERM, the locale and `NO_COLOR`.
public struct TerminalCapabilities: Hashable, Sendable {
  /// How many colours there are.
  public var colorSupport: ColorSupport
  /// Whether the terminal shows Unicode.
  public var isUnicode: Bool
  /// Whether clicks and the wheel are reported.
  public var hasMouse: Bool

  /// Creates the description of a terminal.
  public init(colorSupport: ColorSupport, isUnicode: Bool = true, hasMouse: Bool = false) {
    self.colorSupport = colorSupport
    self.isUnicode = isUnicode
    self.hasMouse = hasMouse
  }
}
