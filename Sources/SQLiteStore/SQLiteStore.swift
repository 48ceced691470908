import Foundation
import GRDB
public import ObjectModel
import Synchronization

/// A store in a SQLite database: any database, its tables as entities, or one made from a model.
///
/// It may be used from several threads at once. Reads run beside each other and beside a save; with a rollback journal
/// a save lets reads wait or start over. Opening and reading change nothing in the file, and the journal mode is left
/// as it was found.
public final class SQLiteStore: PersistentStore {
  /// How to open a store.
  public struct Options: Hashable, Sendable {
    /// Whether nothing may be changed.
    public var isReadOnly: Bool
    /// The model to create a store from where there is no file; nil to throw then.
    public var createIfMissing: ManagedObjectModel?
    /// How long to wait for another program's lock, in seconds.
    public var busyTimeout: Double
    /// The model file of a Core Data store, to be used in place of the model in the store; nil for the store's own.
    public var modelPath: String?
    /// Whether a store of Core Data is copied beside itself before the first save.
    public var makesBackup: Bool
    /// Whether a store is written though there is reason not to: one that is mirrored to CloudKit.
    public var forcesWriting: Bool

    /// Chooses how to open a store.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether nothing may be changed.
    ///   - createIfMissing: The model to create a store from where there is no file.
    ///   - busyTimeout: How long to wait for another program's lock, in seconds.
    ///   - modelPath: The model file of a Core Data store.
    ///   - makesBackup: Whether a store of Core Data is copied beside itself before the first save.
    ///   - forcesWriting: Whether a store is written though there is reason not to.
    public init(
      isReadOnly: Bool = false, createIfMissing: ManagedObjectModel? = nil,
      busyTimeout: Double = 5, modelPath: String? = nil, makesBackup: Bool = true,
      forcesWriting: Bool = false
    ) {
      self.isReadOnly = isReadOnly
      self.createIfMissing = createIfMissing
      self.busyTimeout = busyTimeout
      self.modelPath = modelPath
      self.makesBackup = makesBackup
      self.forcesWriting = forcesWriting
    }
  }

  /// The store's identifier: the UUID of a store that was created from a model, else a digest of the canonical path.
  public let identifier: String
  /// The entities of the store.
  public var model: ManagedObjectModel { layout.model }

  let layout: StoreLayout
  let pool: ConnectionPool
  let guardian: FileGuard
  let reader: StoreReader
  let writer: StoreWriter
  let readOnlyReason: String?
  private let kind: String
  private let generation: String?
  private let notes: [String]
  private let journalMode: String
  private let schemaVersion: Int64
  let makesBackup: Bool
  /// Where the copy lies that was made before the first save.
  let backup = Mutex<String?>(nil)
  let observers = Mutex(StoreObservers())

  init(
    _ contents: StoreContents, pool: ConnectionPool, file: DatabaseFile, subject: String,
    options: Options, readOnlyReason: String?
  ) {
    identifier = contents.identifier ?? Self.digest(of: file.path)
    layout = contents.layout
    kind = contents.kind
    generation = contents.generation
    notes = contents.notes
    journalMode = contents.journalMode
    schemaVersion = contents.schemaVersion
    let refusal = options.forcesWriting ? nil : layout.coreData?.writeRefusal
    self.readOnlyReason = readOnlyReason ?? refusal
    makesBackup = options.makesBackup
    self.pool = pool
    guardian = FileGuard(path: file.path, subject: subject, identity: file.identity)
    let externalFolder = layout.coreData.map { _ in ExternalFolder(storePath: file.path) }
    reader = StoreReader(
      layout: layout, storeIdentifier: identifier, externalFolder: externalFolder)
    writer = StoreWriter(reader)
  }

  /// What is known of the store as a whole.
  public var summary: StoreSummary {
    StoreSummary(
      name: URL(fileURLWithPath: guardian.path).lastPathComponent, path: guardian.path, kind: kind,
      byteCount: FileState(path: guardian.path)?.byteCount, journalMode: journalMode.uppercased(),
      readOnlyReason: readOnlyReason, otherTables: layout.otherTables,
      generation: generation, notes: notes)
  }

  /// Whether the store reads a copy, which nobody else changes.
  var readsCopy: Bool { pool.readsCopy }

  /// Reads on a connection of the pool, after making sure that the file is still the one opened.
  func read<Result>(
    doing: String, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if !readsCopy { try guardian.check(doing: doing) }
    do {
      return try pool.read(doing: doing, body)
    } catch {
      throw explained(error, doing: doing)
    }
  }

  /// An error as it came, or that the tables were changed by another program where that explains it.
  private func explained(_ error: StoreError, doing: String) -> StoreError {
    guard error.reason == .other else { return error }
    let version = try? pool.read(doing: doing) { connection throws(StoreError) in
      do { return try StoreContents.schemaVersion(of: connection.database) } catch {
        throw StoreError(error, doing: doing, subject: "")
      }
    }
    guard let version, version != schemaVersion else { return error }
    return StoreError(
      .other, doing: doing, subject: guardian.subject,
      detail: "another program changed its tables (\(error.detail))",
      remedy: "open it again", sql: error.sql)
  }

  /// A short steady name for a path: FNV-1a in 64 bits.
  private static func digest(of path: String) -> String {
    let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
