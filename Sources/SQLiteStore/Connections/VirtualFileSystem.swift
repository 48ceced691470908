import CSQLite
import Foundation
import GRDB

/// A virtual file system (VFS) of ours through which SQLite opens a database: see traceless_vfs.c.
enum VirtualFileSystem: String {
  /// Reads and changes nothing on disk.
  case traceless = "cardfile-traceless"
  /// Reads and shares the wal-index (-shm) with other processes, which creates it where nobody uses
  /// it.
  case sharingIndex = "cardfile-traceless&joins_index=1"
  /// Reads and writes.
  case writing = "cardfile"

  /// The URI by which SQLite opens a database through this VFS.
  ///
  /// - Throws: `DatabaseError`, if SQLite has refused to register the VFSs.
  func uri(of path: String) throws -> String {
    guard Self.areRegistered,
      let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "SQLite does not register the VFSs of CSQLite")
    }
    return "file:\(escaped)?vfs=\(rawValue)"
  }

  /// Whether SQLite has registered the VFSs, which must happen before its first use.
  static let areRegistered = cs_registerFileSystems() == 0
}
