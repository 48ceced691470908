/// Handles a person's actions in a table.
///
/// All methods are optional: the defaults allow every action and do nothing.
@MainActor
public protocol TableViewDelegate: AnyObject {
  /// Called before a row is chosen with Enter or a double click.
  ///
  /// - Returns: The row to choose, usually the same; nil to refuse.
  func tableView(_ tableView: TableView, willSelectRowAt path: TablePath) -> TablePath?
  /// Called after a row was chosen with Enter or a double click.
  func tableView(_ tableView: TableView, didSelectRowAt path: TablePath)
  /// Called after the cursor moved to another row, and after every reload and batch update.
  func tableViewDidMoveCursor(_ tableView: TableView)
  /// Called with the row numbers across all sections that are about to be drawn.
  ///
  /// Called before their cells are requested, so that they can be fetched together.
  func tableView(_ tableView: TableView, willDisplayRows rows: Range<Int>)
}

extension TableViewDelegate {
  /// Returns the same path.
  public func tableView(_ tableView: TableView, willSelectRowAt path: TablePath) -> TablePath? {
    path
  }
  /// Does nothing.
  public func tableView(_ tableView: TableView, didSelectRowAt path: TablePath) {}
  /// Does nothing.
  public func tableViewDidMoveCursor(_ tableView: TableView) {}
  /// Does nothing.
  public func tableView(_ tableView: TableView, willDisplayRows rows: Range<Int>) {}
}
