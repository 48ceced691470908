import GRDB
import ObjectModel

/// A database with connections open, in the way in which it can be read.
struct DatabaseOpening {
  /// How further connections are opened.
  let settings: ConnectionSettings
  /// Connections that read: one to the database itself, or all that there will be to a copy.
  let readers: [DatabaseQueue]
  /// Why nothing can be changed; nil when it can.
  let readOnlyReason: String?

  /// Opens a connection to a database, without changing it.
  ///
  /// A database is read where it lies, with its log, whether it can be written or not. Only one that needs repair, since
  /// a crash cut off a change, is copied, and the copy repaired.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - subject: The path as a person gave it.
  ///   - options: How to open it.
  /// - Throws: ``StoreError``.
  init(_ file: DatabaseFile, subject: String, options: SQLiteStore.Options) throws(StoreError) {
    readOnlyReason = options.isReadOnly ? "it was opened for reading only" : file.readOnlyReason
    let original = ConnectionSettings(
      path: file.path, copyPath: nil, subject: subject, busyTimeout: options.busyTimeout)
    let reader = Result { try original.makeReader() }
    switch reader {
    case .success(let reader):
      (settings, readers) = (original, [reader])
    case .failure(let error as DatabaseError)
    where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
      (settings, readers) = try Self.openCopy(of: original)
    case .failure(let error):
      throw Self.describe(error, subject: subject)
    }
  }

  /// Opens a copy in which the change that was cut off is undone.
  ///
  /// The copy's files are removed as soon as all connections to it are open, so that nothing is left whatever happens.
  private static func openCopy(of original: ConnectionSettings) throws(StoreError)
    -> (ConnectionSettings, [DatabaseQueue])
  {
    let copy = try PrivateCopy(of: original.path)
    defer { copy.remove() }
    do {
      let repairing = ConnectionSettings(
        path: copy.path, copyPath: nil, subject: original.subject,
        busyTimeout: original.busyTimeout)
      try repairing.makeWriter().close()
      let settings = original.reading(copy: copy.path)
      let readers = try (0..<ConnectionPool.readerLimit).map { _ in try settings.makeReader() }
      return (settings, readers)
    } catch {
      throw describe(error, subject: original.subject)
    }
  }

  private static func describe(_ error: any Error, subject: String) -> StoreError {
    var error = StoreError(error, doing: "opening", subject: subject)
    switch error.reason {
    case .locked:
      error.detail = ""
      error.sql = ""
      error.remedy = "close the other program, or wait until it has finished, and try again"
    case .notADatabase:
      error.detail = "it begins as a SQLite database does, but is none; it may be encrypted"
      error.remedy = "give the path of a database; decrypt an encrypted one first"
    case .notFound:
      error.reason = .permissionDenied
      error.remedy = "check the permissions of the file and of its directory"
    default: break
    }
    return error
  }
}
