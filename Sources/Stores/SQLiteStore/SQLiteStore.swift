import Foundation
import GRDB
package import ObjectModel
import SQLQueries
import Synchronization

/// A store in an SQLite database: a Core Data store, a store created from a model, or any other
/// database, whose tables become entities.
///
/// It can be used on several threads at the same time. Reads run concurrently with each other and
/// with a save; with a rollback journal a save makes reads wait or start over. Opening and reading
/// change nothing on disk, and a save does not change the journal mode.
package final class SQLiteStore: PersistentStore {
  /// How to open a store.
  package struct Options: Hashable, Sendable {
    /// Whether saving is refused.
    package var isReadOnly: Bool
    /// The model that the store must have; nil to accept any model.
    package var expectedModel: ManagedObjectModel?
    /// How long to wait for another program's lock, in seconds.
    package var busyTimeout: Double
    /// The path of a Core Data store's model file; nil to use the model in the store.
    package var modelPath: String?
    /// The path of a model file that is tried like those beside the store: one of its versions is the
    /// model of a Core Data store that has none in it, if it fits.
    package var modelCandidate: String?
    /// What columns of a plain database are, where their values are not to tell it.
    ///
    /// The keys are `column`, or `entity.column`, which goes before. Stores with a model keep its
    /// types.
    package var columnKinds: [String: ColumnKind] = [:]
    /// Whether a Core Data store is copied to a backup in the same folder before the first save.
    package var makesBackup: Bool
    /// Whether a copy of the file is read, as it was when the store was opened: of a file that another
    /// program keeps locked, or of one that must not change while it is read.
    ///
    /// The copy is private and needs the room of the file. Data in a write-ahead log is in it, a
    /// change that is being written is not. Saving is refused.
    package var readsCopy: Bool
    /// Whether saving is allowed in a store that is mirrored to CloudKit.
    package var forcesWriting: Bool
    /// Whether what is saved last may be lost with the power, because it can be had elsewhere: a save
    /// does not wait for the disk then.
    ///
    /// With a write-ahead log the database is whole all the same.
    package var isRecoverable = false

    /// Creates options.
    package init(
      isReadOnly: Bool = false, expectedModel: ManagedObjectModel? = nil,
      busyTimeout: Double = 5, modelPath: String? = nil, makesBackup: Bool = true,
      forcesWriting: Bool = false, readsCopy: Bool = false
    ) {
      self.isReadOnly = isReadOnly
      self.expectedModel = expectedModel
      self.busyTimeout = busyTimeout
      self.modelPath = modelPath
      self.makesBackup = makesBackup
      self.forcesWriting = forcesWriting
      self.readsCopy = readsCopy
    }
  }

  /// The store's identifier: its UUID if it has one, else a hash of the canonical path.
  package let identifier: String
  /// The store's model.
  package var model: ManagedObjectModel { layout.model }

  var layout: StoreLayout { contents.layout }
  /// The entities whose objects are rows of a view.
  private let views: Set<String>
  let pool: ConnectionPool
  let guardian: FileGuard
  let reader: StoreReader
  let writer: StoreWriter
  let triggerSurvey: TriggerSurvey
  private let options: Options
  let contents: StoreContents
  /// The state of the files that were copied; nil if the store was not asked to read a copy.
  private let copied: CopiedState?
  var makesBackup: Bool { options.makesBackup }
  /// The path of the backup that was made before the first save.
  let backup = Mutex<String?>(nil)
  /// Held while it is made, which may take long: its path can be asked for meanwhile.
  let backingUp = Mutex(())
  let observers = Mutex(StoreObservers())
  /// A digest of the model, for caches of fetches; nil before the first use.
  private let knownModelDigest = Mutex<UInt64?>(nil)
  /// The longest time of a read that nobody can cancel, in seconds; nil for no limit.
  let timeLimit = Mutex<Double?>(nil)

  init(
    _ contents: StoreContents, pool: ConnectionPool, file: DatabaseFile, subject: String,
    options: Options, copied: CopiedState? = nil
  ) {
    (self.contents, self.options, self.copied) = (contents, options, copied)
    identifier = contents.identifier ?? Self.digest(of: file.path)
    let layout = contents.layout
    views = Set(layout.tables.filter { $0.value.key == EntityTable.Key.none }.keys)
    self.pool = pool
    guardian = FileGuard(path: file.path, subject: subject, identity: file.identity)
    let externalFolder = layout.coreData.map { _ in ExternalFolder(storePath: file.path) }
    reader = StoreReader(
      layout: layout, storeIdentifier: identifier, externalFolder: externalFolder)
    writer = StoreWriter(reader)
    triggerSurvey = TriggerSurvey(layout)
  }

  /// Removes the external files that nothing can bring back any more; they stay if the store is
  /// locked, and a check of the store names them.
  deinit { _ = try? removeUnusedFiles() }

  /// Facts about the store: file, kind, journal mode, why it is read-only, other tables, notes.
  package var summary: StoreSummary {
    var summary = StoreSummary(
      name: URL(fileURLWithPath: guardian.path).lastPathComponent, path: guardian.path,
      kind: contents.kind, readOnlyReason: readOnlyReason, notes: contents.notes)
    summary.byteCount = FileState(path: guardian.path)?.byteCount
    summary.journalMode = contents.journalMode.uppercased()
    summary.otherTables = layout.otherTables
    summary.generation = contents.generation
    summary.copied = copied?.date
    return summary
  }

  /// A digest of the model, equal in each process; nil if the model cannot be encoded.
  var modelDigest: UInt64? {
    knownModelDigest.withLock { known in
      if known == nil, let json = try? model.json() {
        known = Value.data(json).longHash
      }
      return known
    }
  }

  /// Why the store cannot be changed now; nil if it can.
  ///
  /// It is looked up each time: the file's permissions may have changed.
  var readOnlyReason: String? {
    if copied != nil { return "it is a copy" }
    if options.isReadOnly { return "it was opened read-only" }
    return DatabaseFile.readOnlyReason(guardian.path)
      ?? (options.forcesWriting ? nil : layout.coreData?.writeRefusal)
  }

  /// Whether the store reads a private copy of the database.
  var readsCopy: Bool { pool.readsCopy }

  /// Runs a closure on a reader, after checking that the path still leads to the opened file.
  ///
  /// With `isLimited`, the time limit of ``limitReads(to:)`` applies. The control of a fetch ends
  /// its waiting for a lock too.
  func read<Result>(
    doing: String, isLimited: Bool = false, by fetchControl: FetchControl? = nil,
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let control = FetchControl.current
    // A screen of rows that cannot be read costs one attempt.
    if let control, control.hasMetLock {
      throw StoreError(.locked, doing: doing, subject: guardian.subject)
    }
    if !readsCopy { try guardian.check(doing: doing) }
    let seconds = isLimited && control?.isPatient != true ? timeLimit.withLock { $0 } : nil
    let deadline = seconds.map { ContinuousClock.now + .seconds($0) }
    do {
      return try LockWait.controlled(by: fetchControl) { () throws(StoreError) in
        try pool.read(doing: doing) { connection throws(StoreError) in
          let watch = StatementWatch(control, on: connection, until: deadline)
          defer { watch?.end() }
          do throws(StoreError) { return try body(connection) } catch {
            throw error.namingCulprit(tables: [error.subject.nameKey], on: connection)
          }
        }
      }
    } catch let failure {
      let error = noted(failure, fetchControl)
      guard let seconds, error.reason == .cancelled, control?.isCancelled != true else {
        throw explained(error, doing: doing)
      }
      throw StoreError(
        .cancelled, doing: doing, subject: guardian.subject,
        detail: "it takes longer than \(seconds) s")
    }
  }

  /// The error of work that may have waited for a lock, after telling those who watch the work: it
  /// is a cancellation if they have ended the waiting.
  func noted(_ error: StoreError, _ fetchControl: FetchControl? = nil) -> StoreError {
    guard error.reason == .locked else { return error }
    let control = FetchControl.current
    guard control?.isCancelled != true, fetchControl?.isCancelled != true else {
      return StoreError(.cancelled, doing: error.doing, subject: error.subject)
    }
    control?.meetLock()
    return error
  }

  /// Whether a thread in the background waits for another program's lock.
  package var isWaitingForLock: Bool { pool.lockWait.isUnderWay }

  /// Calls a handler, on any thread, when one begins to wait for another program's lock.
  package func observeLockWaits(_ handler: @escaping @Sendable () -> Void) {
    pool.lockWait.observe(handler)
  }

  /// Limits the time of reads that nobody can cancel: fetches without a `FetchControl`, and objects
  /// of views, which may be arbitrarily expensive.
  ///
  /// A read that takes longer throws a `StoreError` with the reason `cancelled`.
  ///
  /// - Parameter seconds: The longest time; nil for no limit, as in a new store.
  package func limitReads(to seconds: Double?) { timeLimit.withLock { $0 = seconds } }

  /// Whether objects of one of some entities are rows of a view.
  func hasViews(_ names: some Sequence<String>) -> Bool {
    !views.isEmpty && names.contains { views.contains($0) }
  }

  /// The error, or one that says that another program has changed the schema, if it has.
  private func explained(_ error: StoreError, doing: String) -> StoreError {
    guard error.reason == .other, mustBeReopened else { return error }
    return StoreError(
      .other, doing: doing, subject: guardian.subject,
      detail: "another program changed its tables (\(error.detail))",
      remedy: "open it again", sql: error.sql)
  }

  /// Whether another program has changed the schema since the store was opened, or has left a change
  /// that must be rolled back.
  private var mustBeReopened: Bool {
    do throws(StoreError) {
      let version = try pool.read(doing: "reading the schema") { connection throws(StoreError) in
        do { return try StoreContents.schemaVersion(of: connection.database) } catch {
          throw StoreError(error, doing: "reading the schema", subject: "")
        }
      }
      return version != contents.schemaVersion
    } catch {
      return error.reason == .replaced
    }
  }

  /// Whether the store must be opened anew: its file was replaced or removed, another program has
  /// changed the schema since it was opened, or has ended amid a change; of a copy that was asked
  /// for, whether the file has changed since.
  package var isOutdated: Bool {
    if let copied { return CopiedState(of: guardian.path) != copied }
    if readsCopy { return FileIdentity(path: guardian.path) != guardian.identity }
    do { try guardian.check(doing: "reading") } catch { return true }
    return mustBeReopened
  }

  /// The hash of a path, in hexadecimal digits.
  private static func digest(of path: String) -> String {
    let digits = String(path.stableHash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
