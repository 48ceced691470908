/// The glyphs of the interface: one set for Unicode terminals, one in ASCII for all others.
package struct Signs: Hashable, Sendable {
  /// Whether the terminal shows Unicode; if not, characters beyond ASCII are drawn as `?`.
  package let isUnicode: Bool
  /// Marks the row under the cursor.
  package let cursor: String
  /// Marks a selected row.
  package let selected: String
  /// Flags a row marked for deletion.
  package let deleted = "D"
  /// Flags a row with unsaved changes.
  package let changed = "*"
  /// Flags a new, unsaved row.
  package let inserted = "+"
  /// One column of a horizontal line.
  package let horizontal: String
  /// One line of a vertical line.
  package let vertical: String
  /// The corners of a box: top left, top right, bottom left, bottom right.
  package let corners: [String]
  /// Marks truncated text.
  package let ellipsis: String
  /// Marks the column that rows are sorted by, ascending.
  package let ascending: String
  /// Marks the column that rows are sorted by, descending.
  package let descending: String
  /// Shown for NULL.
  package let null: String
  /// Marks a to-one relationship.
  package let toOne: String
  /// Marks a to-many relationship.
  package let toMany: String
  /// The name of the Enter key.
  package let enter: String
  /// Stands for a row that is still to be read.
  package let waiting: String
  /// Indicates that the list follows changes of the store.
  package let live: String
  /// Separates the steps of the breadcrumb in the title line.
  package let path: String
  /// Stands for omitted titles in the index strip.
  package let skipped: String
  /// The disclosure indicator at the right of a row.
  package let disclosure: String
  /// The detail accessory at the right of a row.
  package let detail: String
  /// The checkmark at the right of a row.
  package let checkmark: String
  /// Separates items within a line.
  package let separator: String
  /// Drawn to the left of the focused button.
  package let focusLeft: String
  /// Drawn to the right of the focused button.
  package let focusRight: String
  /// Indicates that there is more to scroll to above.
  package let moreAbove: String
  /// Indicates that there is more to scroll to below.
  package let moreBelow: String
  /// Indicates that there is more to scroll to at the left.
  package let moreLeft: String
  /// Indicates that there is more to scroll to at the right.
  package let moreRight: String
  /// One column of a bar.
  package let bar: String
  /// The frames of the spinner in order.
  package let spinner: [String]

  /// The glyphs for terminals that show Unicode.
  package static let unicode = Signs(
    isUnicode: true, cursor: "▌", selected: "●", horizontal: "─", vertical: "│",
    corners: ["┌", "┐", "└", "┘"], ellipsis: "…", ascending: "↑", descending: "↓", null: "∅",
    toOne: "→", toMany: "⇉", enter: "⏎", waiting: "⋯ waiting", live: "●", path: "›", skipped: "·",
    disclosure: "›",
    detail: "ⓘ", checkmark: "✓", separator: "·", focusLeft: "▶", focusRight: "◀", moreAbove: "▲",
    moreBelow: "▼",
    moreLeft: "◂", moreRight: "▸", bar: "█",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"])

  /// The glyphs in ASCII, for all other terminals.
  package static let ascii = Signs(
    isUnicode: false, cursor: ">", selected: "o", horizontal: "-", vertical: "|",
    corners: ["+", "+", "+", "+"], ellipsis: "~", ascending: "^", descending: "v", null: "NULL",
    toOne: "->", toMany: "=>", enter: "Enter", waiting: "... waiting", live: "*", path: ">",
    skipped: ".", disclosure: ">",
    detail: "i", checkmark: "x", separator: "-", focusLeft: ">", focusRight: "<", moreAbove: "^",
    moreBelow: "v",
    moreLeft: "<", moreRight: ">", bar: "#", spinner: ["|", "/", "-", "\\"])
}
