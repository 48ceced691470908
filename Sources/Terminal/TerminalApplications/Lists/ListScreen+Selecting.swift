import FetchedResults
import ListProviders
import ManagedObjects
package import ObjectModel
import TerminalKit

/// A selection that reaches from a row to the cursor.
package struct RangeSelection {
  /// The row at which it began, and its object.
  let anchor: Int
  let anchorID: ObjectID
  /// What was selected before.
  let before: RowSet
}

extension ListScreen {
  /// How many objects are selected, also those that the list does not show.
  ///
  /// All objects of a windowed list are about as many as it is known to have.
  package var selectedCount: Int {
    guard provider.selectsAll else {
      return tableView.selection.count + provider.hiddenSelection.count
    }
    return controller.listCount?.count ?? tableView.numberOfRows
  }

  /// The number of selected objects, how many of them are not shown, and how a range ends; empty for
  /// none.
  package var selectionText: String {
    guard selectedCount > 0 else { return "" }
    if provider.selectsAll { return "\(listCountText ?? "…") selected" }
    // Of a windowed list most rows are not here, which says nothing about them.
    let hidden = controller.isWindowed ? 0 : provider.hiddenSelection.count
    let all = "\(groupedDigits(selectedCount)) selected"
    return all + (hidden == 0 ? "" : ", \(groupedDigits(hidden)) not shown")
      + (rangeSelection == nil
        ? "" : advice(("v", "ends the range"), (.escape, "cancels it")))
  }

  /// Selects or deselects rows from the cursor on, and moves past them.
  package func toggleSelection(_ count: Int) {
    if rangeSelection != nil {
      rangeSelection = nil
      return
    }
    guard !refusesSingleRows() else { return }
    for _ in 0..<min(count, max(tableView.numberOfRows - (tableView.cursorRow ?? 0), 0)) {
      tableView.toggleSelection()
      moveForward(by: 1)
    }
    hasMovedCursor = true
  }

  /// Selects all objects: those of a windowed list by their condition, others once they are here.
  package func selectAll() {
    rangeSelection = nil
    if controller.isWindowed, !controller.showsEarlierRequest { return provider.selectAll() }
    whenComplete { [weak self] in self?.provider.selectAll() }
  }

  /// Says that single rows cannot be deselected while all are selected by their condition.
  ///
  /// - Returns: Whether they are.
  private func refusesSingleRows() -> Bool {
    if provider.selectsAll {
      fail("All are selected by their condition, and not row by row" + advice((.escape, "none")))
    }
    return provider.selectsAll
  }

  /// Deselects all objects, also those that the list does not show.
  package func selectNone() {
    rangeSelection = nil
    provider.selectNone()
  }

  // MARK: A range

  /// Begins a range at the cursor, or ends it: its rows stay selected.
  package func toggleRange() {
    guard rangeSelection == nil else {
      rangeSelection = nil
      return
    }
    guard !refusesSingleRows(), let row = tableView.cursorRow, let id = cursorID else { return }
    rangeSelection = RangeSelection(anchor: row, anchorID: id, before: tableView.selection)
    extendRange()
  }

  /// Selects the rows from the beginning of the range to the cursor.
  package func extendRange() {
    guard let range = rangeSelection, let row = tableView.cursorRow else { return }
    select(range.before)
    tableView.setSelected(true, rows: min(range.anchor, row)..<max(range.anchor, row) + 1)
  }

  /// Ends the range when the list changes, unless rows of a windowed list came or went at its ends.
  func followRange() {
    guard let range = rangeSelection else { return }
    rangeSelection = nil
    guard controller.isWindowed, controller.changeOrigin == .fetch else { return }
    guard let anchor = results?.ids.index(of: range.anchorID) else {
      return fail("The range ended where it was: its first row is too far away to be held")
    }
    var before = RowSet()
    for rows in range.before.ranges {
      let start = max(rows.lowerBound + anchor - range.anchor, 0)
      let end = min(rows.upperBound + anchor - range.anchor, tableView.numberOfRows)
      if start < end { before.insert(start..<end) }
    }
    rangeSelection = RangeSelection(anchor: anchor, anchorID: range.anchorID, before: before)
  }

  /// Ends the range; what was selected before is selected again.
  func cancelRange() {
    if let before = rangeSelection?.before { select(before) }
    rangeSelection = nil
  }

  private func select(_ rows: RowSet) {
    tableView.selectNone()
    for range in rows.ranges { tableView.setSelected(true, rows: range) }
  }

  // MARK: What commands act on

  /// The selected objects that the list shows; without a selection a number of objects from the
  /// cursor on.
  ///
  /// If all objects of a windowed list are selected these are a few of them.
  package func chosenIDs(count: Int? = nil) -> [ObjectID] {
    guard let ids = results?.ids else { return [] }
    guard selectedCount == 0 else {
      return tableView.selection.ranges.flatMap { range in
        range.clamped(to: ids.indices).map { ids[$0] }
      }
    }
    return cursorIDs(count: count ?? 1)
  }

  /// A number of objects from the cursor on.
  func cursorIDs(count: Int) -> [ObjectID] {
    guard let ids = results?.ids, let row = tableView.cursorRow, ids.indices.contains(row)
    else { return [] }
    return Array(ids[row..<min(row + max(count, 1), ids.count)])
  }
}
