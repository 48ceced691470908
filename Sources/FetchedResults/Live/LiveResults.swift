import DequeModule
import ManagedObjects
import ObjectModel

/// A list of object IDs that follows its context: the controller without the types of objects.
///
/// It tells what it does in one order: will change (the old list is still there), the list flips, did change.
/// What happens inside these calls is put off until they are over.
final class LiveResults {
  let context: ManagedObjectContext
  /// The request that was made last; ``displayed`` once its first rows have arrived.
  var requested: ListRequest
  /// The request that the list answers; nil before the first fetch.
  var displayed: ListRequest? { query?.request }
  /// The displayed request, prepared; nil before the first fetch.
  var query: LiveQuery?
  var list: ResultsSections?
  /// Whether the list is only the first rows of a fetch that has not brought the others yet.
  var isPartial = false
  var mostRecentError: (any Error)?
  /// Where the change that is being told, or was told last, came from.
  var changeOrigin = ChangeOrigin.context

  var background: Background?
  /// What keeps whole fetches that follow other programs' commits apart.
  var rest = RefetchRest()

  /// Called on another thread when a background fetch has rows; nil to fetch synchronously.
  var wake: (@Sendable () -> Void)?

  /// Changes not followed yet, made inside a callback or while suspended.
  ///
  /// An entry for `.store`, even an empty one, says that rows that are not held may have changed.
  var waiting: [ChangeOrigin: Touches] = [:]
  var isSuspended = false {
    didSet { if !isSuspended { followWaiting() } }
  }
  private(set) var isTelling = false
  private var afterTelling: Deque<() -> Void> = []

  var willChange: () -> Void = {}
  var didChange: (ResultsChange) -> Void = { _ in }
  var didFail: (any Error) -> Void = { _ in }
  private var observation: ContextObservation?

  /// A fetch that runs on another thread.
  struct Background {
    let fetch: BackgroundFetch
    var query: LiveQuery
    let origin: ChangeOrigin
    let start = ContinuousClock.now
    /// What was changed since the fetch began, which its answer may or may not know.
    var touches = Touches()
    /// Whether the store changed under the fetch, so that it must be made once more.
    var isOutdated = false
  }

  init(_ request: ListRequest, context: ManagedObjectContext) {
    requested = request
    self.context = context
    observation = context.observe { [weak self] in self?.contextDid($0) }
  }

  deinit { background?.fetch.control.cancel() }

  // MARK: Telling

  /// Does something now, or when the callback that it is asked in has returned.
  ///
  /// - Throws: What the body throws now; later errors are told to `didFail`.
  func whenNotTelling(_ body: @escaping () throws -> Void) throws {
    guard isTelling else { return try body() }
    afterTelling.append { [weak self] in
      do { try body() } catch { self?.fail(error) }
    }
  }

  /// Replaces the list and tells what changed; tells nothing when nothing did.
  ///
  /// - Parameters:
  ///   - new: The new list.
  ///   - change: What leads to it.
  ///   - old: The old list with the IDs that its objects have now.
  ///   - origin: Where the change came from.
  func flip(
    to new: ResultsSections, _ change: ResultsChange, from old: ResultsSections,
    origin: ChangeOrigin
  ) {
    guard !change.isEmpty else {
      list = new
      return
    }
    assert(
      old.count + new.count > 100_000 || change.leads(from: old, to: new),
      "The change does not lead from the old list to the new one: \(change)")
    changeOrigin = origin
    isTelling = true
    willChange()
    list = new
    didChange(change)
    isTelling = false
    while !isTelling, let body = afterTelling.popFirst() { body() }
  }

  func fail(_ error: any Error) {
    mostRecentError = error
    didFail(error)
  }

  // MARK: Following the context

  private func contextDid(_ event: ContextEvent) {
    guard let query else { return }
    switch event {
    case .changed(let change):
      background?.note(change, in: context)
      wait(Touches(change, for: query, in: context), .context)
    case .refreshed(let change):
      background?.note(change, in: context)
      wait(Touches(change, for: query, in: context), .store)
    case .didSave(let change):
      background?.note(change, in: context)
      // What was saved was followed when it changed; only the IDs of inserted objects are new.
      wait(
        Touches(ContextChange(permanentIDs: change.permanentIDs), for: query, in: context),
        .context)
    case .reset:
      waiting = [:]
      waiting[.context, default: Touches()].needsReload = true
    case .willSave: return
    }
    if !isTelling { return followWaiting() }
    afterTelling.append { [weak self] in self?.followWaiting() }
  }

  /// Keeps changes until they can be followed.
  func wait(_ touches: Touches, _ origin: ChangeOrigin) {
    waiting[origin, default: Touches()].formUnion(touches)
  }

  private func followWaiting() {
    guard !isSuspended, list != nil else { return }
    if let touches = waiting.removeValue(forKey: .context) { follow(touches, origin: .context) }
    if let touches = waiting.removeValue(forKey: .store) { followStore(touches) }
  }
}

extension LiveResults.Background {
  /// Remembers what the context did while the fetch was under way.
  fileprivate mutating func note(_ change: ContextChange, in context: ManagedObjectContext) {
    let new = Touches(change, for: query, in: context)
    touches.formUnion(new)
    isOutdated = isOutdated || new.needsRefetch || touches.ids.count > ResultsChange.rowLimit
  }
}
