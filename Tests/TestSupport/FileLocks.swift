import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Locks on the files of a database, as another program would hold them until it ends.
///
/// They belong to an open file and not to the process, so that they keep SQLite's locks out of this
/// process too.
package final class FileLocks: Sendable {
  /// What is locked.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The EXCLUSIVE lock of a rollback journal: a commit, or `BEGIN EXCLUSIVE`.
    case exclusive
    /// All locks of the wal-index, as while a log is recovered or begins anew.
    case walIndex

    fileprivate var suffix: String { self == .exclusive ? "" : "-shm" }

    /// The bytes that SQLite locks: of a database from PENDING to the last of SHARED, of a wal-index
    /// those of `WAL_WRITE_LOCK` to the last of `WAL_READ_LOCK`.
    fileprivate var range: (start: off_t, count: off_t) {
      self == .exclusive ? (0x4000_0000, 512) : (120, 8)
    }
  }

  /// F_OFD_SETLK, a macro that Swift does not see.
  private static let command: Int32 = 37
  private let descriptor: Int32
  private let kind: Kind

  /// Takes the locks; nil if somebody else holds one of them.
  package init?(_ kind: Kind, of path: String) {
    self.kind = kind
    descriptor = open(path + kind.suffix, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0, setLock(F_WRLCK) else { return nil }
  }

  /// Releases them.
  ///
  /// The file stays open: closing it would release the locks of this process, too.
  package func release() { _ = setLock(F_UNLCK) }

  /// Whether they are held: somebody else cannot have them.
  package var areHeld: Bool { setLock(F_WRLCK) }

  private func setLock(_ type: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = kind.range
    return fcntl(descriptor, Self.command, &lock) == 0
  }
}
