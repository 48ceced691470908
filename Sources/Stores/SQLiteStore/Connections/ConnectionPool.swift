import GRDB
import Glibc
import ObjectModel
import SQLQueries
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
  /// How often a read is repeated before readers share the wal-index.
  private static let patience = 3

  private let subject: String
  /// How threads wait for another program's lock.
  let lockWait: LockWait
  private let readersBlockWriter: Bool
  /// The readers, and how connections are opened.
  let readers: ReaderLeases
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
    self.readers = ReaderLeases(settings: settings, open: readers)
  }

  /// Closes the connections, the writer last: if it has written, the write-ahead log is
  /// checkpointed, as any program does on closing.
  deinit {
    readers.closeIdle()
    try? watchingQueue.withLock { $0 }?.close()
    guard let writer = writerQueue.withLock({ $0 }) else { return }
    if writer.checkpointsOnClose { writer.connection.queue.checkpointOnClose() }
    writer.connection.close()
  }

  /// Whether a copy is read instead of the database.
  var readsCopy: Bool { readers.settings.copyPath != nil }

  /// Gives the readers that are opened from now on, and one that is, comparisons of bytes under the
  /// names of collations.
  ///
  /// - Throws: `DatabaseError`.
  func addFallbackCollations(_ names: [String], on connection: Connection) throws {
    guard !names.isEmpty else { return }
    try FallbackCollation.register(names, on: connection.database)
    // SQLite never again uses an index whose collation was missing once, until it reads the schema.
    try connection.database.execute(sql: "PRAGMA writable_schema = RESET")
    readers.addFallbackCollations(names)
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
      if attempt > Self.patience { readers.shareIndex() }
      guard let (number, connection) = try wrappingErrors(doing, readers.lease) else {
        throw StoreError(.locked, doing: doing, subject: subject)
      }
      do {
        let result = try body(connection)
        let (_, isOutdated) = readers.release(number)
        if let result, !isOutdated { return result }
      } catch {
        let (wasInterrupted, isOutdated) = readers.release(number)
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
    if readersBlockWriter { readers.block() }
    defer { if readersBlockWriter { readers.unblock() } }
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
      let settings = readers.settings
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
        let pages = try connection.number("PRAGMA page_count", doing: doing)
        let size = try connection.number("PRAGMA page_size", doing: doing)
        let folder = try PrivateFolder(roomFor: Int(pages * size), subject: subject, doing: doing)
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
      let settings = readers.settings
      let hadLog = FileState(path: settings.path + "-wal") != nil
      let opened = PooledConnection(try settings.makeWriter())
      writer = Writer(connection: opened, checkpointsOnClose: !hadLog)
      readers.endReadingCopy()
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
      let opened = try readers.settings.makeReader()
      reader = opened
      return opened
    }
  }

  /// Runs a closure on a reader of its own, which is closed afterwards.
  func useSeparateReader<Result>(
    doing: String, _ body: (OpaquePointer) throws -> Result
  ) throws(StoreError) -> Result {
    try wrappingErrors(doing) {
      let reader = PooledConnection(try readers.settings.makeReader())
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
