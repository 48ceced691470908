import TerminalKit

/// What a key does, whichever key it is bound to.
nonisolated enum Action: String, Hashable, Sendable, CaseIterable {
  // Moving
  case rowDown, rowUp, first, last, halfPageDown, halfPageUp, pageDown, pageUp
  case nextSection, previousSection, jumpToSection, percent
  case cellLeft, cellRight
  case nextColumn, previousColumn, screenTop, screenMiddle, screenBottom, scroll
  // Finding and looking
  case filter, escape, sort, reverse, refresh, redraw
  case find, findNext, findPrevious, onlyValue, withoutValue
  case sections, sectionsBy, columns, summary
  case row, tables, toggleGrid, hideEmpty
  // Following
  case open, close, nextForm, previousForm, writeFile, back, nextObject, previousObject
  // Selecting and changing
  case toggleSelection, selectRange, selectAll, selectNone
  case edit, insert, duplicate, add, chooseNull
  case delete, unmark, undo, redo, save, discard
  // The program
  case messages, copy, preview
  case command, entities, help, quit, quitProgram, suspend

  /// What the action acts on, so that its key waits for rows, and is dropped on one that is unread.
  ///
  /// - Parameter isPage: Whether the screen shows one object.
  /// - Returns: The target.
  func target(onPage isPage: Bool) -> KeyCommand.Target {
    switch self {
    case .open, .duplicate, .toggleSelection, .selectRange, .onlyValue, .withoutValue: .row
    case .edit, .delete, .unmark, .copy: .rows
    case .insert, .add, .row: isPage ? .row : .nothing
    case .rowDown, .rowUp, .first, .last, .halfPageDown, .halfPageUp, .pageDown, .pageUp,
      .nextSection, .previousSection, .jumpToSection, .percent, .cellLeft, .cellRight,
      .nextColumn, .previousColumn, .screenTop, .screenMiddle, .screenBottom, .scroll,
      .filter, .escape, .sort, .reverse, .refresh, .redraw, .find, .findNext, .findPrevious,
      .sections, .sectionsBy, .columns, .summary, .tables, .toggleGrid, .hideEmpty,
      .close, .nextForm, .previousForm, .writeFile, .back, .nextObject, .previousObject,
      .selectAll, .selectNone, .chooseNull, .undo, .redo, .save, .discard,
      .messages, .preview, .command, .entities, .help, .quit, .quitProgram, .suspend:
      .nothing
    }
  }
}
