public import ManagedObjects
public import ObjectModel

extension FetchedResultsController {
  // MARK: Fetching

  /// Fetches the whole list at once.
  ///
  /// When there is one already, the difference is told as a change.
  ///
  /// - Throws: ``FetchedResultsError`` when there is no sort descriptor or the order does not keep sections together;
  ///   what the predicate, the context or the store throw. The old list stays then.
  public func performFetch() throws {
    try keepingQuestion { try live.performFetch(wantedPlan) }
  }

  /// Fetches the first rows at once, and all of them in the background.
  ///
  /// - Parameters:
  ///   - firstScreen: How many rows to fetch at once.
  ///   - wake: Called on another thread when ``takeBackgroundResults()`` has something to take. Not called when the
  ///     first rows are all there are.
  /// - Throws: As ``performFetch()``. Later errors are told to the delegate.
  public func performFetch(firstScreen: Int, wake: @escaping @Sendable () -> Void) throws {
    try keepingQuestion { try live.performFetch(wantedPlan, firstScreen: firstScreen, wake: wake) }
  }

  /// Takes what a background fetch has brought; call it in the context's domain after a wake.
  ///
  /// Unsaved changes are laid over it, and the difference is told as a change: a reload when it is a large one.
  ///
  /// - Returns: Whether there was anything.
  @discardableResult
  public func takeBackgroundResults() -> Bool {
    let isTaken = live.takeBackgroundResults()
    if isTaken { followShownQuestion() }
    return isTaken
  }

  /// Takes in what another process has committed to the store.
  ///
  /// Rows that are held and rows that are new are told at once, all else when the background fetch that this starts is
  /// taken. Their changes have the origin ``ChangeOrigin/store``. Calls during a fetch are one fetch after it.
  ///
  /// - Parameter wake: As for ``performFetch(firstScreen:wake:)``; nil to fetch everything at once.
  public func refetchAfterForeignChange(wake: (@Sendable () -> Void)? = nil) {
    live.refetchAfterForeignChange(wake: wake)
  }

  /// Stops the background fetch, if there is one.
  ///
  /// The list stays as it is, and the old question with it.
  public func cancelFetch() {
    live.cancelBackground()
    followShownQuestion()
  }

  /// How much of the list is here.
  public var fetchState: FetchState {
    guard live.list != nil else { return .notFetched }
    guard live.isPartial else { return .complete }
    let progress = fetchProgress
    return .partial(completed: progress?.completed ?? count, total: progress?.total ?? 0)
  }

  /// How far the background fetch is; nil when there is none, or it waits to leave others room to write.
  public var fetchProgress: FetchProgress? {
    guard let fetch = live.background?.fetch, fetch.isUnderWay else { return nil }
    return FetchProgress(completed: fetch.control.completed, total: fetch.control.total)
  }

  /// Whether the list shows the answer to an older question while the new one is fetched.
  public var showsOldOrder: Bool {
    live.list != nil && live.background.map { $0.query.plan != live.query?.plan } ?? false
  }

  /// The last error, thrown or told; nil after a success.
  public var mostRecentError: (any Error)? { live.mostRecentError }

  /// Where the change that is being told, or was told last, came from.
  public var changeOrigin: ChangeOrigin { live.changeOrigin }

  /// Whether changes are gathered and not followed, as while a screen is hidden.
  ///
  /// Setting it to false follows all that was gathered as one change.
  public var isSuspended: Bool {
    get { live.isSuspended }
    set { live.isSuspended = newValue }
  }

  // MARK: The question

  /// What the list shows.
  public var fetchRequest: FetchRequest<Object> { wanted }

  /// The condition; nil for all objects.
  ///
  /// Setting it fetches, as ``set(predicate:sortDescriptors:sectionKey:)`` does.
  public var predicate: FetchPredicate? {
    get { wanted.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// The order.
  ///
  /// Setting it fetches, as ``set(predicate:sortDescriptors:sectionKey:)`` does.
  public var sortDescriptors: [FetchSortDescriptor] {
    get { wanted.sortDescriptors }
    set { change { $0.sortDescriptors = newValue } }
  }

  /// What sections are made by; nil for one flat section.
  ///
  /// Setting it fetches.
  public var sectionKey: SectionKey? {
    get { wantedSectionKey }
    set {
      try? set(
        predicate: wanted.predicate, sortDescriptors: wanted.sortDescriptors, sectionKey: newValue)
    }
  }

  /// The section key as text, as "surname" or "surname:initial"; nil for one flat section.
  ///
  /// Setting it fetches.
  public var sectionNameKeyPath: String? {
    get { wantedSectionKey?.keyPathAndTransform }
    set { sectionKey = newValue.map(SectionKey.init(keyPathAndTransform:)) }
  }

  /// Asks another question, and tells the difference as a change.
  ///
  /// Before the first fetch it is only noted. Setters that cannot throw keep their error in ``mostRecentError``; the old
  /// question and list stay then.
  ///
  /// - Parameters:
  ///   - predicate: The condition; nil for all objects.
  ///   - sortDescriptors: The order.
  ///   - sectionKey: What sections are made by; nil for one flat section.
  /// - Throws: As ``performFetch()``.
  public func set(
    predicate: FetchPredicate?, sortDescriptors: [FetchSortDescriptor], sectionKey: SectionKey?
  ) throws {
    note(predicate, sortDescriptors, sectionKey)
    if live.list != nil { try performFetch() }
  }

  /// Asks another question in the background: the old list stays until the first rows of the new one are here.
  ///
  /// - Parameters:
  ///   - predicate: The condition; nil for all objects.
  ///   - sortDescriptors: The order.
  ///   - sectionKey: What sections are made by; nil for one flat section.
  ///   - firstScreen: How many rows to show before all are there.
  ///   - wake: Called on another thread when ``takeBackgroundResults()`` has something to take.
  /// - Throws: ``FetchedResultsError`` and errors of the predicate. Later errors are told to the delegate.
  public func set(
    predicate: FetchPredicate?, sortDescriptors: [FetchSortDescriptor], sectionKey: SectionKey?,
    firstScreen: Int, wake: @escaping @Sendable () -> Void
  ) throws {
    note(predicate, sortDescriptors, sectionKey)
    guard live.list != nil else { return try performFetch(firstScreen: firstScreen, wake: wake) }
    try keepingQuestion { try live.change(to: wantedPlan, firstScreen: firstScreen, wake: wake) }
  }

  private var wantedPlan: FetchPlan {
    var plan = wanted.plan
    plan.sectionKey = wantedSectionKey
    return plan
  }

  private func note(
    _ predicate: FetchPredicate?, _ sortDescriptors: [FetchSortDescriptor],
    _ sectionKey: SectionKey?
  ) {
    wanted.predicate = predicate
    wanted.sortDescriptors = sortDescriptors
    wantedSectionKey = sectionKey
  }

  private func change(_ body: (inout FetchRequest<Object>) -> Void) {
    var request = wanted
    body(&request)
    try? set(
      predicate: request.predicate, sortDescriptors: request.sortDescriptors,
      sectionKey: wantedSectionKey)
  }

  /// Goes back to the question that the list answers when the new one fails.
  private func keepingQuestion(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      followShownQuestion()
      throw error
    }
  }

  /// Makes what is wanted what is shown, unless an answer is still under way.
  private func followShownQuestion() {
    guard live.background == nil, let shown = live.query?.plan else { return }
    note(shown.predicate, shown.sortDescriptors, shown.sectionKey)
  }
}
