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
    /// How the files looked then.
    var files: DatabaseFiles
    /// The last number seen on the writer; nil while it was not asked.
    var writerVersion: Int64?
    /// Whether a change was seen that nobody was told of.
    var isPending = false
    var isReplaced = false
  }

  private let guardian: FileGuard
  // The watcher's thread may outlive the store for a moment; the connections are to close with the store.
  private weak let pool: ConnectionPool?
  private let state: Mutex<State>

  /// Starts at the present state of the database.
  init(guardian: FileGuard, pool: ConnectionPool) throws {
    self.guardian = guardian
    self.pool = pool
    let writerVersion = try pool.openedWriter.map { try Self.version(on: $0) }
    let files = DatabaseFiles(path: guardian.path)
    let version = try Self.version(watching: pool)
    state = Mutex(State(version: version, files: files, writerVersion: writerVersion))
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
      if let pool { try? look(&state, pool) }
      defer { state.isPending = false }
      return state.isPending
    }
  }

  /// Turns from the connection kept for this to the writer, before its first save.
  func prepareForSave() throws {
    try state.withLock { state in
      guard state.writerVersion == nil, let pool else { return }
      // In this order nothing falls between: a commit of others before this line is seen below, a later one on the writer.
      let writerVersion = try Self.version(on: pool.openWriter())
      try look(&state, pool)
      state.writerVersion = writerVersion
      pool.closeWatchingReader()
    }
  }

  private func look(_ state: inout State, _ pool: ConnectionPool) throws {
    if let last = state.writerVersion, let writer = pool.openedWriter {
      let version = try Self.version(on: writer)
      if version != last { state.isPending = true }
      state.writerVersion = version
    } else {
      let files = DatabaseFiles(path: guardian.path)
      let connection = try pool.watchingReader()
      let version = try? Self.version(on: connection)
      if let version, !connection.isOutdated {
        if version != state.version { state.isPending = true }
        state.version = version
      } else {
        // Somebody has come; whether with a commit, only the files tell. Numbers of two connections do not compare.
        pool.closeWatchingReader()
        state.version = try Self.version(watching: pool)
        if files != state.files { state.isPending = true }
      }
      state.files = files
    }
  }

  private static func version(watching pool: ConnectionPool) throws -> Int64 {
    try version(on: pool.watchingReader())
  }

  private static func version(on connection: DatabaseQueue) throws -> Int64 {
    try connection.writeWithoutTransaction { database in
      try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }
  }
}

/// How a database and its log looked at one moment.
private struct DatabaseFiles: Hashable {
  private let database: FileState?
  /// Nil also when the log is empty, as one is that was just made.
  private let log: FileState?

  init(path: String) {
    database = FileState(path: path)
    log = FileState(path: path + "-wal").flatMap { $0.byteCount > 0 ? $0 : nil }
  }
}
