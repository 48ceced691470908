import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit

extension TableFollower: @MainActor FetchedResultsControllerDelegate {
  func controllerWillChangeContent<Object>(_ controller: FetchedResultsController<Object>) {
    oldList = list
    guard let provider else { return }
    provider.currentDelegate.providerWillChangeContent(provider)
  }

  func controller<Object>(
    _ controller: FetchedResultsController<Object>, didChangeContent change: ResultsChange
  ) {
    guard let provider else { return }
    let origin = controller.changeOrigin
    if let tableView = provider.tableView {
      if change.isReload || provider.reloadsEntireTableViewForAnyChange || awaited != nil {
        reload(tableView)
      } else {
        apply(TableBatch(change), to: tableView, origin: origin)
      }
    }
    oldList = nil
    provider.currentDelegate.provider(provider, didChangeContent: change, origin: origin)
  }

  func controller<Object>(
    _ controller: FetchedResultsController<Object>, didFailWith error: any Error
  ) {
    provider?.report(error)
  }

  func controller<Object>(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String? {
    guard let provider else { return nil }
    return provider.currentDelegate.provider(provider, indexTitleForSection: name)
  }

  /// Follows row by row; rows that a fetch brings are not news to highlight.
  private func apply(_ batch: TableBatch, to tableView: TableView, origin: ChangeOrigin) {
    awaitCursor(of: tableView)
    let highlights = tableView.highlightsChanges
    if origin == .fetch { tableView.highlightsChanges = false }
    tableView.apply(batch)
    tableView.highlightsChanges = highlights
    if awaited != nil { awaited?.cursor = tableView.cursor }
  }

  /// Reads the table anew; cursor and selection stay with their objects, or the cursor goes to a neighbour's.
  private func reload(_ tableView: TableView) {
    guard let list, let oldList else { return }
    if let awaited, awaited.cursor != tableView.cursor { self.awaited = nil }
    if awaited == nil { awaitCursor(of: tableView) }
    var wanted: [ObjectID] = awaited.map { [$0.id] } ?? []
    if let row = tableView.cursorRow {
      let reach = 500
      wanted += oldList.ids[(row..<row + reach).clamped(to: oldList.ids.indices)]
      wanted += oldList.ids[(row - reach..<row).clamped(to: oldList.ids.indices)].reversed()
    }
    let isAllSelected = tableView.selection == RowSet(0..<oldList.count)
    let selected =
      isAllSelected
      ? [] : tableView.selection.ranges.flatMap { oldList.ids[$0.clamped(to: oldList.ids.indices)] }
    let places = Dictionary(
      list.ids.indexes(of: Set(wanted).union(selected)).map { ($0.id, $0.index) },
      uniquingKeysWith: { first, _ in first })
    let cursor = wanted.lazy.compactMap { places[$0] }.first
    var selection = isAllSelected ? RowSet(0..<list.count) : RowSet()
    for id in selected {
      if let place = places[id] { selection.insert(place..<place + 1) }
    }
    tableView.reloadData(
      cursor: cursor.map { TablePath(list.indexPath(at: $0)) }, selection: selection)
    awaited?.cursor = tableView.cursor
    if let awaited, places[awaited.id] != nil || controller?.fetchState == .complete {
      self.awaited = nil
    }
  }

  /// Remembers the cursor's object when the new list has only its first rows, and not that one.
  private func awaitCursor(of tableView: TableView) {
    guard case .partial = controller?.fetchState, controller?.changeOrigin == .fetch,
      let oldList, let row = tableView.cursorRow, oldList.ids.indices.contains(row)
    else { return }
    let id = oldList.ids[row]
    if list?.ids.index(of: id) == nil { awaited = (id, tableView.cursor) }
  }
}
