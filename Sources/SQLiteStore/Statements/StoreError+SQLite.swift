import GRDBSQLite
package import ObjectModel

extension StoreError {
  /// Creates a store error for an SQLite result code, with SQLite's message if there is a
  /// connection.
  package init(
    sqlite code: Int32, connection: OpaquePointer?, doing: String, subject: String = "",
    sql: String = ""
  ) {
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
    let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    var detail = words.map { String(cString: $0) } ?? ""
    let reason: Reason
    var remedy = ""
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      reason = .locked
      remedy = "close the other program that is writing, and try again"
    case SQLITE_READONLY:
      // SQLITE_READONLY_DBMOVED, a macro that Swift does not see.
      if extended == SQLITE_READONLY | (4 << 8) {
        reason = .replaced
        remedy = "open the store again"
      } else {
        reason = .readOnly
        remedy = "check the permissions of the file and of its directory"
      }
    case SQLITE_FULL:
      reason = .disk
      remedy = "make room on the disk"
    case SQLITE_IOERR:
      reason = .disk
      remedy = "check the disk and the permissions of the file"
    case SQLITE_CANTOPEN:
      reason = .notFound
    case SQLITE_PERM, SQLITE_AUTH:
      reason = .permissionDenied
    case SQLITE_CORRUPT:
      reason = .corrupt
      remedy = "restore a copy, or save what can be read with: sqlite3 FILE .recover"
    case SQLITE_NOTADB:
      reason = .notADatabase
    case SQLITE_CONSTRAINT:
      reason = .constraint
      detail = Self.constraintWords(detail, code: extended)
    case SQLITE_INTERRUPT:
      reason = .cancelled
    case SQLITE_ABORT:
      // A predicate could not be evaluated: the message says why, the statement does not.
      self.init(.unsupported, doing: doing, subject: subject, detail: detail)
      return
    default:
      reason = .other
    }
    self.init(reason, doing: doing, subject: subject, detail: detail, remedy: remedy, sql: sql)
  }

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
