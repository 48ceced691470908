import Dispatch
import ObjectModel
import Synchronization
import TerminalKit

/// Counts the objects of entities in the background, and finds what their lists are sectioned by.
nonisolated final class EntitySurvey: Sendable {
  /// What was found of an entity.
  struct Finding: Hashable, Sendable {
    /// How many objects it has; nil when they could not be counted.
    var count: Int?
    /// What its list is sectioned by; nil for nothing.
    var sectionKey: SectionKey?
  }

  private struct State {
    var findings: [String: Finding] = [:]
    var isRunning = false
    var control = FetchControl()
  }

  private let state = Mutex(State())
  private let store: any PersistentStore
  private let waker: Waker

  init(store: any PersistentStore, waker: Waker) {
    self.store = store
    self.waker = waker
  }

  /// What was found so far, by entity.
  var findings: [String: Finding] { state.withLock { $0.findings } }

  /// Whether some entities are still to be looked at.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Looks at all entities anew; what was found before stays until it is found again.
  func start() {
    let control = FetchControl()
    let before = state.withLock { state in
      defer {
        state.control = control
        state.isRunning = true
      }
      return state.control
    }
    before.cancel()
    DispatchQueue.global(qos: .utility).async { [self] in
      for entity in store.model.entities where !control.isCancelled {
        let plan = FetchPlan(entityName: entity.name)
        let finding = Finding(
          count: try? store.count(plan, control: control),
          sectionKey: ListDefaults.sectionKey(
            for: ListDefaults.sortDescriptors(for: entity), entity: entity, store: store))
        guard !control.isCancelled else { break }
        state.withLock { $0.findings[entity.name] = finding }
        waker.wake()
      }
      guard !control.isCancelled else { return }
      state.withLock { $0.isRunning = false }
      waker.wake()
    }
  }

  /// Stops looking; what was found stays.
  func stop() {
    state.withLock { state in
      state.control.cancel()
      state.isRunning = false
    }
  }
}
