import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Connects provider and views.
  func connect() {
    provider.delegate = self
    fetching.rowsCame = { [weak self] in self?.rowsCame() }
    for view in [tableView, gridView] { view.fold = TextFolding.folded }
  }

  // MARK: The request

  /// Changes the request; the old rows stay until the first new ones have been fetched.
  func fetch(
    _ reason: ListFetch.Reason, _ request: ListRequest, keepsCursor: Bool = true,
    showsNone: Bool = true
  ) {
    fetching.start(reason, request, keepsCursor: keepsCursor, showsNone: showsNone)
  }

  /// Whether the first rows could not be read.
  var isUnread: Bool {
    guard isFetched, provider.fetchProgress == nil else { return false }
    return switch provider.fetchState {
    case .notFetched: true
    case .partial: controller.count == 0
    case .complete: false
    }
  }

  /// The same list with its columns, order and sections chosen anew, if they were chosen without
  /// having seen a row; nil otherwise.
  func chosenAnew() -> ListScreen? {
    guard defaults.sample.isUnread, filterTyping == nil, provider.request == firstRequest else {
      return nil
    }
    let list = ListScreen(
      entity, options: options, scope: scope, choosing: choosing, session: session)
    // Nobody leaves the choice.
    hasChosen = true
    return list
  }

  /// Cancels work in the background as Esc does; the displayed rows and their request stay.
  func cancel(_ work: any BackgroundWork) {
    work.cancel()
    app?.heldKeys = []
    if work === finder {
      finder = nil
      show("Cancelled")
    } else {
      cursorToRestore = nil
      finder?.awaitedCount = nil
      show(isComplete ? "Cancelled" : "Cancelled — R reads the rest")
    }
  }

  private var isComplete: Bool { provider.fetchState == .complete }

  /// Runs what was deferred until rows were fetched.
  func rowsCame() {
    if isComplete, provider.displayedRequest?.filter == nil { unfilteredCount = controller.count }
    fetching.runWaiting()
    if let cursor = cursorToRestore, restore(cursor) || isComplete { cursorToRestore = nil }
  }
}
