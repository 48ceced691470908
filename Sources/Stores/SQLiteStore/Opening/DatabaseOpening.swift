import GRDB
import ObjectModel

/// The first open connections to a database, or to a repaired private copy of it.
struct DatabaseOpening {
  /// The settings for further connections.
  let settings: ConnectionSettings
  /// The open read connections: one to the database itself, or all that a copy will ever have.
  let readers: [DatabaseQueue]
  /// The state of the files that were copied; nil if the database itself is read.
  let copied: CopiedState?

  /// Opens a read connection to a database without changing any file.
  ///
  /// The database and its write-ahead log are read in place, even in a read-only directory. Only
  /// if a crash left a hot rollback journal, both are copied and the change is rolled back in the
  /// copy; or if the options ask for a copy, so that the database is read though another program
  /// keeps it locked.
  ///
  /// - Parameters:
  ///   - file: The database file.
  ///   - subject: The path as the person entered it, for errors.
  ///   - options: The options of the store.
  /// - Throws: ``StoreError`` if the database is locked, encrypted or damaged, or cannot be read.
  init(_ file: DatabaseFile, subject: String, options: SQLiteStore.Options) throws(StoreError) {
    var original = ConnectionSettings(
      path: file.path, subject: subject,
      lockWait: LockWait(timeout: options.busyTimeout))
    original.isRecoverable = options.isRecoverable
    guard !options.readsCopy else {
      (settings, readers, copied) = try Self.openCopy(of: original)
      return
    }
    let reader = Result { try original.makeReader() }
    switch reader {
    case .success(let reader):
      (settings, readers, copied) = (original, [reader], nil)
    case .failure(let error as DatabaseError)
    where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
      (settings, readers, copied) = try Self.openCopy(of: original)
    case .failure(let error):
      throw Self.describe(error, path: file.path, subject: subject)
    }
  }

  /// Copies the database, rolls back a hot journal in the copy, moves a write-ahead log into it, and
  /// opens connections to it.
  ///
  /// The copy's files are deleted as soon as all connections are open, so that they never remain.
  private static func openCopy(of original: ConnectionSettings) throws(StoreError)
    -> (ConnectionSettings, [DatabaseQueue], CopiedState)
  {
    let copy = try PrivateCopy(of: original.path)
    defer { copy.remove() }
    do {
      let repairing = ConnectionSettings(
        path: copy.path, subject: original.subject, lockWait: original.lockWait)
      let writer = try repairing.makeWriter()
      // Without a log the copy is one file, which can be read when it has no name any more.
      try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try writer.close()
      var settings = original
      settings.copyPath = copy.path
      let readers = try (0..<ReaderLeases.limit).map { [settings] _ in
        try settings.makeReader()
      }
      return (settings, readers, copy.state)
    } catch {
      throw describe(error, path: copy.path, subject: original.subject)
    }
  }

  private static func describe(_ error: any Error, path: String, subject: String) -> StoreError {
    var error = StoreError(error, doing: "opening", subject: subject)
    switch error.reason {
    case .locked:
      // A thread that draws has no time to look who it is.
      if FetchControl.mayWait { error.detail = OtherUsers(of: path).names.joined(separator: ", ") }
      error.remedy = "close the other program, or wait until it has finished, and try again"
    case .notADatabase:
      error.detail = "it has the header of a SQLite database, but is not one; it may be encrypted"
      error.remedy = "give the path of a database; decrypt an encrypted one first"
    case .corrupt:
      if let truncation = DatabaseFile.truncation(of: path) {
        error.detail = truncation
        error.remedy = "copy it again, or save what can be read with: sqlite3 FILE .recover"
      }
    default: break
    }
    return error
  }
}
