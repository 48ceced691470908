import Dispatch
import GRDB
import Glibc
import ObjectModel
import Synchronization

/// The connections to one database: a few readers, opened when they are needed, and one writer,
/// opened by the first save.
///
/// Readers change nothing on disk. A reader that turns out to be outdated is closed, and its work
/// is repeated: see traceless_vfs.c. After that has happened a few times in one read, readers share
/// the wal-index. While a copy is read, there are only the readers that were open at the beginning.
///
/// With a write-ahead log readers and the writer do not block each other. With a rollback journal a
/// commit waits until there is no reader: a save lets running reads finish, interrupts those that
/// take long, and these are repeated after the save. To their callers they only take longer.
final class ConnectionPool: Sendable {
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
  static let readerLimit = 6
  /// How often a read is repeated before readers share the wal-index.
  private static let patience = 3
  /// How long a save waits for reads before it interrupts them, in milliseconds.
  private static let grace = 30

  private let subject: String
  /// How threads wait for another program's lock.
  let lockWait: LockWait
  private let readersBlockWriter: Bool
  private let state: Mutex<State>
  private let writerQueue = Mutex<Writer?>(nil)
  private let watchingQueue = Mutex<DatabaseQueue?>(nil)

  /// The writer, and whether closing it may checkpoint the write-ahead log.
  private struct Writer {
    let connection: PooledConnection
    var checkpointsOnClose: Bool
  }

  /// Makes a pool with readers that are open already.
  init(settings: ConnectionSettings, readers: [DatabaseQueue], usesWAL: Bool) {
    subject = settings.subject
    lockWait = settings.lockWait
    readersBlockWriter = !usesWAL
    state = Mutex(State(settings: settings, idle: readers.map(PooledConnection.init)))
  }

  /// Closes the connections, the writer last: if it has written, the write-ahead log is
  /// checkpointed, as any program does on closing.
  deinit {
    let idle = state.withLock { $0.idle }
    for reader in idle { reader.close() }
    try? watchingQueue.withLock { $0 }?.close()
    guard let writer = writerQueue.withLock({ $0 }) else { return }
    if writer.checkpointsOnClose { writer.connection.queue.checkpointOnClose() }
    writer.connection.close()
  }

  /// Whether a copy is read instead of the database.
  var readsCopy: Bool { state.withLock { $0.settings.copyPath != nil } }

  /// Gives the readers that are opened from now on, and one that is, comparisons of bytes under the
  /// names of collations.
  ///
  /// - Throws: `DatabaseError`.
  func addFallbackCollations(_ names: [String], on connection: Connection) throws {
    guard !names.isEmpty else { return }
    try FallbackCollation.register(names, on: connection.database)
    // SQLite never again uses an index whose collation was missing once, until it reads the schema.
    try connection.database.execute(sql: "PRAGMA writable_schema = RESET")
    state.withLock { $0.settings.fallbackCollations = names }
  }

  /// Runs a closure on a reader, in a transaction, so that all its queries see one state of the
  /// database, and again if it was interrupted for a save, or if what it has read may mix two
  /// states.
  ///
  /// - Throws: ``StoreError``.
  func read<Result>(
    doing: String, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try wrappingErrors(doing) {
      if let open = ReadTransaction.current, open.pool == ObjectIdentifier(self) {
        return try open.connection.use(body)
      }
      return try repeating(doing: doing) { try $0.read(body) }
    }
  }

  /// Whether the reads of the thread are in one transaction, so that none is repeated by itself.
  var isInReadTransaction: Bool { ReadTransaction.current?.pool == ObjectIdentifier(self) }

  /// Runs a closure in which all reads of the thread are in one transaction on one reader.
  ///
  /// - Parameter body: What to run.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or ``StoreError``.
  func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    if isInReadTransaction { return try body() }
    return try repeating(doing: "reading") { connection in
      try connection.read { _ in
        let open = ReadTransaction(pool: ObjectIdentifier(self), connection: connection)
        return try ReadTransaction.$current.withValue(open, operation: body)
      }
    }
  }

  /// Runs a closure on a reader, again if it was interrupted for a save or is outdated.
  private func repeating<Result>(
    doing: String, _ body: (PooledConnection) throws -> Result?
  ) throws -> Result {
    var attempt = 0
    while true {
      attempt += 1
      if attempt > Self.patience { state.withLock { $0.fileSystem = .sharingIndex } }
      let (number, connection) = try lease(doing: doing)
      do {
        let result = try body(connection)
        let (_, isOutdated) = release(number)
        if let result, !isOutdated { return result }
      } catch {
        let (wasInterrupted, isOutdated) = release(number)
        // An interruption has many errors: SQLite and the closure may have wrapped it.
        let reason = StoreError(error, doing: doing, subject: subject).reason
        let mustRepeat = wasInterrupted || isOutdated && reason != .cancelled
        guard mustRepeat else { throw error }
      }
    }
  }

  /// Runs a closure on the writer, outside of any transaction.
  ///
  /// - Throws: ``StoreError``.
  func write<Result>(
    doing: String, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if readersBlockWriter { blockReaders() }
    defer { if readersBlockWriter { unblockReaders() } }
    return try wrappingErrors(doing) {
      let result = try writer().use(body)
      writerQueue.withLock { $0?.checkpointsOnClose = true }
      return result
    }
  }

  /// Runs a closure that writes, and rolls back, on a connection of its own, so that no file and no
  /// folder changes: in a copy of a database with a write-ahead log, which SQLite could only write to
  /// with an index beside it, or with a journal that must be rolled back; else with a journal in
  /// memory.
  ///
  /// A writer that is open has its files already, and is used.
  ///
  /// - Throws: ``StoreError``.
  func rehearse<Result>(
    doing: String, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if openedWriter != nil { return try holdingWriter(doing: doing, body) }
    return try wrappingErrors(doing) {
      let settings = state.withLock { $0.settings }
      let isCopied = try settings.copyPath != nil || DatabaseFile(examining: settings.path).usesWAL
      let copy = isCopied ? try makeCopy(doing: doing) : nil
      defer { withExtendedLifetime(copy?.file) { copy?.folder.remove() } }
      let connection = PooledConnection(try settings.makeRehearser(in: copy?.file))
      defer { connection.close() }
      return try connection.use(body)
    }
  }

  /// Copies the database as a reader sees it to a file of this user's.
  private func makeCopy(doing: String) throws -> (folder: PrivateFolder, file: Draft) {
    try read(doing: doing) { connection throws(StoreError) in
      try wrappingErrors(doing) {
        let pages = try Int.fetchOne(connection.database, sql: "PRAGMA page_count") ?? 0
        let size = try Int.fetchOne(connection.database, sql: "PRAGMA page_size") ?? 0
        let folder = try PrivateFolder(roomFor: pages * size, subject: subject, doing: doing)
        let file = try Draft(fileIn: folder.contents)
        try connection.database.copy(to: file, doing: doing)
        // The versions of the format, for writing and reading: 1 is without a write-ahead log.
        guard pwrite(file.descriptor, [1, 1] as [UInt8], 2, 18) == 2 else {
          throw FileError(errno, folder.path)
        }
        return (folder, file)
      }
    }
  }

  /// Runs a closure on the writer that commits nothing, so that readers need not wait.
  ///
  /// - Throws: ``StoreError``.
  func holdingWriter<Result>(
    doing: String, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try wrappingErrors(doing) { try writer().use(body) }
  }

  /// The writer; nil if it has not been opened.
  var openedWriter: DatabaseQueue? { writerQueue.withLock { $0?.connection.queue } }

  /// Opens the writer, unless it is open.
  ///
  /// From then on the database itself is read instead of a copy.
  func openWriter() throws -> DatabaseQueue { try writer().queue }

  private func writer() throws -> PooledConnection {
    try writerQueue.withLock { writer in
      if let writer { return writer.connection }
      let settings = state.withLock { $0.settings }
      let hadLog = FileState(path: settings.path + "-wal") != nil
      let opened = PooledConnection(try settings.makeWriter())
      writer = Writer(connection: opened, checkpointsOnClose: !hadLog)
      if settings.copyPath != nil {
        state.withLock { state in
          state.settings.copyPath = nil
          state.idle = []
        }
      }
      return opened
    }
  }

  /// Closes the writer; the next save opens it again.
  func closeWriter() {
    let closed = writerQueue.withLock { writer in
      defer { writer = nil }
      return writer
    }
    closed?.connection.close()
  }

  /// The connection that reads `PRAGMA data_version` for the watcher; opened if it is not open.
  func watchingReader() throws -> DatabaseQueue {
    try watchingQueue.withLock { reader in
      if let reader { return reader }
      let opened = try state.withLock { $0.settings }.makeReader()
      reader = opened
      return opened
    }
  }

  /// Runs a closure on a reader of its own, which is closed afterwards.
  func useSeparateReader<Result>(
    doing: String, _ body: (OpaquePointer) throws -> Result
  ) throws(StoreError) -> Result {
    try wrappingErrors(doing) {
      let reader = PooledConnection(try state.withLock { $0.settings }.makeReader())
      return try reader.use { try body($0.handle) }
    }
  }

  /// Runs a closure whose errors become those of the store.
  private func wrappingErrors<Result>(_ doing: String, _ body: () throws -> Result)
    throws(StoreError) -> Result
  {
    do { return try body() } catch { throw StoreError(error, doing: doing, subject: subject) }
  }

  /// Closes the watcher's connection.
  func closeWatchingReader() {
    let closed = watchingQueue.withLock { reader in
      defer { reader = nil }
      return reader
    }
    try? closed?.close()
  }
}

extension ConnectionPool {
  /// Leases an idle reader, opens one, or waits for one if the thread may wait.
  private func lease(doing: String) throws(StoreError) -> (Int, PooledConnection) {
    let mayWait = FetchControl.mayWait
    let leased = try wrappingErrors(doing) {
      try lease(besides: mayWait ? 1 : 0, waiting: mayWait)
    }
    guard let leased else { throw StoreError(.locked, doing: doing, subject: subject) }
    return leased
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
        if state.isWriting || state.leases.count + state.opening >= Self.readerLimit - spared {
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

  /// Returns a reader to the pool; an outdated one is closed.
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
  private func blockReaders() {
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
    for connection in connections { connection.queue.interrupt() }
  }

  private func unblockReaders() {
    state.withLock { state in
      state.isWriting = false
      state.wakeAll()
    }
  }
}
