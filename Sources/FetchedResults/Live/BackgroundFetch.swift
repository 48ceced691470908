import Dispatch
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

    /// The results.
    var fetched: FetchedIDs { get throws(StoreError) { try tracked.get().results } }
  }

  /// What a fetch after a commit of another process begins with: the last one, if there was one.
  struct Repetition {
    let last: TrackedFetch?
  }

  let control = FetchControl()
  private let stages = Mutex<[Stage]>([])
  private let readingTime = Mutex(ReadingTime())
  private let isPausing: Atomic<Bool>
  /// Left at the end of the first stage.
  private let firstStage = DispatchGroup()

  /// Whether the fetch has begun: the pause before it is over.
  var isUnderWay: Bool { !isPausing.load(ordering: .acquiring) }

  /// How long the store has been read.
  var duration: ReadingTime { readingTime.withLock { $0 } }

  /// Starts a fetch after a pause; its first stage fetches the number of rows of the first screen,
  /// if that is not nil, and `wake` is called on the fetch's thread after each stage.
  ///
  /// A repetition is nil for a fetch that is not to be repeated after each commit.
  init(
    _ plan: FetchPlan, firstScreen: Int?, from store: any PersistentStore,
    repeating repetition: Repetition? = nil, after pause: Duration,
    wake: @escaping @Sendable () -> Void
  ) {
    isPausing = Atomic(pause > .zero)
    firstStage.enter()
    let queue = DispatchQueue(label: "cardfile.fetch", qos: .userInitiated)
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [self] in
      isPausing.store(false, ordering: .releasing)
      if let firstScreen, firstScreen < plan.limit ?? .max {
        var first = plan
        first.limit = firstScreen
        let stage = fetch(first, from: store, nil) { $0.ids.count < firstScreen }
        firstStage.leave()
        wake()
        if stage.isComplete { return }
        _ = fetch(plan, from: store, repetition) { _ in true }
      } else {
        _ = fetch(plan, from: store, repetition) { _ in true }
        firstStage.leave()
      }
      wake()
    }
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

  private func fetch(
    _ plan: FetchPlan, from store: any PersistentStore, _ repetition: Repetition?,
    isComplete: (FetchedIDs) -> Bool
  ) -> Stage {
    let start = ReadingTime.ofThread
    let result = Result { () throws(StoreError) in
      if let repetition {
        return try store.refetch(plan, since: repetition.last, control: control)
      }
      return TrackedFetch(try store.fetch(plan, control: control), plan: plan)
    }
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
