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
    /// Runs instead if there are no such rows.
    let missing: () -> Void
  }

  /// How many rows are fetched first: more than any screen shows.
  package static var firstScreen: Int { 200 }
  /// How long a fetch lasts before it is shown.
  package var busyDelay = Duration.milliseconds(150)

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

  package var isRunning: Bool { controller.fetchProgress != nil || controller.isReadingWindow }

  package var busyLine: BusyLine? {
    if controller.isReadingWindow, isAwaited {
      return BusyLine("Looking up", completed: 0, of: 0, note: "waits for the rows")
    }
    guard let progress = controller.fetchProgress,
      progress.start.duration(to: .now) >= busyDelay || isAwaited
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

  /// Whether more rows are being fetched, or are never all held.
  package var isPartial: Bool {
    if case .partial = controller.fetchState { isRunning || controller.isWindowed } else { false }
  }

  /// Whether something waits for rows.
  package var isAwaited: Bool { waiting != nil }
  /// Whether something waits for a part of the list.
  package var isPartAwaited: Bool { waiting?.part != nil }

  /// Runs something now if all rows are here, else once a part of them has been fetched, or all.
  ///
  /// - Parameters:
  ///   - part: The part; nil for all rows, which a windowed list has only once it is made whole.
  ///   - count: How many rows it has at least.
  ///   - body: What to run.
  ///   - missing: What to run instead if a windowed list has no such rows.
  package func whenShown(
    _ part: ListPart?, count: Int = 0, _ body: @escaping () -> Void,
    missing: @escaping () -> Void = {}
  ) {
    guard isPartial else { return body() }
    let isWindowed = controller.isWindowed
    let shown = part.flatMap { provider.show($0, count: max(count, Self.firstScreen)) ? $0 : nil }
    if isWindowed, part != nil, shown == nil { return missing() }
    waiting = Waiting(part: shown, body: body, missing: missing)
    runWaiting()
  }

  /// Runs what waits for rows, if they are here.
  func runWaiting() {
    guard let waiting, waiting.part.map({ !controller.isReading($0) }) ?? true else { return }
    let isMissing = waiting.part != nil && waiting.part == controller.missingPart
    guard
      isMissing || controller.fetchState == .complete
        || waiting.part != nil && waiting.part == controller.part
    else { return }
    self.waiting = nil
    isMissing ? waiting.missing() : waiting.body()
  }

  /// Forgets what waits for rows.
  package func dropWaiting() {
    if isPartAwaited { provider.cancelPart() }
    waiting = nil
  }
}
