extension TableView {
  /// The numbers of the selected rows across all sections.
  public var selection: RowSet { state.selection }

  /// Selects the row under the cursor, or deselects it if it is selected.
  package func toggleSelection() {
    guard let row = state.cursor else { return }
    setSelected(!state.selection.contains(row), rows: row..<row + 1)
  }

  /// Selects or deselects rows by their numbers across all sections.
  ///
  /// Row numbers that do not exist are ignored.
  package func setSelected(_ isSelected: Bool, rows: Range<Int>) {
    let rows = rows.clamped(to: 0..<numberOfRows)
    if isSelected { state.selection.insert(rows) } else { state.selection.remove(rows) }
  }

  /// Selects all rows.
  public func selectAll() {
    state.selection = RowSet(0..<numberOfRows)
  }

  /// Deselects all rows.
  public func selectNone() {
    state.selection = RowSet()
  }

  /// Calls `willSelectRowAt` and `didSelectRowAt` for the row under the cursor, as Enter does.
  ///
  /// The delegate may refuse or substitute another row, which then gets the cursor. Does not change
  /// ``selection``.
  package func chooseCursorRow() {
    guard let cursor, let delegate,
      let path = delegate.tableView(self, willSelectRowAt: cursor)
    else { return }
    moveCursor(to: path)
    delegate.tableView(self, didSelectRowAt: path)
  }
}
