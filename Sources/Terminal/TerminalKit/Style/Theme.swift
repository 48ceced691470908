/// The style of each element of the interface.
///
/// Every state that a colour shows is shown by a character too, so nothing is lost without colours.
package struct Theme: Hashable, Sendable {
  /// The title line at the top, which shows the store and the entity.
  package var title = Style(.bold)
  /// The titles of the columns.
  package var columnTitle = Style(.bold)
  /// The title of the marked column, on top of ``columnTitle``.
  package var markedTitle = Style(.underline)
  /// Whether colours are shown as swatches beside their texts.
  package var showsSwatches = false
  /// The row under the cursor.
  package var cursorRow = Style(.bold)
  /// The glyph in front of the row under the cursor.
  package var cursorSign = Style(.bold)
  /// A selected row.
  package var selectedRow = Style(.bold)
  /// The horizontal line of a section header.
  package var headerRule = Style.plain
  /// The title in a section header.
  package var headerTitle = Style(.bold)
  /// The count in a section header.
  package var headerDetail = Style.plain
  /// A section footer.
  package var footer = Style.plain
  /// The index strip.
  package var strip = Style.plain
  /// The current section in the index strip.
  package var stripCurrent = Style(.reverse)
  /// A row marked for deletion.
  package var deletedRow = Style.plain
  /// A row with unsaved changes.
  package var changedRow = Style.plain
  /// A new, unsaved row.
  package var insertedRow = Style.plain
  /// The highlight of a row that was just inserted.
  package var flashInserted = Style(.reverse)
  /// The highlight of a row that was just updated.
  package var flashUpdated = Style(.underline)
  /// The highlight of a row that just moved.
  package var flashMoved = Style(.underline)
  /// The highlight of a row that was just deleted, drawn once more until the highlight ends.
  package var flashDeleted = Style(.reverse)
  /// A message in the status line.
  package var message = Style.plain
  /// An error in the status line.
  package var error = Style(.bold)
  /// The text of the hint line.
  package var hint = Style.plain
  /// A key in the hint line and in the help.
  package var hintKey = Style(.bold)
  /// Secondary text: a detail, an empty value.
  package var dim = Style.plain
  /// A search match within text.
  package var match = Style(.underline)
  /// The frame of a dialog.
  package var frame = Style.plain
  /// The focused button, or the selected item of a menu.
  package var focus = Style(.reverse)
  /// The spinner and the counts of the progress line.
  package var busy = Style(.bold)

  /// The colours of the terminal.
  package let colorSupport: ColorSupport

  /// Returns the style of text on a colour as the terminal shows it: black or white, whichever has
  /// more contrast; plain on a terminal without colours.
  package func swatch(_ color: Color) -> Style {
    let shown = color.degraded(to: colorSupport)
    guard let isLight = shown.isLight else { return .plain }
    let text: UInt8 = isLight ? 0 : 255
    return Style(
      foreground: Color.rgb(red: text, green: text, blue: text).degraded(to: colorSupport),
      background: shown)
  }

  /// Creates the default theme for a terminal.
  ///
  /// - Parameter support: The number of colours; `.none` uses bold, reverse and underline only.
  package init(_ support: ColorSupport) {
    colorSupport = support
    guard support > .none else { return }
    showsSwatches = true
    // Both colours, so that it can be read on light terminals too.
    if support >= .palette {
      cursorRow = Style(.bold, foreground: .indexed(255), background: .indexed(238))
    }
    cursorSign = Style(.bold, foreground: .cyan)
    headerRule = Style(.dim)
    headerDetail = Style(.dim)
    footer = Style(.dim)
    strip = Style(foreground: .cyan)
    stripCurrent = Style([.reverse, .bold], foreground: .cyan)
    selectedRow = Style(.bold, foreground: .yellow)
    deletedRow = Style([.dim, .strikethrough], foreground: .red)
    changedRow = Style(foreground: .yellow)
    insertedRow = Style(foreground: .green)
    flashInserted = Style(.reverse, foreground: .green)
    flashUpdated = Style(.reverse, foreground: .yellow)
    flashMoved = Style(.reverse, foreground: .blue)
    flashDeleted = Style([.reverse, .strikethrough], foreground: .red)
    error = Style(.bold, foreground: .red)
    hint = Style(.dim)
    hintKey = Style(.bold)
    dim = Style(.dim)
    match = Style([.bold, .underline], foreground: .magenta)
    busy = Style(.bold, foreground: .cyan)
  }
}

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
