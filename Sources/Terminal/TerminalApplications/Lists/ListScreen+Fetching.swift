package import FetchedResults
import ListProviders
import ManagedObjects
package import ObjectModel
package import TerminalKit

extension ListScreen {
  /// Changes the request; the old rows stay until the first new ones have been fetched.
  package func fetch(
    _ reason: ListFetch<Object>.Reason, _ request: ListRequest, keepsCursor: Bool = true,
    showsNone: Bool = true
  ) {
    fetching.start(
      reason, request, keepsCursor: keepsCursor, showsNone: showsNone, wake: wake)
  }

  /// Wakes the event loop from any thread.
  var wake: @Sendable () -> Void {
    let waker = application?.terminal.waker
    return { waker?.wake() }
  }

  /// Whether all rows are here.
  package var isComplete: Bool { controller.fetchState == .complete }

  /// Whether the rows that are shown begin with the list's first one.
  package var startsAtFirstRow: Bool { !controller.isOpenAtStart }

  /// The work in the background; of what is waited for, Esc cancels the first.
  var works: [any BackgroundWork] { (finder.map { [$0] } ?? []) + [fetching] }

  /// Whether background work is under way.
  package var isWorking: Bool { works.contains(where: \.isRunning) }

  /// Runs something now, or once all rows are fetched.
  package func whenComplete(_ body: @escaping () -> Void) { fetching.whenShown(nil, body) }

  /// Runs what was deferred until rows were fetched.
  func rowsCame() {
    if isComplete, controller.displayedRequest?.filter == nil {
      unfilteredCount = tableView.numberOfRows
    }
    fetching.runWaiting()
    if let cursor = cursorToRestore, restore(cursor) || isComplete { cursorToRestore = nil }
  }

  /// Cancels what is waited for, and then, one after the other, what is selected, the filter, what
  /// was looked for and the fetch of the other rows.
  package func escape() {
    if let work = works.first(where: { $0.busyLine != nil }) {
      cancel(work)
    } else if rangeSelection != nil {
      cancelRange()
    } else if selectedCount > 0 {
      selectNone()
    } else if filter != nil {
      self.filter(by: nil)
    } else if finder != nil {
      finder = nil
    } else if fetching.isRunning {
      cancel(fetching)
    } else {
      show("There is nothing to clear" + advice(("q", "goes back or quits")))
    }
  }

  /// Cancels work in the background; the displayed rows and their request stay.
  private func cancel(_ work: any BackgroundWork) {
    work.cancel()
    application?.heldKeys = []
    if work === finder {
      finder = nil
      show("Cancelled")
    } else {
      cursorToRestore = nil
      finder?.awaitedCount = nil
      show("Cancelled" + (isComplete ? "" : advice(("R", "reads the rest"))))
    }
  }

  // MARK: The cursor

  /// The object under the cursor; nil if there are no rows.
  package var cursorID: ObjectID? { tableView.cursor.flatMap { provider.objectID(at: $0) } }

  /// The cursor; nil if there are no rows.
  package var cursor: ListCursor? {
    cursorID.map { ListCursor(id: $0, position: tableView.position) }
  }

  /// Moves the cursor to the first of some objects that are in the list, unless one is visible.
  package func showFirst(of ids: Set<ObjectID>) {
    let paths = ids.prefix(1_000).compactMap(provider.tablePath)
    guard let first = paths.min(), !paths.contains(where: tableView.isVisible) else { return }
    tableView.moveCursor(to: first)
  }

  /// Moves the cursor to an object, if it is in the list.
  @discardableResult
  package func showCursor(on id: ObjectID) -> Bool {
    guard let path = provider.tablePath(for: id) else { return false }
    tableView.moveCursor(to: path)
    return true
  }

  /// Restores cursor and window, if the object is in the list.
  func restore(_ cursor: ListCursor) -> Bool {
    guard showCursor(on: cursor.id) else { return false }
    if tableView.cursorRow == cursor.position.row { tableView.position = cursor.position }
    return true
  }
}

/// The object under the cursor, and the position of cursor and window.
package struct ListCursor {
  package var id: ObjectID
  package var position: TableView.Position

  package init(id: ObjectID, position: TableView.Position) {
    (self.id, self.position) = (id, position)
  }
}
