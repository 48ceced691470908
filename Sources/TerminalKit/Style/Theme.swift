/// The look of each thing that has a meaning.
///
/// Colour only doubles a sign: what a style says is always said by a character too, so that
/// without colours nothing is lost.
public struct Theme: Hashable, Sendable {
  /// The line at the top that says where one is.
  public var title = Style(.bold)
  /// The titles of the columns.
  public var columnTitle = Style(.bold)
  /// The row under the cursor.
  public var cursorRow = Style(.bold)
  /// The sign that marks the row under the cursor.
  public var cursorSign = Style(.bold)
  /// A row that is selected.
  public var selectedRow = Style(.bold)
  /// The rule of a section header.
  public var headerRule = Style.plain
  /// The title in a section header.
  public var headerTitle = Style(.bold)
  /// The count in a section header.
  public var headerDetail = Style.plain
  /// The text below a section.
  public var footer = Style.plain
  /// The index strip.
  public var strip = Style.plain
  /// The current section in the index strip.
  public var stripCurrent = Style(.reverse)
  /// A row that is marked for deletion.
  public var deletedRow = Style.plain
  /// A row with unsaved changes.
  public var changedRow = Style.plain
  /// A row that is new and not saved.
  public var insertedRow = Style.plain
  /// A row that has just come.
  public var flashInserted = Style(.reverse)
  /// A row that has just changed.
  public var flashUpdated = Style(.underline)
  /// A row that has just changed its place.
  public var flashMoved = Style(.underline)
  /// A row that is seen to go.
  public var flashDeleted = Style(.reverse)
  /// A message in the status line.
  public var message = Style.plain
  /// An error.
  public var error = Style(.bold)
  /// The line of hints at the bottom.
  public var hint = Style.plain
  /// A key in the line of hints and in the help.
  public var hintKey = Style(.bold)
  /// Text of less weight: a detail, an empty value.
  public var dim = Style.plain
  /// What was searched for, where it is found.
  public var match = Style(.underline)
  /// The frame of a dialog.
  public var frame = Style.plain
  /// The button or line that Enter takes.
  public var focus = Style(.reverse)
  /// The busy line's spinner and figures.
  public var busy = Style(.bold)

  /// Creates the look for a terminal.
  ///
  /// - Parameter support: What the terminal can do; `.none` uses bold, reverse and underline only.
  public init(_ support: ColorSupport) {
    guard support > .none else { return }
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
