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
  case sections, sectionsBy, columns
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
}
