import Foundation
import ObjectModel
import Synchronization

/// The connections of a store: at most four, each lent to one thread at a time.
final class ServerPool: Sendable {
  /// The connection that a thread reads with inside of a transaction, by pool.
  @TaskLocal private static var held: [ObjectIdentifier: ServerConnection] = [:]

  private struct State {
    var idle: [ServerConnection] = []
    var isClosed = false
  }

  static let size = 4

  private let state = Mutex(State())
  private let free = DispatchSemaphore(value: size)
  private let text: String
  /// What every connection begins with.
  private let settings: String

  /// Makes a pool, and its first connection.
  ///
  /// - Parameters:
  ///   - text: The address.
  ///   - settings: Statements that each connection begins with.
  /// - Throws: ``StoreError`` if the server does not let us in.
  init(_ text: String, settings: String) throws(StoreError) {
    (self.text, self.settings) = (text, settings)
    let first = try connect()
    state.withLock { $0.idle.append(first) }
  }

  /// The connection of the transaction that this thread reads in; nil if it reads in none.
  var held: ServerConnection? { Self.held[ObjectIdentifier(self)] }

  private func connect() throws(StoreError) -> ServerConnection {
    let connection = try ServerConnection(text)
    try connection.execute(settings)
    return connection
  }

  /// Lends a connection: that of the transaction of this thread, or a free one.
  ///
  /// - Parameter body: Uses it.
  /// - Returns: What the closure returns.
  /// - Throws: ``StoreError``; its reason is `locked` if the thread must not wait and none is free.
  func read<Result>(_ body: (ServerConnection) throws(StoreError) -> Result) throws(StoreError)
    -> Result
  {
    if let held { return try body(held) }
    var isLost = false
    do throws(StoreError) {
      return try lend { connection throws(StoreError) in
        do throws(StoreError) { return try body(connection) } catch {
          isLost = !connection.isOpen
          throw error
        }
      }
    } catch  where isLost && error.reason == .other {
      // The server was started again, or the line was cut: reading once more does no harm.
      return try lend(body)
    }
  }

  /// Lends a connection of its own, as a save needs.
  func lend<Result>(_ body: (ServerConnection) throws(StoreError) -> Result) throws(StoreError)
    -> Result
  {
    if FetchControl.mayWait {
      free.wait()
    } else if free.wait(timeout: .now() + 0.1) == .timedOut {
      FetchControl.current?.meetLock()
      throw StoreError(.locked, doing: "reading", detail: "all connections are in use")
    }
    defer { free.signal() }
    let idle = state.withLock { $0.idle.popLast() }
    let connection: ServerConnection
    if let idle, idle.isOpen { connection = idle } else { connection = try connect() }
    defer { giveBack(connection) }
    return try body(connection)
  }

  private func giveBack(_ connection: ServerConnection) {
    guard connection.isOpen else { return }
    if connection.isInTransaction {
      do { try connection.execute("ROLLBACK") } catch { return connection.close() }
    }
    state.withLock { state in
      if state.isClosed { connection.close() } else { state.idle.append(connection) }
    }
  }

  /// Reads one state of the database on this thread.
  func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    if held != nil { return try body() }
    var outcome: Swift.Result<Result, any Error>?
    try lend { connection throws(StoreError) in
      try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
      var held = Self.held
      held[ObjectIdentifier(self)] = connection
      outcome = Swift.Result { try Self.$held.withValue(held) { try body() } }
      if connection.isOpen { try connection.execute("COMMIT") }
    }
    guard let outcome else { throw StoreError(.cancelled, doing: "reading") }
    return try outcome.get()
  }

  /// Closes the connections that nobody uses, and the others when they are given back.
  func close() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      state.isClosed = true
      return state.idle
    }
    for connection in idle { connection.close() }
  }
}
