/// The capabilities of a terminal, determined by `TERM`, the locale and `NO_COLOR`.
public struct TerminalCapabilities: Hashable, Sendable {
  /// The number of colours.
  public var colorSupport: ColorSupport
  /// Whether the terminal shows Unicode.
  public var isUnicode: Bool

  /// Creates capabilities; by default with Unicode.
  public init(colorSupport: ColorSupport, isUnicode: Bool = true) {
    self.colorSupport = colorSupport
    self.isUnicode = isUnicode
  }
}
