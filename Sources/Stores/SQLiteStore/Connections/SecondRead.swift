import Foundation
import GRDBSQLite
import ObjectModel
import Synchronization

/// Work on a connection that another thread does, while the thread that has the connection waits.
///
/// Unchecked, because a connection is not Sendable: between ``start()`` and the end of
/// ``wait(_:)`` only the other thread uses it, and the result, and not at all after ``takeBack()``.
final class SecondRead<Value>: @unchecked Sendable {
  private let connection: Connection
  private let work: (Connection) throws(StoreError) -> Value
  private var value: Value?
  private let group = DispatchGroup()
  private let isTaken = Atomic(false)

  init(_ connection: Connection, _ work: @escaping (Connection) throws(StoreError) -> Value) {
    self.connection = connection
    self.work = work
  }

  /// Starts the work, with the priority of the calling thread.
  func start() {
    group.enter()
    if ThreadPriority.isLowered {
      Thread { self.run() }.start()
    } else {
      // A thread of the pool is there sooner.
      DispatchQueue.global().async { self.run() }
    }
  }

  private func run() {
    defer { group.leave() }
    guard take() else { return }
    do throws(StoreError) { value = try work(connection) } catch {
      // The caller reads everything with one reader, and meets the error itself.
    }
  }

  /// Cancels the work if the other thread has not begun it: doing it here may take less time than
  /// waiting for that thread to be scheduled.
  ///
  /// - Returns: Whether it was cancelled; if not, ``wait(_:)`` must follow.
  func takeBack() -> Bool { take() }

  private func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

  /// Waits for the end of the work.
  ///
  /// - Parameter mustStop: Asked often; whether the work shall be interrupted.
  /// - Returns: The result; nil if the work has failed.
  func wait(_ mustStop: () -> Bool) -> Value? {
    while true {
      let isStopping = mustStop()
      // An interrupt between two statements has no effect: it is repeated.
      if isStopping { sqlite3_interrupt(connection.handle) }
      if group.wait(timeout: .now() + .milliseconds(isStopping ? 1 : 20)) == .success {
        return value
      }
    }
  }
}
