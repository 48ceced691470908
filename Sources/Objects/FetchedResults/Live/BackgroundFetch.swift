import Foundation
import ManagedObjects
import ObjectModel
import Synchronization

/// A fetch from the store on a thread of its own.
///
/// It may have two stages: the first rows only, then all of them. The results are kept until they
/// are taken.
final class BackgroundFetch: Sendable {
  /// The result of one stage.
  struct Stage: Sendable {
    let plan: FetchPlan
    /// Whether no stage follows, which is so after an error too.
    let isComplete: Bool
    let tracked: Result<TrackedFetch, StoreError>
    /// The rows of a windowed list, of which there is no other stage; nil for a whole list.
    var found: WindowReader.Found?

    /// The results.
    var fetched: FetchedIDs { get throws(StoreError) { try tracked.get().results } }
  }

  let control: FetchControl
  /// Entered while a more urgent fetch runs: this one pauses, and goes on only every ten
  /// milliseconds.
  private let urgentWork = DispatchGroup()
  private let stages = Mutex<[Stage]>([])
  private let readingTime = Mutex(ReadingTime())
  private let isPausing: Atomic<Bool>
  /// The results of all rows, with what the next fetch of the same plan needs; nil until known.
  private let tracked = Mutex<TrackedFetch?>(nil)
  /// Left when ``tracked`` is known, or is known to stay nil.
  private let tracking = DispatchGroup()
  /// Left at the end of the first stage.
  private let firstStage = DispatchGroup()

  /// Whether the fetch has begun: the pause before it is over.
  var isUnderWay: Bool { !isPausing.load(ordering: .acquiring) }

  /// How long the store has been read.
  var duration: ReadingTime { readingTime.withLock { $0 } }

  /// Starts a fetch after a pause; its first stage fetches the number of rows of the first screen,
  /// if that is not nil, and `wake` is called on the fetch's thread after each stage.
  ///
  /// The first rows are looked for at the start of a longer list, if there is one, and all of them
  /// in the whole of it. It follows the last fetch of the same list, if there was one. All rows are
  /// kept in the cache, if there is one. Another fetch, which has more to do, gives way to it.
  init(
    _ plan: FetchPlan, firstScreen: Int?, at start: ListStart? = nil,
    from store: any PersistentStore, following last: BackgroundFetch? = nil,
    narrowing list: TrackedFetch? = nil, keepingIn cache: (any FetchCache)? = nil,
    before other: BackgroundFetch? = nil, after pause: Duration,
    wake: @escaping @Sendable () -> Void
  ) {
    control = Self.control(givingWayTo: urgentWork)
    other?.urgentWork.enter()
    isPausing = Atomic(pause > .zero)
    firstStage.enter()
    tracking.enter()
    Thread { [self] in
      defer { tracking.leave() }
      defer { other?.urgentWork.leave() }
      // A person waits for the first rows, and for a part that comes before others.
      if firstScreen == nil, other == nil { ThreadPriority.lower() }
      Thread.sleep(forTimeInterval: pause / .seconds(1))
      isPausing.store(false, ordering: .releasing)
      var stage: Stage
      if let firstScreen, firstScreen < plan.limit ?? .max {
        var first = plan
        first.limit = firstScreen
        stage = fetch(first, isComplete: { $0.ids.count < firstScreen }) {
          () throws(StoreError) in
          if let start, let rows = try start.fetch(first, from: store, control: control) {
            return TrackedFetch(rows, plan: first)
          }
          return TrackedFetch(try store.fetch(first, control: control), plan: first)
        }
        firstStage.leave()
        wake()
        if stage.isComplete { return }
        ThreadPriority.lower()
        stage = fetchAll(plan, from: store, since: last?.waitForTracked() ?? list, keepingIn: cache)
      } else {
        stage = fetchAll(plan, from: store, since: last?.waitForTracked() ?? list, keepingIn: cache)
        firstStage.leave()
      }
      wake()
      track(stage, in: store)
    }.start()
  }

  /// Reads the first rows of a windowed list: those around the first of some objects that it has, or
  /// else from its start.
  init(
    _ reader: WindowReader, near ids: [ObjectID], count: Int, wake: @escaping @Sendable () -> Void
  ) {
    control = FetchControl()
    isPausing = Atomic(false)
    firstStage.enter()
    Thread { [self] in
      defer { wake() }
      defer { firstStage.leave() }
      let result = Result { () throws -> WindowReader.Found in
        let near = ids.isEmpty ? nil : try reader.read(.objects(ids), count: count, control)
        return try near ?? reader.read(.first, count: count, control)
          ?? WindowReader.Found(rows: FetchedIDs(ids: ObjectIDList([])), open: [])
      }
      let tracked = result.map { TrackedFetch($0.rows, plan: reader.plan) }.mapError {
        $0.storeError ?? StoreError(.other, doing: "fetching", detail: "\($0)")
      }
      let stage = Stage(
        plan: reader.plan, isComplete: true, tracked: tracked, found: try? result.get())
      stages.withLock { $0.append(stage) }
    }.start()
  }

  /// Prepares the next fetch of results that were found in a cache.
  init(preparing found: TrackedFetch, in store: any PersistentStore) {
    control = Self.control(givingWayTo: urgentWork)
    isPausing = Atomic(false)
    tracking.enter()
    Thread { [self] in
      defer { tracking.leave() }
      ThreadPriority.lower()
      track(Stage(plan: found.plan, isComplete: true, tracked: .success(found)), in: store)
    }.start()
  }

  private static func control(givingWayTo urgentWork: DispatchGroup) -> FetchControl {
    // It never waits for the end of that: a save may wait for this fetch to be interrupted.
    FetchControl { _ = urgentWork.wait(timeout: .now() + .milliseconds(10)) }
  }

  /// The numbers of rows whose fetch is prepared to be repeated: of fewer rows a whole fetch takes no
  /// time, of more the IDs would take too much memory twice.
  private static let trackedCounts = 20_000...4_000_000

  /// Prepares the next fetch of the same rows.
  private func track(_ stage: Stage, in store: any PersistentStore) {
    guard case .success(let fetch) = stage.tracked else { return }
    var found = fetch.fingerprint == nil ? nil : fetch
    if found == nil, Self.trackedCounts.contains(fetch.results.ids.count) {
      // After an error the next fetch reads all rows, and reports it if it meets it too.
      found = try? store.fetchTracking?.track(fetch, control: control)
    }
    tracked.withLock { [found] in $0 = found }
  }

  /// The results with what the next fetch needs, once that is known; nil if it is not to be had.
  private func waitForTracked() -> TrackedFetch? {
    tracking.wait()
    return tracked.withLock { $0 }
  }

  /// Waits for the end of the first stage, but not longer than a time.
  func wait(milliseconds: Int) {
    _ = firstStage.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  /// Takes the results of the stages that have ended since the last call.
  func takeResults() -> [Stage] {
    stages.withLock { stages in
      defer { stages = [] }
      return stages
    }
  }

  private func fetchAll(
    _ plan: FetchPlan, from store: any PersistentStore, since last: TrackedFetch?,
    keepingIn cache: (any FetchCache)?
  ) -> Stage {
    fetch(plan, isComplete: { _ in true }) { () throws(StoreError) in
      try store.fetch(plan, since: last, keepingIn: cache, control: control)
    }
  }

  private func fetch(
    _ plan: FetchPlan, isComplete: (FetchedIDs) -> Bool,
    _ body: () throws(StoreError) -> TrackedFetch
  ) -> Stage {
    let start = ReadingTime.ofThread
    let result = Result(catching: body)
    let end = ReadingTime.ofThread
    readingTime.withLock { $0.add(from: start, to: end) }
    let isLast =
      switch result {
      case .success(let tracked): isComplete(tracked.results)
      case .failure: true
      }
    let stage = Stage(plan: plan, isComplete: isLast, tracked: result)
    stages.withLock { $0.append(stage) }
    return stage
  }
}
