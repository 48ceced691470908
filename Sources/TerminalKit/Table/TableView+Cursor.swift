extension TableView {
  /// The place of the row under the cursor; nil only when there are no rows.
  public var cursor: TablePath? { state.cursor.flatMap { state.offsets.path(of: $0) } }

  /// The row under the cursor, counted through all sections; nil only when there are no rows.
  public var cursorRow: Int? { state.cursor }

  /// The section that the cursor is in; nil only when there are no rows.
  public var currentSection: Int? { cursor?.section }

  /// Moves the cursor.
  public func move(_ motion: TableMotion) {
    changeCursor { $0.move(motion) }
  }

  /// Moves the cursor to a row; nothing happens when there is no such row.
  public func moveCursor(to path: TablePath) {
    guard let row = state.offsets.row(at: path) else { return }
    changeCursor {
      $0.jump(to: row)
      $0.scrollToCursor()
    }
  }

  /// Moves the window by lines, as the wheel does; the cursor comes along at the edges.
  public func scroll(byLines lines: Int) {
    changeCursor { $0.scroll(byLines: lines) }
  }

  /// Where the cursor and the window are, to come back to.
  public struct Position: Hashable, Sendable {
    /// The row under the cursor, counted through all sections.
    public let row: Int?
    /// The first line of the window.
    let topLine: Int
  }

  /// The present position; setting it goes there as far as the table reaches.
  public var position: Position {
    get { Position(row: state.cursor, topLine: state.topLine) }
    set {
      changeCursor {
        if let row = newValue.row { $0.setCursor(row) }
        $0.setTopLine(newValue.topLine)
        $0.scrollToCursor()
      }
    }
  }

  private func changeCursor(_ change: (inout TableState) -> Void) {
    let before = state.cursor
    change(&state)
    if state.cursor != before { delegate?.tableViewDidMoveCursor(self) }
  }

  // MARK: Sections by letters

  /// The sections whose title begins with letters, case and accents aside.
  ///
  /// - Parameter prefix: The letters; a Latin letter also finds its accented forms.
  /// - Returns: In the order of the table. All sections when there are no letters.
  /// - Complexity: O(sections).
  public func sections(matching prefix: String) -> [Int] {
    let wanted = foldedForMatching(prefix)
    return (0..<numberOfSections).filter { section in
      let title = dataSource?.tableView(self, titleForHeaderInSection: section) ?? ""
      return foldedForMatching(title.prefix(prefix.count + 1)).hasPrefix(wanted)
    }
  }
}
