import ManagedObjects
public import ObjectModel

extension ResultsController {
  /// The request whose results are displayed; nil before the first fetch.
  package var displayedRequest: ListRequest? { query?.request }

  /// Whether the results of an earlier request are displayed while the last one is fetched.
  package var showsEarlierRequest: Bool { background != nil && request != displayedRequest }

  /// The condition; nil for all objects.
  ///
  /// Setting it fetches, as ``performFetch()`` does; an error is kept in ``mostRecentError``.
  public var predicate: FetchPredicate? {
    get { request.fetchRequest.predicate }
    set { change { $0.fetchRequest.predicate = newValue } }
  }

  /// The order.
  ///
  /// Setting it fetches, as ``performFetch()`` does; an error is kept in ``mostRecentError``.
  public var sortDescriptors: [FetchSortDescriptor] {
    get { request.fetchRequest.sortDescriptors }
    set { change { $0.fetchRequest.sortDescriptors = newValue } }
  }

  /// What sections are made by; nil for one flat section.
  ///
  /// Setting it fetches, as ``performFetch()`` does; an error is kept in ``mostRecentError``.
  public var sectionKey: SectionKey? {
    get { request.sectionKey }
    set { change { $0.sectionKey = newValue } }
  }

  /// The section key as text, as "surname" or "surname:initial"; nil for one flat section.
  ///
  /// Setting it fetches, as ``performFetch()`` does; an error is kept in ``mostRecentError``.
  public var sectionNameKeyPath: String? {
    get { request.sectionNameKeyPath }
    set { change { $0.sectionNameKeyPath = newValue } }
  }

  private func change(_ body: (inout ListRequest) -> Void) {
    var request = request
    body(&request)
    try? set(request)
  }

  /// Changes predicate, order and sections in one go.
  ///
  /// - Parameters:
  ///   - predicate: The condition; nil for all objects.
  ///   - sortDescriptors: The order.
  ///   - sectionKey: What sections are made by; nil for one flat section.
  /// - Throws: As ``performFetch()``.
  public func set(
    predicate: FetchPredicate?, sortDescriptors: [FetchSortDescriptor], sectionKey: SectionKey?
  ) throws {
    var request = request
    request.fetchRequest.predicate = predicate
    request.fetchRequest.sortDescriptors = sortDescriptors
    request.sectionKey = sectionKey
    try set(request)
  }

  /// Changes the request, fetches the whole list and reports the difference as a change.
  ///
  /// Before the first fetch the request is only kept for it. The cache is not used: it is for the list
  /// that is shown first, not for every filter that is typed into it.
  ///
  /// - Parameter request: What the list is to show.
  /// - Throws: As ``performFetch()``. The displayed list and its request stay then.
  package func set(_ request: ListRequest) throws {
    self.request = request
    guard results != nil else { return }
    try perform { [self] query in try showWhole(fetch(query), of: query) }
  }

  /// Changes the request and fetches in the background.
  ///
  /// The displayed list stays until the first rows of the new one have been fetched. Nothing is
  /// fetched for a request that gives the list that is displayed in full or being fetched.
  ///
  /// - Parameters:
  ///   - request: What the list is to show.
  ///   - firstScreen: How many rows to show before all of them have been fetched.
  ///   - ids: Objects of which the first one that a windowed list has is among the first rows.
  ///   - showsNone: Whether an empty list is shown if there are no rows; if not, the displayed list
  ///     stays and ``foundNone`` is true, as is useful while a filter is being typed.
  ///   - wake: Called on another thread when ``takeBackgroundResults()`` has something to take.
  /// - Throws: ``FetchedResultsError`` and errors of the predicate. Later errors are reported to
  ///   the delegate.
  package func set(
    _ request: ListRequest, firstScreen: Int, near ids: [ObjectID] = [], showsNone: Bool = true,
    wake: @escaping @Sendable () -> Void
  ) throws {
    self.request = request
    (self.wake, self.showsNone, foundNone) = (wake, showsNone, false)
    guard results != nil else { return try performFetch(firstScreen: firstScreen, wake: wake) }
    try perform { [self] query in
      // The same plan can be requested in other words, such as those of a filter.
      let isDisplayed = query.plan == self.query?.plan
      let mayBeWindowed = request.extent != .whole
      let isFetching =
        query.plan == background?.query.plan && (mayBeWindowed || background?.window == nil)
      if isDisplayed { self.query = query }
      if isFetching { background?.query = query }
      let isShown = isDisplayed && (part == nil || isWindowed && mayBeWindowed)
      if isFetching || (isShown && background == nil) { return }
      stopBackground()
      if let window = window(for: query) {
        startWindow(window, of: query, near: ids, count: window.readCount)
      } else {
        noteStart()
        startBackground(query, firstScreen: firstScreen, origin: .fetch)
      }
    }
  }

  /// Keeps the first objects of the displayed list, if it has all, for a filter that is typed.
  private func noteStart() {
    guard part == nil, let results, let query else { return }
    start = ListStart(of: results, query.plan) ?? start
  }
}
