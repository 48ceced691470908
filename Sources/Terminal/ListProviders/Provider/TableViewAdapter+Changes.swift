import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit

extension TableViewAdapter: @MainActor FetchedResultsControllerDelegate {
  func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {
    guard let provider else { return }
    provider.currentDelegate.providerWillChangeContent(provider)
  }

  func controller(
    _ controller: FetchedResultsController<Object>, didChangeContent change: ResultsChange
  ) {
    guard let provider else { return }
    let origin = controller.changeOrigin
    let cursorID = oldList?.id(at: provider.tableView?.cursorRow)
    if let tableView = provider.tableView {
      // All rows that were ever held would be remembered.
      let selected = allSelected == nil ? selectedIDs(of: tableView) : []
      let showsFirstRow = origin == .fetch && startsAtFirstRow(of: controller.part)
      if change.isReload || showsFirstRow || provider.reloadsEntireTableViewForAnyChange
        || awaited != nil || controller.isShowingTarget
      {
        reload(tableView, showsFirstRow: showsFirstRow)
      } else {
        apply(TableBatch(change), to: tableView, origin: origin)
      }
      keepSelected(selected, in: tableView, origin: origin)
      keepAllSelected(in: tableView)
    }
    provider.listChanged()
    if let cursorID, origin == .store, controller.isWindowed, list?.ids.index(of: cursorID) == nil {
      provider.cursorObjectLeft(cursorID)
    }
    provider.currentDelegate.provider(provider, didChangeContent: change, origin: origin)
  }

  func controller(
    _ controller: FetchedResultsController<Object>, didFailWith error: any Error
  ) {
    guard let provider else { return }
    provider.failed(error)
    provider.currentDelegate.provider(provider, didFailWith: error)
  }

  func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String? {
    guard let provider else { return nil }
    return provider.currentDelegate.provider(provider, indexTitleForSection: name)
  }

  /// Whether fetched rows, which are a part of the list or all, are shown from the first one, as was
  /// asked for once.
  private func startsAtFirstRow(of part: ListPart?) -> Bool {
    let isAwaited = part != nil && part == awaitedPart
    if isAwaited || part == nil { awaitedPart = nil }
    defer { showsFirstRow = false }
    return showsFirstRow || isAwaited
  }

  /// Updates the table row by row; rows from a fetch are not highlighted.
  private func apply(_ batch: TableBatch, to tableView: TableView, origin: ChangeOrigin) {
    keepCursorObject(of: tableView)
    let highlights = tableView.highlightsChanges
    if origin == .fetch { tableView.highlightsChanges = false }
    tableView.apply(batch)
    tableView.highlightsChanges = highlights
    if awaited != nil { awaited?.cursor = tableView.cursor }
  }

  /// Reloads the table; the cursor moves to the first row, stays on its object, or moves to a
  /// neighbour.
  private func reload(_ tableView: TableView, showsFirstRow: Bool) {
    guard let list, let oldList else { return }
    if showsFirstRow { awaited = nil }
    if let awaited, awaited.cursor != tableView.cursor { self.awaited = nil }
    if awaited == nil, !showsFirstRow { keepCursorObject(of: tableView) }
    let candidates = (awaited?.ids ?? []) + oldList.near(tableView.cursorRow)
    let indexes = Dictionary(
      firstOf: list.ids.indexes(of: Set(candidates)).map { ($0.id, $0.index) })
    let target = controller?.isShowingTarget == true ? controller?.targetRow : nil
    if target != nil || controller?.isWindowed == true { awaited = nil }
    let cursor =
      target ?? (showsFirstRow ? 0 : candidates.lazy.compactMap { indexes[$0] }.first)
    tableView.reloadData(
      cursor: list.count == 0 ? nil : cursor.map { TablePath(list.indexPath(at: $0)) })
    if showsFirstRow { tableView.move(target == nil ? .first : .cursorToMiddle) }
    awaited?.cursor = tableView.cursor
    if let id = awaited?.ids.first, indexes[id] != nil || controller?.fetchState == .complete {
      awaited = nil
    }
  }

  /// The object under the cursor, and those near it.
  var cursorIDs: [ObjectID] { list?.near(provider?.tableView?.cursorRow) ?? [] }

  // MARK: The selection

  /// The selected objects: those in the old list, and those that it does not have.
  private func selectedIDs(of tableView: TableView) -> Set<ObjectID> {
    guard let oldList, !tableView.selection.isEmpty else { return hiddenSelection }
    let indices = oldList.ids.indices
    return tableView.selection.ranges.reduce(into: hiddenSelection) { ids, range in
      for index in range.clamped(to: indices) { ids.insert(oldList.ids[index].permanent) }
    }
  }

  /// Selects the rows of objects, and remembers those that the list does not have.
  ///
  /// A request leaves objects out that still exist; otherwise they may have been deleted.
  private func keepSelected(
    _ selected: Set<ObjectID>, in tableView: TableView, origin: ChangeOrigin
  ) {
    guard !selected.isEmpty, let list, let provider else { return }
    var rows = RowSet()
    let hiddenBefore = hiddenSelection
    hiddenSelection = selected
    for (index, id) in list.ids.indexes(of: selected) {
      rows.insert(index..<index + 1)
      hiddenSelection.remove(id)
    }
    if origin != .fetch {
      let context = provider.managedObjectContext
      for id in hiddenSelection.subtracting(hiddenBefore)
      where !context.object(with: id).isAccessible {
        hiddenSelection.remove(id)
      }
    }
    tableView.selectNone()
    for range in rows.ranges { tableView.setSelected(true, rows: range) }
  }

  /// Selects the rows of a list all objects of which are selected, until it shows others.
  ///
  /// Once all rows are held they are selected one by one.
  private func keepAllSelected(in tableView: TableView) {
    guard let request = allSelected, let displayed = controller?.displayedRequest else { return }
    let isSame = displayed.hasCondition(of: request)
    if !isSame || controller?.fetchState == .complete { allSelected = nil }
    if isSame { tableView.selectAll() } else { tableView.selectNone() }
  }

  /// Keeps the cursor's object, and those near it, for later if it is not among the first rows of the
  /// new list.
  private func keepCursorObject(of tableView: TableView) {
    guard case .partial = controller?.fetchState, controller?.changeOrigin == .fetch,
      let oldList, let id = oldList.id(at: tableView.cursorRow), list?.ids.index(of: id) == nil
    else { return }
    // All rows may have one that is nearer than those of the first rows.
    awaited = (oldList.near(tableView.cursorRow), tableView.cursor)
  }
}

extension ResultsSections {
  /// Returns the object ID at a row; nil if the row is nil or out of range.
  fileprivate func id(at row: Int?) -> ObjectID? {
    row.flatMap { ids.indices.contains($0) ? ids[$0] : nil }
  }

  /// The objects from a row on, and then those before it, the nearest first.
  fileprivate func near(_ row: Int?) -> [ObjectID] {
    guard let row else { return [] }
    let reach = 500
    return Array(ids[(row..<row + reach).clamped(to: ids.indices)])
      + ids[(row - reach..<row).clamped(to: ids.indices)].reversed()
  }
}
