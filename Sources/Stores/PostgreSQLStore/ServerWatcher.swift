import Foundation
import ObjectModel
import SQLQueries
import Synchronization

/// Looks every second whether other sessions have written, as long as somebody wants to know.
///
/// A server has no file that could be watched. Its snapshot names the transactions that have begun to
/// write and those that have not ended: it changes with every commit, of any database.
final class ServerWatcher: Sendable {
  private struct State {
    var handlers: [Int: @Sendable () -> Void] = [:]
    var next = 0
    var seen: String?
    var timer: (any DispatchSourceTimer)?
  }

  private let state = Mutex(State())
  private let pool: ServerPool
  private let queue = DispatchQueue(label: "cardfile.postgresql.watcher", qos: .utility)

  init(_ pool: ServerPool) { self.pool = pool }

  deinit { stop() }

  func observe(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    let number = state.withLock { state in
      state.handlers[state.next] = handler
      state.next += 1
      return state.next - 1
    }
    start()
    return StoreObservation { [weak self] in self?.remove(number) }
  }

  /// Stops looking.
  func stop() {
    state.withLock { state in
      state.timer?.cancel()
      (state.timer, state.handlers) = (nil, [:])
    }
  }

  private func remove(_ number: Int) {
    let isLast = state.withLock { state in
      state.handlers[number] = nil
      return state.handlers.isEmpty
    }
    if isLast { stop() }
  }

  private func start() {
    state.withLock { state in
      guard state.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now(), repeating: 1)
      timer.setEventHandler { [weak self] in self?.look() }
      timer.resume()
      state.timer = timer
    }
  }

  private func look() {
    var present: String?
    // Without an answer nothing is known: the next look may tell.
    try? pool.read { connection throws(StoreError) in
      _ = try connection.run("SELECT txid_current_snapshot()") { row in present = row.text(0) }
    }
    guard let present else { return }
    let handlers = state.withLock { state in
      defer { state.seen = present }
      return state.seen == nil || state.seen == present ? [] : Array(state.handlers.values)
    }
    for handler in handlers { handler() }
  }
}
