extension TableView {
  /// The selected rows, counted through all sections.
  public var selection: RowSet { state.selection }

  /// Selects the row under the cursor, or takes its selection back.
  public func toggleSelection() {
    guard let row = state.cursor else { return }
    setSelected(!state.selection.contains(row), rows: row..<row + 1)
  }

  /// Selects rows or takes their selection back; rows that do not exist are left out.
  public func setSelected(_ isSelected: Bool, rows: Range<Int>) {
    let rows = rows.clamped(to: 0..<numberOfRows)
    if isSelected { state.selection.insert(rows) } else { state.selection.remove(rows) }
  }

  /// Selects all rows.
  public func selectAll() {
    state.selection = RowSet(0..<numberOfRows)
  }

  /// Selects no row.
  public func selectNone() {
    state.selection = RowSet()
  }

  /// Chooses the row under the cursor, as Enter does.
  ///
  /// The delegate may refuse or choose another row.
  public func chooseCursorRow() {
    guard let cursor else { return }
    guard let delegate else { return }
    guard let path = delegate.tableView(self, willSelectRowAt: cursor) else { return }
    moveCursor(to: path)
    delegate.tableView(self, didSelectRowAt: path)
  }

  /// Deletes the row under the cursor, if the delegate agrees.
  ///
  /// - Returns: Whether the delegate was told to delete it.
  @discardableResult
  public func deleteCursorRow() -> Bool {
    guard let cursor, let delegate, delegate.tableView(self, canEditRowAt: cursor) else {
      return false
    }
    delegate.tableView(self, commitDeleteForRowAt: cursor)
    return true
  }
}
