import Dispatch
import Foundation
public import ObjectModel
import Synchronization

extension RESTStore {
  /// Calls a handler when the cache has been brought up to date, and when another program that uses
  /// the same cache has written it.
  ///
  /// As long as somebody observes, what was fetched is asked for again from time to time.
  public func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    let others = cache.observeForeignChanges(handler)
    let number = state.withLock { state in
      state.handlerCount += 1
      state.handlers[state.handlerCount] = handler
      if state.timer == nil { state.timer = makeTimer() }
      return state.handlerCount
    }
    return StoreObservation { [weak self] in
      others.cancel()
      self?.state.withLock { state in
        state.handlers[number] = nil
        if state.handlers.isEmpty {
          state.timer?.cancel()
          state.timer = nil
        }
      }
    }
  }

  func callHandlers() {
    let handlers = state.withLock { Array($0.handlers.values) }
    for handler in handlers { handler() }
  }

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + options.maximumAge, repeating: options.maximumAge)
    timer.setEventHandler { [weak self] in self?.refresh() }
    timer.resume()
    return timer
  }

  /// Brings what was fetched up to date again: what takes long, less often.
  private func refresh() {
    let due = state.withLock { state in
      state.watched.filter { name in
        guard let listing = state.listings[name], let completed = listing.completed else {
          return true
        }
        return -completed.timeIntervalSinceNow >= max(options.maximumAge, listing.duration * 10)
      }
    }
    for name in due { want(FetchPlan(entityName: name)) }
    // The age is another one.
    if due.isEmpty { callHandlers() }
  }
}
