import CSQLite
import Foundation
import GRDBSQLite
import ObjectModel
import Synchronization

extension ConnectionPool {
  /// Runs two closures at the same time: one on a connection that has begun to read, and one on
  /// another thread and another reader, which sees the same state of the database.
  ///
  /// If the other thread has not begun when the first closure ends, both run on this one.
  ///
  /// - Parameters:
  ///   - connection: A connection of the pool.
  ///   - control: Cancels both.
  ///   - first: Runs on this thread.
  ///   - second: Runs on another thread, as a rule.
  ///   - isEnough: Asked after the first closure, whether its result is enough: the second one is
  ///     interrupted then, and has no result.
  /// - Returns: Both results; nil if there is no reader to be had at once, it cannot be proved that
  ///   both see the same state, or only the second closure has failed.
  /// - Throws: The error of the first closure, or of both if they have run on this thread.
  func together<First, Second>(
    _ connection: Connection, _ control: FetchControl?,
    first: () throws(StoreError) -> First,
    second: @escaping (Connection) throws(StoreError) -> Second,
    unless isEnough: () -> Bool = { false }
  ) throws(StoreError) -> (First, Second?)? {
    guard let (number, reader) = readers.leaseAtOnce() else { return nil }
    var result: Result<First, StoreError>?
    var other: Second?
    var (needsOther, isTakenBack) = (true, false)
    // If the reader cannot begin, another program is about to commit.
    try? reader.readAtOnce { open in
      guard cs_seeSameState(connection.handle, open.handle) != 0 else { return }
      let read = SecondRead(open, second)
      read.start()
      do throws(StoreError) {
        result = .success(try first())
        needsOther = !isEnough()
      } catch {
        result = .failure(error)
        needsOther = false
      }
      isTakenBack = read.takeBack()
      if isTakenBack { return }
      let current = FetchControl.current
      other = read.wait {
        !needsOther || control?.mustStop == true || current?.mustStop == true
      }
    }
    let (_, isOutdated) = readers.release(number)
    guard let found = try result?.get() else { return nil }
    if !needsOther { return (found, nil) }
    if isTakenBack { return (found, try second(connection)) }
    return isOutdated ? nil : other.map { (found, $0) }
  }
}

/// Work on a connection that another thread does, while the thread that has the connection waits.
///
/// With it a word that is in one of a million rows is found in half of the time. Unchecked, because a
/// connection is not Sendable: between ``start()`` and the end of
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
