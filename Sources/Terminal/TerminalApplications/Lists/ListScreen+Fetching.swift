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

  /// Runs something now, or once all rows are fetched; a windowed list becomes a whole one for it.
  package func whenComplete(_ body: @escaping () -> Void) {
    if controller.isWindowed {
      var request = provider.request
      request.extent = .whole
      fetch(.loading, request)
    }
    fetching.whenShown(nil, body)
  }

  /// Runs what was deferred until rows were fetched.
  func rowsCame() {
    if controller.displayedRequest?.filter == nil, let all = controller.listCount, all.isExact {
      unfilteredCount = all.count
    }
    fetching.runWaiting()
    if let cursor = cursorToRestore, restore(cursor) || isComplete { cursorToRestore = nil }
    if let cursor = cursorToRestore, controller.isWindowed {
      cursorToRestore = nil
      fetching.whenShown(.objects([cursor.id])) { [weak self] in _ = self?.restore(cursor) }
    }
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
    cursorID.map { id in
      var cursor = ListCursor(id: id, position: tableView.position)
      cursor.number = tableView.cursorRow.flatMap { row in
        controller.heldOffset.map { $0 + row }
      }
      return cursor
    }
  }

  /// Moves the cursor to the first of some objects that are in the list, unless one is visible.
  package func showFirst(of ids: Set<ObjectID>) {
    let paths = ids.prefix(1_000).compactMap(provider.tablePath)
    guard let first = paths.min(), !paths.contains(where: tableView.isVisible) else { return }
    tableView.moveCursor(to: first)
  }

  /// Moves the cursor to an object, if it is in the list; in a windowed one once its row is here.
  @discardableResult
  package func showCursor(on id: ObjectID) -> Bool {
    guard let path = provider.tablePath(for: id) else {
      if controller.isWindowed, let part = part(around: id) {
        fetching.whenShown(part) { [weak self] in
          if let path = self?.provider.tablePath(for: id) { self?.tableView.moveCursor(to: path) }
        }
      }
      return false
    }
    whenHeld(around: tableView.row(at: path) ?? 0) { [weak self] row in
      if let path = self?.tableView.path(ofRow: row) { self?.tableView.moveCursor(to: path) }
    }
    return true
  }

  /// Restores cursor and window, if the object is in the list.
  func restore(_ cursor: ListCursor) -> Bool {
    guard let path = provider.tablePath(for: cursor.id) else { return false }
    guard controller.isWindowed else {
      tableView.moveCursor(to: path)
      if tableView.cursorRow == cursor.position.row { tableView.position = cursor.position }
      return true
    }
    // Its number says nothing about where a row was on the screen.
    whenHeld(around: tableView.row(at: path) ?? 0) { [weak self] row in
      guard let self, let path = tableView.path(ofRow: row) else { return }
      tableView.moveCursor(to: path)
      let number = controller.heldOffset.map { $0 + row }
      if number == nil || cursor.number == nil || number == cursor.number {
        tableView.showCursor(onLineOf: cursor.position)
      }
    }
    return true
  }
}

/// The object under the cursor, and the position of cursor and window.
package struct ListCursor {
  package var id: ObjectID
  package var position: TableView.Position
  /// The number of its row in a windowed list, from 0; nil if that is not known.
  var number: Int?

  package init(id: ObjectID, position: TableView.Position) {
    (self.id, self.position) = (id, position)
  }
}
