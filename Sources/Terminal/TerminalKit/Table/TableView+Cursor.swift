extension TableView {
  /// The path of the row under the cursor; nil only if there are no rows.
  public var cursor: TablePath? { state.cursor.flatMap { state.offsets.path(of: $0) } }

  /// The number of the row under the cursor across all sections; nil only if there are no rows.
  package var cursorRow: Int? { state.cursor }

  /// The section of the row under the cursor; nil only if there are no rows.
  package var currentSection: Int? { cursor?.section }

  /// Moves the cursor and scrolls to make it visible.
  package func move(_ motion: TableMotion) {
    changeCursor { $0.move(motion) }
  }

  /// Moves the cursor to a row and scrolls to it; does nothing if there is no such row.
  public func moveCursor(to path: TablePath) {
    guard let row = state.offsets.row(at: path) else { return }
    changeCursor {
      $0.jump(to: row)
      $0.scrollToCursor()
    }
  }

  /// Scrolls by lines, as the mouse wheel does; the cursor moves only to stay visible.
  ///
  /// - Parameter lines: Positive to scroll down, negative to scroll up.
  package func scroll(byLines lines: Int) {
    changeCursor { $0.scroll(byLines: lines) }
  }

  /// Whether a row is on the screen.
  package func isVisible(_ path: TablePath) -> Bool {
    state.offsets.row(at: path).map(state.isVisible) ?? false
  }

  /// Scrolls towards a row, as far as the cursor's row stays visible.
  package func scroll(towards path: TablePath) {
    guard let row = state.offsets.row(at: path), !state.isVisible(row) else { return }
    state.setTopLine(state.line(ofRow: row) + 1 - state.height)
    state.scrollToCursor()
  }

  /// A cursor and scroll position to return to.
  package struct Position: Hashable, Sendable {
    /// The number of the row under the cursor across all sections; nil if there were no rows.
    package let row: Int?
    /// The line of the screen that the cursor is on; nil if there are no rows.
    let cursorLine: Int?
    /// The first visible line.
    let topLine: Int
  }

  /// The cursor and scroll position; a position past the end is set to the last row.
  package var position: Position {
    get { Position(row: state.cursor, cursorLine: state.cursorLine, topLine: state.topLine) }
    set {
      changeCursor {
        if let row = newValue.row { $0.setCursor(row) }
        $0.setTopLine(newValue.topLine)
        $0.scrollToCursor()
      }
      if state.height == 0 { positionToDraw = newValue }
    }
  }

  /// Scrolls so that the cursor is on the line of the screen that it was on.
  package func showCursor(onLineOf position: Position) {
    if let line = position.cursorLine { state.setCursorLine(line) }
  }

  /// Scrolls to the position that was set before the first drawing, if the cursor is still there.
  func showPositionToDraw() {
    guard let wanted = positionToDraw else { return }
    positionToDraw = nil
    if wanted.row == state.cursor { position = wanted }
  }

  private func changeCursor(_ change: (inout TableState) -> Void) {
    let before = state.cursor
    change(&state)
    if state.cursor != before { delegate?.tableViewDidMoveCursor(self) }
  }

  // MARK: Type-ahead

  /// Returns the sections whose title starts with a prefix; ``fold`` folds both.
  ///
  /// - Parameter prefix: The beginning of a section title; may be empty.
  /// - Returns: The indices of the sections in order; all sections if the prefix is empty.
  /// - Complexity: O(sections).
  package func sections(matching prefix: String) -> [Int] {
    let wanted = fold(prefix)
    return (0..<numberOfSections).filter { section in
      let title = dataSource?.tableView(self, titleForHeaderInSection: section) ?? ""
      return fold(String(title.prefix(prefix.count + 1))).hasPrefix(wanted)
    }
  }
}
