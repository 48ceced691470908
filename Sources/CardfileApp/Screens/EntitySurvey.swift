import Dispatch
import ObjectModel
import Synchronization
import TerminalKit

/// Counts the objects of entities in the background, and finds the section keys of their lists.
nonisolated final class EntitySurvey: Sendable {
  /// The result for an entity.
  struct Finding: Hashable, Sendable {
    /// The number of objects; nil if they could not be counted.
    var count: Int?
    /// The section key of its list; nil for no sections.
    var sectionKey: SectionKey?
  }

  private struct State {
    var findings: [String: Finding] = [:]
    var isRunning = false
    var hasFinished = false
    var control = FetchControl()
    /// Counts the present entity.
    var counting = FetchControl()
  }

  /// How long a view is counted, in seconds: it may never end.
  private static let viewTimeLimit = 5.0

  private let state = Mutex(State())
  private let store: any PersistentStore
  private let waker: Waker

  init(store: any PersistentStore, waker: Waker) {
    self.store = store
    self.waker = waker
  }

  /// The results so far, by entity name.
  var findings: [String: Finding] { state.withLock { $0.findings } }

  /// Whether the survey is not finished.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Whether every entity was counted once.
  var hasFinished: Bool { state.withLock { $0.hasFinished } }

  /// Starts the survey again; old results stay until new ones replace them.
  func start() {
    let control = FetchControl()
    state.withLock { state in
      state.control.cancel()
      state.counting.cancel()
      state.control = control
      state.isRunning = true
    }
    DispatchQueue.global(qos: .utility).async { [self] in
      for entity in store.model.entities where !control.isCancelled {
        let plan = FetchPlan(entityName: entity.name)
        let counting =
          entity.readOnlyReason == nil ? control : FetchControl(timeLimit: Self.viewTimeLimit)
        state.withLock { $0.counting = counting }
        let defaults = ListDefaults(entity, store: store)
        let finding = Finding(
          count: try? store.count(plan, control: counting),
          sectionKey: defaults.sectionKey(for: defaults.sortDescriptors))
        guard !control.isCancelled else { break }
        state.withLock { $0.findings[entity.name] = finding }
        waker.wake()
      }
      guard !control.isCancelled else { return }
      state.withLock { state in
        state.isRunning = false
        state.hasFinished = true
      }
      waker.wake()
    }
  }

  /// Stops the survey; the results so far stay.
  func stop() {
    state.withLock { state in
      state.control.cancel()
      state.counting.cancel()
      state.isRunning = false
    }
  }
}
