/// The glyphs of the interface: one set for Unicode terminals, one in ASCII for all others.
public struct Signs: Hashable, Sendable {
  /// Whether the terminal shows Unicode; if not, characters beyond ASCII are drawn as `?`.
  public let isUnicode: Bool
  /// Marks the row under the cursor.
  public let cursor: String
  /// Marks a selected row.
  public let selected: String
  /// Flags a row marked for deletion.
  public let deleted = "D"
  /// Flags a row with unsaved changes.
  public let changed = "*"
  /// Flags a new, unsaved row.
  public let inserted = "+"
  /// One column of a horizontal line.
  public let horizontal: String
  /// One line of a vertical line.
  public let vertical: String
  /// The corners of a box: top left, top right, bottom left, bottom right.
  public let corners: [String]
  /// Marks truncated text.
  public let ellipsis: String
  /// Marks the column that rows are sorted by, ascending.
  public let ascending: String
  /// Marks the column that rows are sorted by, descending.
  public let descending: String
  /// Shown for NULL.
  public let null: String
  /// Marks a to-one relationship.
  public let toOne: String
  /// Marks a to-many relationship.
  public let toMany: String
  /// The name of the Enter key.
  public let enter: String
  /// Stands for a row that is still to be read.
  public let waiting: String
  /// Indicates that the list follows changes of the store.
  public let live: String
  /// Separates the steps of the breadcrumb in the title line.
  public let path: String
  /// Stands for omitted titles in the index strip.
  public let skipped: String
  /// The disclosure indicator at the right of a row.
  public let disclosure: String
  /// The detail accessory at the right of a row.
  public let detail: String
  /// The checkmark at the right of a row.
  public let checkmark: String
  /// Separates items within a line.
  public let separator: String
  /// Drawn to the left of the focused button.
  public let focusLeft: String
  /// Drawn to the right of the focused button.
  public let focusRight: String
  /// Indicates that there is more to scroll to above.
  public let moreAbove: String
  /// Indicates that there is more to scroll to below.
  public let moreBelow: String
  /// Indicates that there is more to scroll to at the left.
  public let moreLeft: String
  /// Indicates that there is more to scroll to at the right.
  public let moreRight: String
  /// One column of a bar.
  public let bar: String
  /// The frames of the spinner in order.
  public let spinner: [String]

  /// The glyphs for terminals that show Unicode.
  public static let unicode = Signs(
    isUnicode: true, cursor: "▌", selected: "●", horizontal: "─", vertical: "│",
    corners: ["┌", "┐", "└", "┘"], ellipsis: "…", ascending: "↑", descending: "↓", null: "∅",
    toOne: "→", toMany: "⇉", enter: "⏎", waiting: "⋯ waiting", live: "●", path: "›", skipped: "·",
    disclosure: "›",
    detail: "ⓘ", checkmark: "✓", separator: "·", focusLeft: "▶", focusRight: "◀", moreAbove: "▲",
    moreBelow: "▼",
    moreLeft: "◂", moreRight: "▸", bar: "█",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"])

  /// The glyphs in ASCII, for all other terminals.
  public static let ascii = Signs(
    isUnicode: false, cursor: ">", selected: "o", horizontal: "-", vertical: "|",
    corners: ["+", "+", "+", "+"], ellipsis: "~", ascending: "^", descending: "v", null: "NULL",
    toOne: "->", toMany: "=>", enter: "Enter", waiting: "... waiting", live: "*", path: ">",
    skipped: ".", disclosure: ">",
    detail: "i", checkmark: "x", separator: "-", focusLeft: ">", focusRight: "<", moreAbove: "^",
    moreBelow: "v",
    moreLeft: "<", moreRight: ">", bar: "#", spinner: ["|", "/", "-", "\\"])
}
