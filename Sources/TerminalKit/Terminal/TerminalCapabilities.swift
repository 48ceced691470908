/// The capabilities of a terminal, determined by `TERM`, the locale and `NO_COLOR`.
public struct TerminalCapabilities: Hashable, Sendable {
  /// The number of colours.
  public var colorSupport: ColorSupport
  /// Whether the terminal shows Unicode.
  public var isUnicode: Bool
  /// Whether the terminal reports mouse clicks and the wheel.
  public var hasMouse: Bool

  /// Creates capabilities; by default Unicode without a mouse.
  public init(colorSupport: ColorSupport, isUnicode: Bool = true, hasMouse: Bool = false) {
    self.colorSupport = colorSupport
    self.isUnicode = isUnicode
    self.hasMouse = hasMouse
  }
}
