import Dispatch
import ObjectModel
import Synchronization

/// A fetch on a thread of its own, straight from the store.
///
/// It may have two stages: the first rows alone, then all. Results wait here until they are taken.
final class BackgroundFetch: Sendable {
  /// One stage's answer.
  struct Answer: Sendable {
    let plan: FetchPlan
    let isWhole: Bool
    let result: Result<FetchedIDs, StoreError>
  }

  let control = FetchControl()
  private let answers = Mutex<[Answer]>([])
  private let spent = Mutex(Duration.zero)
  private let isResting: Atomic<Bool>

  /// Whether the store is being read, and not left to others for a while.
  var isUnderWay: Bool { !isResting.load(ordering: .acquiring) }

  /// How long the store was read, so far.
  var duration: Duration { spent.withLock { $0 } }

  /// Starts a fetch.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - firstScreen: How many rows to fetch before all of them; nil for all at once.
  ///   - store: The store.
  ///   - pause: How long to wait before the store is read.
  ///   - wake: Called on the fetch's thread after each stage.
  init(
    _ plan: FetchPlan, firstScreen: Int?, from store: any PersistentStore, after pause: Duration,
    wake: @escaping @Sendable () -> Void
  ) {
    isResting = Atomic(pause > .zero)
    let queue = DispatchQueue(label: "cardfile.fetch", qos: .userInitiated)
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [self] in
      isResting.store(false, ordering: .releasing)
      if let firstScreen, firstScreen < plan.limit ?? .max {
        var first = plan
        first.limit = firstScreen
        let answer = fetch(first, from: store) { $0.ids.count < firstScreen }
        wake()
        if answer.isWhole { return }
      }
      _ = fetch(plan, from: store) { _ in true }
      wake()
    }
  }

  /// Takes the answers that are there.
  ///
  /// A failed stage is whole: nothing comes after it.
  func takeAnswers() -> [Answer] {
    answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
  }

  private func fetch(
    _ plan: FetchPlan, from store: any PersistentStore, isWhole: (FetchedIDs) -> Bool
  ) -> Answer {
    let start = ContinuousClock.now
    let result = Result { () throws(StoreError) in try store.fetch(plan, control: control) }
    spent.withLock { $0 += ContinuousClock.now - start }
    let whole =
      switch result {
      case .success(let fetched): isWhole(fetched)
      case .failure: true
      }
    let answer = Answer(plan: plan, isWhole: whole, result: result)
    answers.withLock { $0.append(answer) }
    return answer
  }
}
