import GRDB
import ObjectModel
import Synchronization

/// Detects commits to a database by other processes.
///
/// `PRAGMA data_version` of a connection changes when any *other* connection commits. On the write
/// connection it therefore ignores this store's own saves. Until the first save opens the write
/// connection, a read connection kept for this purpose is queried instead.
final class ForeignChangeDetector: Sendable {
  private struct State {
    /// The last `data_version` of the watching read connection; nil if it could not be read.
    var version: Int64?
    /// The state of the files; a commit that it leaves out has changed the version since.
    var files: DatabaseFiles
    /// The last `data_version` of the write connection; nil before the first save.
    var writerVersion: Int64?
    /// Whether a change was detected that ``takeChange()`` has not reported yet.
    var isPending = false
    /// Whether the replacement of the file was reported.
    var isReplaced = false
  }

  private let guardian: FileGuard
  // Weak, because the watcher's thread may outlive the store briefly, and the connections must
  // close with the store.
  private weak let pool: ConnectionPool?
  private let state: Mutex<State>

  /// Creates a detector of changes from now on.
  init(guardian: FileGuard, pool: ConnectionPool) {
    self.guardian = guardian
    self.pool = pool
    let writerVersion = pool.openedWriter.flatMap { try? Self.version(on: $0) }
    let files = DatabaseFiles(path: guardian.path)
    let version = try? Self.version(watching: pool)
    state = Mutex(State(version: version, files: files, writerVersion: writerVersion))
  }

  /// Returns whether another process committed since the last call, or replaced the file.
  ///
  /// - Returns: False also if the database is locked by a commit in progress; call again then. The
  ///   replacement of the file is reported once.
  func takeChange() -> Bool {
    state.withLock { state in
      if (try? guardian.check(doing: "watching")) == nil {
        defer { state.isReplaced = true }
        return !state.isReplaced
      }
      state.isReplaced = false
      // A save on another thread waits for this state: it must not wait for a lock too.
      if let pool { LockWait.never { try? update(&state, pool) } }
      defer { state.isPending = false }
      return state.isPending
    }
  }

  /// Switches from the watching read connection to the write connection, before the first save.
  func prepareForSave() throws {
    try state.withLock { state in
      guard state.writerVersion == nil, let pool else { return }
      // This order misses no commit: one before the next line is detected by the read connection
      // below, a later one by the write connection.
      let writerVersion = try Self.version(on: pool.openWriter())
      try update(&state, pool)
      state.writerVersion = writerVersion
      pool.closeWatchingReader()
    }
  }

  /// Switches back to the watching read connection, before the write connection is closed.
  ///
  /// The versions of two connections are not comparable, so a change is reported.
  func forgetWriter() {
    state.withLock { state in
      guard state.writerVersion != nil else { return }
      (state.writerVersion, state.version, state.isPending) = (nil, nil, true)
    }
  }

  /// Compares the versions with the last ones and sets `isPending` if another process committed.
  private func update(_ state: inout State, _ pool: ConnectionPool) throws {
    if let last = state.writerVersion, let writer = pool.openedWriter {
      let version = try Self.version(on: writer)
      if version != last { state.isPending = true }
      state.writerVersion = version
    } else {
      let files = DatabaseFiles(path: guardian.path)
      let connection = try pool.watchingReader()
      if let last = state.version, let version = try? Self.version(on: connection),
        !connection.isOutdated
      {
        if version != last { state.isPending = true }
        state.version = version
        state.files = files
      } else {
        try reopen(&state, pool)
      }
    }
  }

  /// Reopens the watching read connection.
  ///
  /// The versions of two connections are not comparable, so the files are compared to detect a
  /// commit. Their state is read last: a commit in between is then reported twice, but not missed.
  private func reopen(_ state: inout State, _ pool: ConnectionPool) throws {
    pool.closeWatchingReader()
    state.version = nil
    state.version = try Self.version(watching: pool)
    let files = DatabaseFiles(path: guardian.path)
    if files != state.files { state.isPending = true }
    state.files = files
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

/// The state of a database file and its write-ahead log.
private struct DatabaseFiles: Hashable {
  private let database: FileState?
  /// Nil if there is no log or it is empty, as a newly created one is.
  private let log: FileState?

  init(path: String) {
    database = FileState(path: path)
    log = FileState(path: path + "-wal").flatMap { $0.byteCount > 0 ? $0 : nil }
  }
}
