/// A movement of a table's cursor.
///
/// Counts of 0 or less do nothing. Every motion ends at the first or last row at the latest.
public enum TableMotion: Hashable, Sendable {
  /// Rows up.
  case up(Int)
  /// Rows down.
  case down(Int)
  /// Half pages up.
  case halfPageUp(Int)
  /// Half pages down.
  case halfPageDown(Int)
  /// Pages up.
  case pageUp(Int)
  /// Pages down.
  case pageDown(Int)
  /// To the first row.
  case first
  /// To the last row.
  case last
  /// To a row, counted from 1 through all sections.
  case row(Int)
  /// To a part of the whole, 0 to 100.
  case percent(Int)
  /// To the first row of a following section.
  case nextSection(Int)
  /// To the first row of this section, and from there of a preceding one.
  case previousSection(Int)
  /// To the first row of a section, or of the next that has rows.
  case section(Int)
}
