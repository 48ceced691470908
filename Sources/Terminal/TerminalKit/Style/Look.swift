/// The styles and glyphs that suit a terminal.
///
/// A ``Canvas`` carries them to the views that draw into it.
package struct Look: Hashable, Sendable {
  /// The style of each element of the interface.
  package var theme: Theme
  /// The glyph of each element of the interface.
  package var signs: Signs

  /// Creates a look from a theme and glyphs.
  package init(theme: Theme, signs: Signs) {
    self.theme = theme
    self.signs = signs
  }

  /// Creates the look that suits a terminal's colours and character set.
  package init(_ capabilities: TerminalCapabilities) {
    self.init(
      theme: Theme(capabilities.colorSupport),
      signs: capabilities.isUnicode ? .unicode : .ascii)
  }
}
