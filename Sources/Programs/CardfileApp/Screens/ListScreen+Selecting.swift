import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// A selection that reaches from a row to the cursor.
struct RangeSelection {
  /// The row at which it began.
  let anchor: Int
  /// What was selected before.
  let before: RowSet
}

extension ListScreen {
  /// How many objects are selected, also those that the list does not show.
  var selectedCount: Int { table.selection.count + provider.hiddenSelection.count }

  /// The number of selected objects, and how many of them are not shown; empty for none.
  var selectionText: String {
    guard selectedCount > 0 else { return "" }
    let hidden = provider.hiddenSelection.count
    let all = "\(groupedDigits(selectedCount)) selected"
    return hidden == 0 ? all : all + ", \(groupedDigits(hidden)) not shown"
  }

  /// Selects or deselects rows from the cursor on, and moves past them.
  func toggleSelection(_ count: Int) {
    if rangeSelection != nil {
      rangeSelection = nil
      return
    }
    for _ in 0..<min(count, max(table.numberOfRows - (table.cursorRow ?? 0), 0)) {
      table.toggleSelection()
      moveForward(by: 1)
    }
    hasMovedCursor = true
  }

  /// Deselects all objects, also those that the list does not show.
  func selectNone() {
    rangeSelection = nil
    provider.selectNone()
  }

  // MARK: A range

  /// Begins a range at the cursor, or ends it: its rows stay selected.
  func toggleRange() {
    guard rangeSelection == nil else {
      rangeSelection = nil
      return
    }
    guard let row = table.cursorRow else { return }
    rangeSelection = RangeSelection(anchor: row, before: table.selection)
    extendRange()
  }

  /// Selects the rows from the beginning of the range to the cursor.
  func extendRange() {
    guard let range = rangeSelection, let row = table.cursorRow else { return }
    select(range.before)
    table.setSelected(true, rows: min(range.anchor, row)..<max(range.anchor, row) + 1)
  }

  /// Ends the range; what was selected before is selected again.
  func cancelRange() {
    if let before = rangeSelection?.before { select(before) }
    rangeSelection = nil
  }

  private func select(_ rows: RowSet) {
    table.selectNone()
    for range in rows.ranges { table.setSelected(true, rows: range) }
  }

  // MARK: What actions act on

  /// The selected objects that the list shows; without a selection a number of objects from the
  /// cursor on.
  func chosenIDs(count: Int? = nil) -> [ObjectID] {
    guard let ids = controller.results?.ids else { return [] }
    guard selectedCount == 0 else {
      return table.selection.ranges.flatMap { range in
        range.clamped(to: ids.indices).map { ids[$0] }
      }
    }
    return cursorIDs(count: count ?? 1)
  }

  /// A number of objects from the cursor on.
  func cursorIDs(count: Int) -> [ObjectID] {
    guard let ids = controller.results?.ids, let row = table.cursorRow, ids.indices.contains(row)
    else { return [] }
    return Array(ids[row..<min(row + max(count, 1), ids.count)])
  }

  /// Changes the chosen objects; if some of them are not shown, asks first whether they are meant.
  ///
  /// - Parameters:
  ///   - count: How many objects from the cursor on, without a selection.
  ///   - verb: What is done, for the question.
  ///   - change: The change of objects.
  /// - Returns: False if it asks.
  @discardableResult
  func changeChosen(
    _ count: Int?, _ verb: String, _ change: @escaping ([ObjectID]) -> Void
  ) -> Bool {
    rangeSelection = nil
    let shown = chosenIDs(count: count)
    passedRows = selectedCount == 0 ? shown.count : 0
    let context = session.context
    try? context.prefetch(provider.hiddenSelection)
    let hidden = provider.hiddenSelection.filter { context.object(with: $0).isAccessible }
    let all = shown + hidden.sorted { $0.description < $1.description }
    // While a list is loading, rows are missing only for a moment.
    guard !hidden.isEmpty, !fetching.isPartial else {
      change(all)
      return true
    }
    var answers: [(key: Character, label: String, action: () -> Void)] = [
      ("a", "all \(groupedDigits(all.count))", { change(all) })
    ]
    if !shown.isEmpty {
      answers.append(("s", "only the \(groupedDigits(shown.count)) shown", { change(shown) }))
    }
    let counts = "\(groupedDigits(hidden.count)) of the \(groupedDigits(all.count)) selected"
    let (are, them) = hidden.count == 1 ? ("is", "it") : ("are", "them")
    ask(
      "\(counts) \(are) not shown", ["The list does not show \(them). Which: \(verb)?"],
      answers: answers)
    return false
  }
}
