import CSQLite
import Foundation
import GRDB

/// One of the file systems of ours that SQLite opens databases through: see looking.c.
enum FileSystem: String {
  /// Reads without a trace.
  case looking = "cardfile-look"
  /// Reads beside programs that come and go: their index of the log is used, and made anew where nobody uses it.
  case joining = "cardfile-look&joins_index=1"
  /// Reads and writes.
  case writing = "cardfile"

  /// What SQLite is to open: a URI.
  ///
  /// - Parameter path: The path of a database.
  /// - Returns: A URI that names the file system.
  /// - Throws: `DatabaseError`, when SQLite does not take the file systems.
  func location(of path: String) throws -> String {
    guard Self.areReady,
      let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "SQLite does not take our file systems")
    }
    return "file:\(escaped)?vfs=\(rawValue)"
  }

  /// Whether SQLite knows them; it is told before it does anything else.
  static let areReady = cs_register() == 0
}
