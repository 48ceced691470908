/// What drawing needs to know of the terminal: its theme and its signs.
///
/// A ``Canvas`` carries one, so that every view draws for the terminal it will be shown on.
public struct Look: Hashable, Sendable {
  /// The style of each meaning.
  public var theme: Theme
  /// The glyph of each meaning.
  public var signs: Signs

  /// Creates a look from its parts.
  public init(theme: Theme, signs: Signs) {
    self.theme = theme
    self.signs = signs
  }

  /// Creates the look that fits a terminal.
  public init(_ capabilities: TerminalCapabilities) {
    self.init(
      theme: Theme(capabilities.colorSupport),
      signs: capabilities.isUnicode ? .unicode : .ascii)
  }
}
