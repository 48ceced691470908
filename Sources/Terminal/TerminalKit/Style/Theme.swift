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
  /// The field of the marked column in the row under the cursor, on top of ``cursorRow``.
  package var markedField = Style(.underline)
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

  /// Creates the theme for a terminal.
  ///
  /// - Parameters:
  ///   - support: The number of colours; `.none` uses bold, reverse and underline only.
  ///   - background: Whether the terminal is dark or light.
  package init(_ support: ColorSupport, on background: TerminalBackground = .dark) {
    colorSupport = support
    guard support > .none else { return }
    showsSwatches = true
    let palette = Palette(support, on: background)
    if let paper = palette.cursorBackground {
      cursorRow = Style(.bold, foreground: palette.cursorText, background: paper)
    }
    let gray = Style(foreground: palette.gray)
    (headerRule, headerDetail, footer, hint, dim) = (gray, gray, gray, gray, gray)
    cursorSign = Style(.bold, foreground: palette.cyan)
    strip = Style(foreground: palette.cyan)
    stripCurrent = Style([.reverse, .bold], foreground: palette.cyan)
    selectedRow = Style(.bold, foreground: palette.yellow)
    deletedRow = Style(.strikethrough, foreground: palette.red)
    changedRow = Style(foreground: palette.yellow)
    insertedRow = Style(foreground: palette.green)
    flashInserted = Style(.reverse, foreground: palette.green)
    flashUpdated = Style(.reverse, foreground: palette.yellow)
    flashMoved = Style(.reverse, foreground: palette.blue)
    flashDeleted = Style([.reverse, .strikethrough], foreground: palette.red)
    error = Style(.bold, foreground: palette.red)
    match = Style([.bold, .underline], foreground: palette.magenta)
    busy = Style(.bold, foreground: palette.cyan)
  }

  /// All styles, which a person can choose, by their names in the settings.
  package static var elements: [(name: String, path: WritableKeyPath<Theme, Style>)] {
    [
      ("title", \.title), ("column-title", \.columnTitle), ("marked-title", \.markedTitle),
      ("cursor-row", \.cursorRow), ("cursor-sign", \.cursorSign), ("marked-field", \.markedField),
      ("selected-row", \.selectedRow), ("header-rule", \.headerRule),
      ("header-title", \.headerTitle), ("header-count", \.headerDetail), ("footer", \.footer),
      ("strip", \.strip), ("strip-current", \.stripCurrent), ("deleted-row", \.deletedRow),
      ("changed-row", \.changedRow), ("inserted-row", \.insertedRow),
      ("flash-inserted", \.flashInserted), ("flash-updated", \.flashUpdated),
      ("flash-moved", \.flashMoved), ("flash-deleted", \.flashDeleted), ("message", \.message),
      ("error", \.error), ("hint", \.hint), ("hint-key", \.hintKey), ("dim", \.dim),
      ("match", \.match), ("frame", \.frame), ("focus", \.focus), ("busy", \.busy),
    ]
  }
}

/// The colours of a theme; each can be read on the theme's background and on the cursor's.
///
/// The contrast is 4.5:1 at least (WCAG 2.2, AA) with xterm's colours. Where a terminal has few, one
/// stands for several: the signs distinguish the states.
package struct Palette: Hashable, Sendable {
  package let red, green, yellow, blue, magenta, cyan: Color
  /// The colour of secondary text; the standard one where there is no grey that can be read.
  package let gray: Color
  /// The colour of text on ``cursorBackground``.
  package let cursorText: Color
  /// The background of the row under the cursor; nil where it is shown by bold text.
  package let cursorBackground: Color?

  package init(_ support: ColorSupport, on background: TerminalBackground) {
    let colors: [UInt8] =
      switch (support, background) {
      case (.palette..., .dark): [210, 114, 221, 75, 213, 80]
      case (.palette..., .light): [124, 22, 58, 25, 90, 24]
      case (.sixteen, .dark): [9, 10, 11, 6, 13, 14]
      case (_, .dark): [3, 2, 3, 6, 3, 6]
      // The others are too bright on white.
      case (_, .light): [1, 4, 5, 4, 5, 4]
      }
    let found = colors.map(Color.indexed)
    (red, green, yellow) = (found[0], found[1], found[2])
    (blue, magenta, cyan) = (found[3], found[4], found[5])
    guard support >= .palette else {
      (gray, cursorText, cursorBackground) = (.standard, .standard, nil)
      return
    }
    let isDark = background == .dark
    gray = .indexed(isDark ? 247 : 240)
    cursorText = .indexed(isDark ? 255 : 232)
    cursorBackground = .indexed(isDark ? 236 : 254)
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
      theme: Theme(capabilities.colorSupport, on: capabilities.background),
      signs: capabilities.isUnicode ? .unicode : .ascii)
  }
}
