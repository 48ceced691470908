import GRDB
import ObjectModel
import Synchronization

/// Tells whether somebody else has committed to a database.
///
/// `PRAGMA data_version` changes on a connection when any *other* connection commits. The writer's own number thus
/// leaves out our own saves. As long as no save has opened the writer, a connection kept for this tells of everybody,
/// which is everybody else.
final class ForeignChangeDetector: Sendable {
  private struct State {
    /// The last number seen on the connection kept for this.
    var version: Int64
    /// The last number seen on the writer; nil while it was not asked.
    var writerVersion: Int64?
    /// Whether a change was seen that nobody was told of.
    var isPending = false
    var isReplaced = false
  }

  private let guardian: FileGuard
  private let pool: ConnectionPool
  private let connection: DatabaseQueue
  private let state: Mutex<State>

  /// Starts at the present state of the database.
  init(guardian: FileGuard, pool: ConnectionPool) throws {
    self.guardian = guardian
    self.pool = pool
    connection = try pool.settings.makeReader()
    let writer = pool.openedWriter
    let writerVersion = try writer.map { try Self.version(on: $0) }
    state = Mutex(State(version: try Self.version(on: connection), writerVersion: writerVersion))
  }

  /// Tells whether there was a change since the last call, or the file is no longer the one opened.
  ///
  /// - Returns: False also while the database cannot be asked, because somebody is just committing.
  func takeChange() -> Bool {
    state.withLock { state in
      if (try? guardian.check(doing: "watching")) == nil {
        defer { state.isReplaced = true }
        return !state.isReplaced
      }
      state.isReplaced = false
      try? look(&state)
      defer { state.isPending = false }
      return state.isPending
    }
  }

  /// Turns from the connection kept for this to the writer, before its first save.
  func prepareForSave() throws {
    try state.withLock { state in
      guard state.writerVersion == nil else { return }
      // In this order nothing falls between: a commit of others before this line is seen below, a later one on the writer.
      let writerVersion = try Self.version(on: pool.openWriter())
      try look(&state)
      state.writerVersion = writerVersion
    }
  }

  private func look(_ state: inout State) throws {
    if let last = state.writerVersion, let writer = pool.openedWriter {
      let version = try Self.version(on: writer)
      if version != last { state.isPending = true }
      state.writerVersion = version
    } else {
      let version = try Self.version(on: connection)
      if version != state.version { state.isPending = true }
      state.version = version
    }
  }

  private static func version(on connection: DatabaseQueue) throws -> Int64 {
    try connection.writeWithoutTransaction { database in
      try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }
  }
}
