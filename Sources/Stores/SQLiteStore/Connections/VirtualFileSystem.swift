import CSQLite
import Foundation
import GRDB
import ObjectModel

extension Database {
  /// Copies the database as its connection sees it to a new file.
  ///
  /// - Throws: `DatabaseError`; ``StoreError`` if the control of the thread cancels it.
  func copy(to file: Draft, doing: String) throws {
    let copy = try VirtualFileSystem.database(in: file, label: "cardfile.copier")
    try copy.writeWithoutTransaction {
      try backup(to: $0, pagesPerStep: 2_000) { progress in
        try FetchControl.check(
          doing: doing, completed: progress.completedPageCount, total: progress.totalPageCount)
      }
    }
    try copy.close()
  }
}

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
    guard Self.areRegistered else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "SQLite does not register the VFSs of CSQLite")
    }
    return "file:\(Self.escaped(path))?vfs=\(rawValue)"
  }

  /// Opens a new database in a file that only this process writes: by its descriptor, whatever its
  /// name leads to, without locks and without a journal.
  ///
  /// Whoever may write to its folder could put a link in its place, and SQLite would follow it.
  static func database(in draft: Draft, label: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = label
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF") }
    return try DatabaseQueue(
      path: writing.uri(of: draft.ownPath) + "&nolock=1", configuration: configuration)
  }

  /// The bytes of a path for a URI; SQLite opens the bytes that `%E9` stands for.
  private static func escaped(_ path: String) -> String {
    path.fileSystemBytes.dropLast().map(UInt8.init(bitPattern:)).percentEscaped(except: "/.-_")
  }

  /// Whether SQLite has registered the VFSs, which must happen before its first use.
  static let areRegistered: Bool = {
    cs_setMaySleep { LockWait.mayGoOn ? 1 : 0 }
    return cs_registerFileSystems() == 0
  }()
}
