/// The glyphs that are drawn for meanings.
///
/// There are two sets: one for terminals that show Unicode, and one in ASCII for all others.
public struct Signs: Hashable, Sendable {
  /// Whether the terminal shows Unicode; if not, text beyond ASCII is drawn as `?`.
  public let isUnicode: Bool
  /// Marks the row under the cursor.
  public let cursor: String
  /// Marks a selected row.
  public let selected: String
  /// Flags a row that is marked for deletion.
  public let deleted = "D"
  /// Flags a row with unsaved changes.
  public let changed = "*"
  /// Flags a row that is new.
  public let inserted = "+"
  /// A rule from left to right.
  public let horizontal: String
  /// A rule from top to bottom.
  public let vertical: String
  /// The corners of a box: top left, top right, bottom left, bottom right.
  public let corners: [String]
  /// Stands for what was cut off.
  public let ellipsis: String
  /// Sorted from small to large.
  public let ascending: String
  /// Sorted from large to small.
  public let descending: String
  /// Stands for no value.
  public let null: String
  /// A relationship to one object.
  public let toOne: String
  /// A relationship to many objects.
  public let toMany: String
  /// The Enter key.
  public let enter: String
  /// Says that the list is live.
  public let live: String
  /// Between the steps of a path.
  public let path: String
  /// Skipped titles in the index strip.
  public let skipped: String
  /// A row that leads to more.
  public let disclosure: String
  /// A row that has a detail view.
  public let detail: String
  /// A row that is ticked.
  public let checkmark: String
  /// Between items of a line.
  public let separator: String
  /// To the left of the focused button.
  public let focusLeft: String
  /// To the right of the focused button.
  public let focusRight: String
  /// More above.
  public let moreAbove: String
  /// More below.
  public let moreBelow: String
  /// The pictures of a spinner, one after the other.
  public let spinner: [String]

  /// The signs for terminals that show Unicode.
  public static let unicode = Signs(
    isUnicode: true, cursor: "▌", selected: "●", horizontal: "─", vertical: "│",
    corners: ["┌", "┐", "└", "┘"], ellipsis: "…", ascending: "↑", descending: "↓", null: "∅",
    toOne: "→", toMany: "⇉", enter: "⏎", live: "●", path: "›", skipped: "·", disclosure: "›",
    detail: "ⓘ", checkmark: "✓", separator: "·", focusLeft: "▶", focusRight: "◀", moreAbove: "▲",
    moreBelow: "▼", spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"])

  /// The signs for all other terminals.
  public static let ascii = Signs(
    isUnicode: false, cursor: ">", selected: "o", horizontal: "-", vertical: "|",
    corners: ["+", "+", "+", "+"], ellipsis: "~", ascending: "^", descending: "v", null: "NULL",
    toOne: "->", toMany: "=>", enter: "Enter", live: "*", path: ">", skipped: ".", disclosure: ">",
    detail: "i", checkmark: "x", separator: "-", focusLeft: ">", focusRight: "<", moreAbove: "^",
    moreBelow: "v", spinner: ["|", "/", "-", "\\"])
}
