package import FetchedResults
import ListProviders
package import ManagedObjects
package import TerminalKit

/// The fetching of a list's rows in the background, and what waits for them.
@MainActor
package final class ListFetch<Object: ManagedObject>: BackgroundWork {
  /// The reason for a fetch.
  package enum Reason {
    case loading, sorting(String), sectioning, filtering

    var title: String {
      switch self {
      case .loading: "Loading"
      case .sorting(let name): "Sorting by \(name)"
      case .sectioning: "Making sections"
      case .filtering: "Filtering"
      }
    }
  }

  /// What runs once rows are here.
  private struct Waiting {
    /// The part of the list that is fetched for it; nil if it needs all rows.
    let part: ListPart?
    let body: () -> Void
  }

  /// How many rows are fetched first: more than any screen shows.
  package static var firstScreen: Int { 200 }
  /// How long a fetch lasts before it is shown.
  private static var busyDelay: Duration { .milliseconds(150) }

  private let provider: TableViewProvider<Object>
  private var controller: FetchedResultsController<Object> { provider.fetchedResultsController }
  private var reason = Reason.loading
  private var waiting: Waiting?
  /// Called when rows have come.
  var rowsCame: () -> Void = {}

  init(_ provider: TableViewProvider<Object>) { self.provider = provider }

  /// Changes the request; the old rows stay until the first new ones have been fetched.
  func start(
    _ reason: Reason, _ request: ListRequest, keepsCursor: Bool, showsNone: Bool,
    wake: @escaping @Sendable () -> Void
  ) {
    self.reason = reason
    dropWaiting()
    provider.set(
      request, firstScreen: Self.firstScreen, keepsCursor: keepsCursor, showsNone: showsNone,
      wake: wake)
    rowsCame()
  }

  // MARK: BackgroundWork

  package var isRunning: Bool { controller.fetchProgress != nil }

  package var busyLine: BusyLine? {
    guard let progress = controller.fetchProgress,
      progress.start.duration(to: .now) >= Self.busyDelay || isAwaited
    else { return nil }
    let note =
      switch waiting {
      case let waiting?: waiting.part == nil ? "waits for the whole list" : "waits for the rows"
      case nil: controller.showsEarlierRequest ? "showing old order" : ""
      }
    return BusyLine(
      progress.origin == .store ? "Reading changes" : reason.title, completed: progress.completed,
      of: progress.total, note: note)
  }

  package func takeResults() { if provider.takeBackgroundResults() { rowsCame() } }

  package func cancel() {
    dropWaiting()
    controller.cancelFetch()
  }

  // MARK: Waiting for rows

  /// Whether more rows are being fetched.
  package var isPartial: Bool {
    if case .partial = controller.fetchState { isRunning } else { false }
  }

  /// Whether something waits for rows.
  package var isAwaited: Bool { waiting != nil }
  /// Whether something waits for a part of the list.
  package var isPartAwaited: Bool { waiting?.part != nil }

  /// Runs something now if all rows are here, else once a part of them has been fetched, or all.
  package func whenShown(_ part: ListPart?, _ body: @escaping () -> Void) {
    guard isPartial else { return body() }
    waiting = Waiting(
      part: part.flatMap { provider.show($0, count: Self.firstScreen) ? $0 : nil }, body: body)
    runWaiting()
  }

  /// Runs what waits for rows, if they are here.
  func runWaiting() {
    guard let waiting,
      controller.fetchState == .complete || waiting.part != nil && waiting.part == controller.part
    else { return }
    dropWaiting()
    waiting.body()
  }

  /// Forgets what waits for rows.
  package func dropWaiting() {
    if isPartAwaited { provider.cancelPart() }
    waiting = nil
  }
}
