import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  /// How many rows are fetched first: more than any screen shows.
  static let firstScreen = 200

  /// Connects provider and views.
  func connect() {
    provider.delegate = self
    for view in [tableView, gridView] { view.fold = TextFolding.folded }
  }

  // MARK: The request

  /// Changes the request; the old rows stay until the first new ones have been fetched.
  func fetch(
    _ work: Work, _ request: ListRequest, keepsCursor: Bool = true, showsNone: Bool = true
  ) {
    self.work = work
    dropDeferredMotion()
    provider.set(
      request, firstScreen: Self.firstScreen, keepsCursor: keepsCursor, showsNone: showsNone,
      wake: session.wake)
    listChanged()
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

  /// Reads a list that could not be read before.
  func storeChanged() {
    if isUnread { fetch(.loading, provider.request) }
  }

  func stopReading() {
    finder?.cancel()
    dropDeferredMotion()
    provider.cancelFetch()
    preview.stop()
  }

  /// Fetches the rows that are not here yet.
  func readAgain() {
    guard isFetched, provider.fetchProgress == nil else { return }
    switch provider.fetchState {
    case .notFetched, .partial: fetch(.loading, provider.request)
    case .complete: break
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

  /// Stops work in the background; the displayed rows and their request stay.
  func cancelWork() {
    provider.cancelFetch()
    (cursorToRestore, awaitedMatch) = (nil, nil)
    heldKeys = []
    session.message = .done(isComplete ? "Cancelled" : "Cancelled — R reads the rest")
  }

  private var isComplete: Bool { provider.fetchState == .complete }

  func takeResults() {
    if provider.takeBackgroundResults() { listChanged() }
    takeMatches()
    if table.isHidden { provider.isSuspended = !isWorking }
  }

  /// Runs what was deferred until rows were fetched.
  private func listChanged() {
    if isComplete, provider.displayedRequest?.filter == nil { unfilteredCount = controller.count }
    runDeferredMotion()
    if let cursor = cursorToRestore, restore(cursor) || isComplete { cursorToRestore = nil }
  }
}
