import Foundation
import GRDB
import GRDBSQLite
package import ObjectModel

extension StoreError {
  /// Creates a store error for an SQLite result code, with SQLite's message if there is a
  /// connection.
  package init(
    sqlite code: Int32, connection: OpaquePointer?, doing: String, subject: String = "",
    sql: String = ""
  ) {
    // Not every function that fails leaves its error with the connection.
    let origin = connection.flatMap { sqlite3_errcode($0) & 0xFF == code & 0xFF ? $0 : nil }
    let extended = origin.map { sqlite3_extended_errcode($0) } ?? code
    let words = origin.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    var detail = words.map { String(cString: $0) } ?? ""
    let reason: Reason
    var remedy = ""
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      // Whatever was to be read or written: the reason says all.
      self.init(
        .locked, doing: doing, subject: subject,
        remedy: "close the other program, or try again when it has finished")
      return
    case SQLITE_READONLY:
      // SQLITE_READONLY_DBMOVED, a macro that Swift does not see.
      if extended == SQLITE_READONLY | (4 << 8) {
        reason = .replaced
        remedy = "open the store again"
      } else if extended & 0xFFFF == SQLITE_READONLY | (3 << 8) {
        // SQLITE_READONLY_ROLLBACK: to open it again reads a copy in which it is rolled back.
        reason = .replaced
        detail = "another program has ended amid a change, which must be rolled back"
        remedy = "open the store again"
      } else {
        reason = .readOnly
        remedy = "check the permissions of the file and of its directory"
      }
    case SQLITE_FULL:
      reason = .disk
      remedy = "make room on the disk"
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      let number = origin.map { sqlite3_system_errno($0) } ?? 0
      let system = StoreError(FileError(number, subject), doing: doing)
      if number != 0 {
        (reason, remedy) = (system.reason, system.remedy)
        detail += ": " + (system.detail.isEmpty ? String(cString: strerror(number)) : system.detail)
      } else {
        reason = code & 0xFF == SQLITE_IOERR ? .disk : .other
      }
      if remedy.isEmpty {
        remedy = "check the disk, and the permissions of the file and of its directory"
      }
    case SQLITE_PERM, SQLITE_AUTH:
      reason = .permissionDenied
    case SQLITE_CORRUPT where detail.contains("unsafe use of"),
      SQLITE_ERROR where detail.contains("unsafe use of"):
      // SQLite calls a schema malformed if it finds it while it parses the schema.
      reason = .unsupported
      remedy = "drop what calls it with the program that made the database"
    case SQLITE_CORRUPT:
      reason = .corrupt
      remedy = "restore a copy, or save what can be read with: sqlite3 FILE .recover"
    case SQLITE_NOTADB:
      reason = .notADatabase
    case SQLITE_CONSTRAINT:
      reason = .constraint
      detail = Self.constraintWords(detail, code: extended)
    case SQLITE_INTERRUPT,
      SQLITE_ERROR where detail == Self.interrupted:
      reason = .cancelled
    case SQLITE_ABORT:
      // A predicate could not be evaluated: the message says why, the statement does not.
      self.init(.unsupported, doing: doing, subject: subject, detail: detail)
      return
    case SQLITE_ERROR where Self.limits.contains(where: detail.hasPrefix):
      // The statement is as long as what was asked for.
      self.init(
        .unsupported, doing: doing, subject: subject, detail: "SQLite's limit: \(detail)",
        remedy: "fewer properties, keys or conditions at once")
      return
    default:
      reason = .other
    }
    self.init(reason, doing: doing, subject: subject, detail: detail, remedy: remedy, sql: sql)
  }

  /// SQLite's message for an interruption, which has the code of any error if a virtual table was
  /// being declared.
  private static let interrupted = "interrupted"

  /// How SQLite's messages begin that a statement is beyond one of its limits.
  private static let limits = [
    "too many", "at most ", "Expression tree is too large", "parser stack overflow",
    "statement too long",
  ]

  /// The detail of a violated foreign key if its row is not known.
  static let violatedForeignKey =
    "a row refers to a missing row, or a row to which others refer would be deleted"

  /// SQLite's "NOT NULL constraint failed: Artist.Name" as a sentence.
  private static func constraintWords(_ words: String, code: Int32) -> String {
    guard let colon = words.firstRange(of: "constraint failed: ") else {
      return words == "FOREIGN KEY constraint failed" ? violatedForeignKey : words
    }
    let column = String(words[colon.upperBound...])
    return switch code >> 8 {
    case 5: "\(column) must have a value"  // SQLITE_CONSTRAINT_NOTNULL
    case 6, 8, 10: "another row has the same \(column)"  // PRIMARYKEY, UNIQUE, ROWID
    case 1: "the constraint CHECK \(column) is not satisfied"  // SQLITE_CONSTRAINT_CHECK
    default: words
    }
  }
}

extension StoreError {
  /// Creates a store error for an error of GRDB or SQLite; a ``StoreError`` stays as it is.
  init(_ error: any Error, doing: String, subject: String) {
    switch error {
    case let error as StoreError:
      self = error
    case let error as FileError:
      self.init(FileError(error.code, subject), doing: doing)
      if error.path != subject { detail = "\(error.path): \(error)" }
    case let error as DatabaseError:
      self.init(
        sqlite: error.extendedResultCode.rawValue, connection: nil, doing: doing, subject: subject,
        sql: error.sql ?? "")
      // GRDB takes the message of a connection, which may not know of the error.
      if let message = error.message, message != "not an error",
        ![.constraint, .locked, .replaced].contains(reason)
      {
        detail = message
        if reason == .other, message == Self.interrupted { reason = .cancelled }
      }
    default:
      self.init(.other, doing: doing, subject: subject, detail: String(describing: error))
    }
  }
}
