/// Is asked and told about what a person does in a table.
///
/// Every method has a default, so one writes only those that matter.
@MainActor
public protocol TableViewDelegate: AnyObject {
  /// Is asked before a row is chosen; nil refuses, another path chooses that one.
  func tableView(_ tableView: TableView, willSelectRowAt path: TablePath) -> TablePath?
  /// Is told that a row was chosen with Enter or the mouse.
  func tableView(_ tableView: TableView, didSelectRowAt path: TablePath)
  /// Is told that the accessory of a row was chosen.
  func tableView(_ tableView: TableView, accessoryTappedForRowAt path: TablePath)
  /// Is told that the cursor stands on another row, or on none.
  func tableViewDidMoveCursor(_ tableView: TableView)
  /// Is asked before a row is deleted.
  func tableView(_ tableView: TableView, canEditRowAt path: TablePath) -> Bool
  /// Deletes the object of a row; the row goes with the batch that follows.
  func tableView(_ tableView: TableView, commitDeleteForRowAt path: TablePath)
  /// Is told which rows will be drawn, before their cells are asked for.
  ///
  /// Rows are counted through all sections. A good moment to fetch them together.
  func tableView(_ tableView: TableView, willDisplayRows rows: Range<Int>)
}

extension TableViewDelegate {
  /// Agrees.
  public func tableView(_ tableView: TableView, willSelectRowAt path: TablePath) -> TablePath? {
    path
  }
  /// Does nothing.
  public func tableView(_ tableView: TableView, didSelectRowAt path: TablePath) {}
  /// Does nothing.
  public func tableView(_ tableView: TableView, accessoryTappedForRowAt path: TablePath) {}
  /// Does nothing.
  public func tableViewDidMoveCursor(_ tableView: TableView) {}
  /// Agrees.
  public func tableView(_ tableView: TableView, canEditRowAt path: TablePath) -> Bool { true }
  /// Does nothing.
  public func tableView(_ tableView: TableView, commitDeleteForRowAt path: TablePath) {}
  /// Does nothing.
  public func tableView(_ tableView: TableView, willDisplayRows rows: Range<Int>) {}
}
