import Foundation
import GRDB
import GRDBSQLite
import ObjectModel

/// A database with a connection open, in the way in which it can be read.
struct DatabaseOpening {
  /// How further connections are opened.
  let settings: ConnectionSettings
  /// The first connection.
  let reader: DatabaseQueue
  /// Why nothing can be changed; nil when it can.
  let readOnlyReason: String?
  /// The copy that is read in place of the file; nil when the file itself is.
  let copy: PrivateCopy?
  /// How the file looked, where it is read without locks and must not be written by anybody; nil elsewhere.
  let frozenState: FileState?

  /// Opens a connection to a database, without changing it.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - subject: The path as a person gave it.
  ///   - options: How to open it.
  /// - Throws: ``StoreError``.
  init(_ file: DatabaseFile, subject: String, options: SQLiteStore.Options) throws(StoreError) {
    let reason = options.isReadOnly ? "it was opened for reading only" : file.readOnlyReason
    let attempt = Attempt(
      file: file, subject: subject, busyTimeout: options.busyTimeout, readOnlyReason: reason)
    self = try attempt.run(mayRecover: reason == nil)
  }

  fileprivate init(
    settings: ConnectionSettings, reader: DatabaseQueue, readOnlyReason: String?,
    copy: PrivateCopy? = nil, frozenState: FileState? = nil
  ) {
    self.settings = settings
    self.reader = reader
    self.readOnlyReason = readOnlyReason
    self.copy = copy
    self.frozenState = frozenState
  }
}

/// The ways to open a database, from the plain one to those that are left when the file cannot be written.
private struct Attempt {
  let file: DatabaseFile
  let subject: String
  let busyTimeout: Double
  let readOnlyReason: String?

  func run(mayRecover: Bool) throws(StoreError) -> DatabaseOpening {
    let hasLogFile = FileState(path: file.path + "-wal") != nil
    if file.header.usesWAL, !hasLogFile, file.readOnlyReason != nil { return try openFrozen() }
    do {
      return try open(location: file.path, reason: readOnlyReason)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      guard mayRecover else {
        return try openCopy(because: "a change was cut off, and can be undone only in a copy")
      }
      try rollBack()
      return try run(mayRecover: false)
    } catch let error as DatabaseError
      where file.header.usesWAL && file.readOnlyReason != nil
      && [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      return try openCopy(
        because: "\(file.readOnlyReason ?? ""): a private copy with its -wal file is read")
    } catch {
      throw describe(error)
    }
  }

  private func open(location: String, reason: String?) throws -> DatabaseOpening {
    let settings = ConnectionSettings(
      location: location, subject: subject, busyTimeout: busyTimeout,
      readersMayTidy: file.header.usesWAL && !file.hasLog && file.readOnlyReason == nil)
    return DatabaseOpening(
      settings: settings, reader: try settings.makeReader(), readOnlyReason: reason)
  }

  /// Opens a database with a write-ahead log that is empty where the log's files cannot be made.
  ///
  /// It is read without locks, which is right as long as nobody writes; its state tells when somebody has.
  private func openFrozen() throws(StoreError) -> DatabaseOpening {
    guard sqlite3_compileoption_used("USE_URI") != 0,
      let path = file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else { return try openCopy(because: "\(file.readOnlyReason ?? ""): a private copy is read") }
    let state = FileState(path: file.path)
    let settings = ConnectionSettings(
      location: "file:\(path)?immutable=1", subject: subject, busyTimeout: busyTimeout,
      readersMayTidy: false)
    do {
      return DatabaseOpening(
        settings: settings, reader: try settings.makeReader(), readOnlyReason: readOnlyReason,
        frozenState: state)
    } catch {
      throw describe(error)
    }
  }

  private func openCopy(because reason: String) throws(StoreError) -> DatabaseOpening {
    let copy = try PrivateCopy(of: file.path)
    // The copy is ours: SQLite may roll back and tidy in it.
    let settings = ConnectionSettings(
      location: copy.path, subject: subject, busyTimeout: busyTimeout, readersMayTidy: true)
    do {
      return DatabaseOpening(
        settings: settings, reader: try settings.makeReader(), readOnlyReason: reason, copy: copy)
    } catch {
      throw describe(error)
    }
  }

  /// Undoes a change that was cut off by a crash, as any program that opens the database for writing does.
  private func rollBack() throws(StoreError) {
    let settings = ConnectionSettings(
      location: file.path, subject: subject, busyTimeout: busyTimeout, readersMayTidy: true)
    do {
      try settings.makeWriter().close()
    } catch {
      throw describe(error)
    }
  }

  private func describe(_ error: any Error) -> StoreError {
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
