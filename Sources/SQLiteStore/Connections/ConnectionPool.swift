import Dispatch
import GRDB
import ObjectModel
import Synchronization

/// The connections to one database: a few readers, opened as they are needed, and one writer, opened by the first save.
///
/// With a write-ahead log readers and the writer do not hinder each other. With a rollback journal a commit has to wait
/// until nobody reads: then a save first lets the reads that go on finish, interrupts those that take long, and those
/// start over when it is done. They only seem to take longer.
final class ConnectionPool: Sendable {
  /// A reader in use.
  private struct Lease {
    let connection: DatabaseQueue
    var wasInterrupted = false
  }

  private struct State {
    var idle: [DatabaseQueue]
    var leases: [Int: Lease] = [:]
    var nextLease = 0
    /// How many readers are just being opened.
    var opening = 0
    var isWriting = false
    var waiting: [DispatchSemaphore] = []

    /// Wakes all that wait for something to change.
    mutating func wakeAll() {
      for semaphore in waiting { semaphore.signal() }
      waiting = []
    }
  }

  /// How many readers there may be.
  private static let readerLimit = 5
  /// How long a save lets reads go on before it interrupts them, in milliseconds.
  private static let grace = 30

  let settings: ConnectionSettings
  private let readersBlockWriter: Bool
  private let state: Mutex<State>
  private let writerQueue = Mutex<DatabaseQueue?>(nil)

  /// Makes a pool.
  ///
  /// - Parameters:
  ///   - settings: How connections are opened.
  ///   - first: A reader that is open already.
  ///   - usesWAL: Whether the database has a write-ahead log.
  init(settings: ConnectionSettings, first: DatabaseQueue, usesWAL: Bool) {
    self.settings = settings
    readersBlockWriter = !usesWAL
    state = Mutex(State(idle: [first]))
  }

  /// Runs a closure on a reader, in a transaction, so that all its queries see one state of the database.
  ///
  /// The closure may be called again after it was interrupted for the sake of a save.
  ///
  /// - Parameters:
  ///   - doing: What is being done, for errors.
  ///   - body: What to run.
  /// - Returns: What the closure returns.
  /// - Throws: ``StoreError``.
  func read<Result>(
    doing: String, _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    while true {
      let (number, connection) = try lease(doing: doing)
      do {
        let result = try connection.writeWithoutTransaction { database in
          var result: Result?
          try database.inTransaction(.deferred) {
            result = try body(database)
            return .commit
          }
          return result
        }
        release(number)
        if let result { return result }
      } catch {
        let wasInterrupted = release(number)
        let error = StoreError(error, doing: doing, subject: settings.subject)
        guard wasInterrupted, error.reason == .cancelled else { throw error }
      }
    }
  }

  /// Runs a closure on the writer, outside of any transaction.
  ///
  /// - Parameters:
  ///   - doing: What is being done, for errors.
  ///   - body: What to run.
  /// - Returns: What the closure returns.
  /// - Throws: ``StoreError``.
  func write<Result>(
    doing: String, _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if readersBlockWriter { sendReadersAway() }
    defer { if readersBlockWriter { letReadersBack() } }
    do {
      return try openWriter().writeWithoutTransaction(body)
    } catch {
      throw StoreError(error, doing: doing, subject: settings.subject)
    }
  }

  /// The writer, if it was opened.
  var openedWriter: DatabaseQueue? { writerQueue.withLock { $0 } }

  /// Opens the writer, if it is not open yet.
  func openWriter() throws -> DatabaseQueue {
    try writerQueue.withLock { writer in
      if let writer { return writer }
      let opened = try settings.makeWriter()
      writer = opened
      return opened
    }
  }
}

extension ConnectionPool {
  /// Takes an idle reader, opens one, or waits for one.
  private func lease(doing: String) throws(StoreError) -> (Int, DatabaseQueue) {
    enum Turn {
      case take(Int, DatabaseQueue)
      case open
      case wait(DispatchSemaphore)
    }
    while true {
      let turn: Turn = state.withLock { state in
        let isFull =
          state.idle.isEmpty && state.leases.count + state.opening >= Self.readerLimit
        if isFull || state.isWriting {
          let semaphore = DispatchSemaphore(value: 0)
          state.waiting.append(semaphore)
          return .wait(semaphore)
        }
        guard let connection = state.idle.popLast() else {
          state.opening += 1
          return .open
        }
        state.nextLease += 1
        state.leases[state.nextLease] = Lease(connection: connection)
        return .take(state.nextLease, connection)
      }
      switch turn {
      case .take(let number, let connection): return (number, connection)
      case .wait(let semaphore): semaphore.wait()
      case .open:
        let opened = Result { try settings.makeReader() }
        state.withLock { state in
          state.opening -= 1
          if case .success(let connection) = opened { state.idle.append(connection) }
          state.wakeAll()
        }
        if case .failure(let error) = opened {
          throw StoreError(error, doing: doing, subject: settings.subject)
        }
      }
    }
  }

  /// Gives a reader back.
  ///
  /// - Returns: Whether it was interrupted for a save.
  @discardableResult
  private func release(_ number: Int) -> Bool {
    state.withLock { state in
      defer { state.wakeAll() }
      guard let lease = state.leases.removeValue(forKey: number) else { return false }
      state.idle.append(lease.connection)
      return lease.wasInterrupted
    }
  }

  /// Waits until nobody reads, interrupting what takes long, and keeps others from starting.
  private func sendReadersAway() {
    var isMine = false
    var patience = DispatchTime.now() + .milliseconds(Self.grace)
    while true {
      let semaphore: DispatchSemaphore? = state.withLock { state in
        if !isMine, !state.isWriting {
          state.isWriting = true
          isMine = true
        }
        if isMine, state.leases.isEmpty { return nil }
        let semaphore = DispatchSemaphore(value: 0)
        state.waiting.append(semaphore)
        return semaphore
      }
      guard let semaphore else { return }
      guard isMine else {
        semaphore.wait()
        continue
      }
      if semaphore.wait(timeout: patience) == .timedOut {
        // An interrupt between two statements is lost: it is sent again until the reader is back.
        interruptReaders()
        patience = .now() + .milliseconds(Self.grace)
      }
    }
  }

  private func interruptReaders() {
    let connections = state.withLock { state in
      for number in state.leases.keys { state.leases[number]?.wasInterrupted = true }
      return state.leases.values.map(\.connection)
    }
    for connection in connections { connection.interrupt() }
  }

  private func letReadersBack() {
    state.withLock { state in
      state.isWriting = false
      state.wakeAll()
    }
  }
}
