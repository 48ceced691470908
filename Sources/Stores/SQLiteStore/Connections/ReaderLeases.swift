import Dispatch
import GRDB
import Glibc
import ObjectModel
import Synchronization

/// The readers of a ``ConnectionPool``: leases them to threads, and takes all of them back for a save
/// that they would block.
final class ReaderLeases: Sendable {
  /// A reader in use.
  private struct Lease {
    let connection: PooledConnection
    var wasInterrupted = false
  }

  private struct State {
    var settings: ConnectionSettings
    var fileSystem = VirtualFileSystem.traceless
    var idle: [PooledConnection]
    var leases: [Int: Lease] = [:]
    var nextLease = 0
    /// The number of readers that are being opened.
    var opening = 0
    var isWriting = false
    var waiting: [DispatchSemaphore] = []

    /// Leases an idle reader; nil if there is none.
    mutating func leaseIdle() -> (Int, PooledConnection)? {
      guard let connection = idle.popLast() else { return nil }
      nextLease += 1
      leases[nextLease] = Lease(connection: connection)
      return (nextLease, connection)
    }

    /// What a thread waits for until the state changes.
    mutating func waiter() -> DispatchSemaphore {
      let semaphore = DispatchSemaphore(value: 0)
      waiting.append(semaphore)
      return semaphore
    }

    /// Wakes all threads that wait for a change of the state.
    mutating func wakeAll() {
      for semaphore in waiting { semaphore.signal() }
      waiting = []
    }
  }

  /// The largest number of readers.
  ///
  /// The last one is for a thread that may not wait for another one.
  static let limit = 6
  /// How long a save waits for reads before it interrupts them, in milliseconds.
  private static let grace = 30

  private let state: Mutex<State>

  /// Makes the leases of readers, of which some are open already.
  init(settings: ConnectionSettings, open: [DatabaseQueue]) {
    state = Mutex(State(settings: settings, idle: open.map(PooledConnection.init)))
  }

  /// Closes the idle readers.
  func closeIdle() { for reader in state.withLock({ $0.idle }) { reader.close() } }

  /// How the connections of the pool are opened.
  var settings: ConnectionSettings { state.withLock { $0.settings } }

  /// Gives the readers that are opened from now on comparisons of bytes under the names of
  /// collations.
  func addFallbackCollations(_ names: [String]) {
    state.withLock { $0.settings.fallbackCollations = names }
  }

  /// Has the readers that are opened from now on share the wal-index.
  func shareIndex() { state.withLock { $0.fileSystem = .sharingIndex } }

  /// Has the database itself read from now on, if a copy was.
  func endReadingCopy() {
    state.withLock { state in
      guard state.settings.copyPath != nil else { return }
      state.settings.copyPath = nil
      state.idle = []
    }
  }

  /// Leases an idle reader, opens one, or waits for one if the thread may wait.
  ///
  /// - Returns: The lease; nil if there is none, and the thread may not wait.
  /// - Throws: `DatabaseError` if no reader can be opened.
  func lease() throws -> (Int, PooledConnection)? {
    let mayWait = FetchControl.mayWait
    return try lease(besides: mayWait ? 1 : 0, waiting: mayWait)
  }

  /// Leases a reader that is idle or can be opened, without waiting for anybody; the last two are left
  /// to others.
  ///
  /// - Returns: The lease; nil if there is none.
  func leaseAtOnce() -> (Int, PooledConnection)? {
    (try? LockWait.never { try lease(besides: 2, waiting: false) }) ?? nil
  }

  /// Leases an idle reader, or opens one.
  ///
  /// - Parameters:
  ///   - spared: The number of readers that are left to others.
  ///   - waits: Whether to wait for a reader if there is none.
  /// - Returns: The lease; nil if there is none.
  /// - Throws: `DatabaseError` if no reader can be opened.
  private func lease(besides spared: Int, waiting waits: Bool) throws -> (Int, PooledConnection)? {
    enum Turn {
      case take(Int, PooledConnection)
      case open(ConnectionSettings, VirtualFileSystem)
      case wait(DispatchSemaphore)
      case none
    }
    while true {
      let turn: Turn = state.withLock { state in
        if state.isWriting || state.leases.count + state.opening >= Self.limit - spared {
          return waits ? .wait(state.waiter()) : .none
        }
        if let (number, connection) = state.leaseIdle() { return .take(number, connection) }
        state.opening += 1
        return .open(state.settings, state.fileSystem)
      }
      switch turn {
      case .take(let number, let connection): return (number, connection)
      case .wait(let semaphore): semaphore.wait()
      case .none: return nil
      case .open(let settings, let fileSystem):
        let opened = Result { PooledConnection(try settings.makeReader(through: fileSystem)) }
        state.withLock { state in
          state.opening -= 1
          if case .success(let connection) = opened { state.idle.append(connection) }
          state.wakeAll()
        }
        _ = try opened.get()
      }
    }
  }

  /// Takes a reader back; an outdated one is closed.
  ///
  /// - Returns: Whether it was interrupted for a save, and whether it is outdated.
  func release(_ number: Int) -> (wasInterrupted: Bool, isOutdated: Bool) {
    let isOutdated = state.withLock { $0.leases[number]?.connection }?.queue.isOutdated ?? false
    let lease = state.withLock { state in
      defer { state.wakeAll() }
      let lease = state.leases.removeValue(forKey: number)
      if let lease, !isOutdated { state.idle.append(lease.connection) }
      return lease
    }
    if isOutdated { lease?.connection.close() }
    return (lease?.wasInterrupted ?? false, isOutdated)
  }

  /// Keeps reads from starting, and waits until there are none, interrupting those that take long.
  func block() {
    var isOwner = false
    var patience = DispatchTime.now() + .milliseconds(Self.grace)
    while true {
      let semaphore: DispatchSemaphore? = state.withLock { state in
        if !isOwner, !state.isWriting {
          state.isWriting = true
          isOwner = true
        }
        return isOwner && state.leases.isEmpty ? nil : state.waiter()
      }
      guard let semaphore else { return }
      guard isOwner else {
        semaphore.wait()
        continue
      }
      if semaphore.wait(timeout: patience) == .timedOut {
        // An interrupt between two statements has no effect: it is repeated until the reads end.
        interrupt()
        patience = .now() + .milliseconds(Self.grace)
      }
    }
  }

  private func interrupt() {
    let connections = state.withLock { state in
      for number in state.leases.keys { state.leases[number]?.wasInterrupted = true }
      return state.leases.values.map(\.connection)
    }
    for connection in connections { connection.queue.interrupt() }
  }

  /// Lets reads start again.
  func unblock() {
    state.withLock { state in
      state.isWriting = false
      state.wakeAll()
    }
  }
}
