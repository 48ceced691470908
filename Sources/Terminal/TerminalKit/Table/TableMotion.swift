/// A movement of the cursor in a table or grid.
///
/// Counts of 0 or less do nothing. Movements stop at the first and the last row.
package enum TableMotion: Hashable, Sendable {
  /// Up by a number of lines of rows.
  case up(Int)
  /// Down by a number of lines of rows.
  case down(Int)
  /// To the left by a number of rows of a grid, from the first of a line to the line above.
  ///
  /// Does nothing in a table.
  case left(Int)
  /// To the right by a number of rows of a grid, from the last of a line to the line below.
  ///
  /// Does nothing in a table.
  case right(Int)
  /// Up by a number of half pages.
  case halfPageUp(Int)
  /// Down by a number of half pages.
  case halfPageDown(Int)
  /// Up by a number of pages.
  case pageUp(Int)
  /// Down by a number of pages.
  case pageDown(Int)
  /// To the first row.
  case first
  /// To the last row.
  case last
  /// To a row number, counted from 1 across all sections.
  case row(Int)
  /// To a percentage of the rows, 0 to 100.
  case percent(Int)
  /// Forward by a number of sections, to the first row of the section.
  case nextSection(Int)
  /// Back by a number of sections; the first step goes to the start of the current section.
  case previousSection(Int)
  /// To the first row of a section, or of the next section that has rows.
  case section(Int)
  /// To the first row on the screen.
  case screenTop
  /// To the row in the middle of the screen.
  case screenMiddle
  /// To the last row on the screen.
  case screenBottom
  /// Scrolls the row under the cursor to the top of the screen.
  case cursorToTop
  /// Scrolls the row under the cursor to the middle of the screen.
  case cursorToMiddle
  /// Scrolls the row under the cursor to the bottom of the screen.
  case cursorToBottom
}

extension TableMotion {
  /// The motion of a key in every list over the screen (menu, help, panel, text); nil for others.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isTyping: Whether letters are typed into the list's filter, so that they do not move.
  package init?(_ key: Key, isTyping: Bool = false) {
    switch key {
    case .down, .control("n"): self = .down(1)
    case .up, .control("p"): self = .up(1)
    case .pageDown, .control("f"): self = .pageDown(1)
    case .pageUp, .control("b"): self = .pageUp(1)
    case .control("d"): self = .halfPageDown(1)
    case .control("u"): self = .halfPageUp(1)
    case .home: self = .first
    case .end: self = .last
    case .character("j") where !isTyping: self = .down(1)
    case .character("k") where !isTyping: self = .up(1)
    case .character("g") where !isTyping: self = .first
    case .character("G") where !isTyping: self = .last
    default: return nil
    }
  }
}
