import Glibc

/// A new file or folder under a name of its own, which gets its name when it is complete.
///
/// It is created for this user only and never opened by its path. It is locked (`flock`) while its
/// process lives, so that one which a killed process has left is known, and removed by
/// ``OpenFolder/removeAbandonedDrafts()``. Without ``commit(as:replacing:)`` it is removed when the
/// last reference to it goes.
package final class Draft {
  /// The folder in which it is.
  package let folder: OpenFolder
  package let descriptor: Int32
  /// The name that it has until it is complete; nil when it has another one, or none.
  private var name: String?

  /// Creates an empty file, open for reading and writing.
  ///
  /// - Parameters:
  ///   - folder: Where it is created.
  ///   - mode: Who may read and write it, of those whom the process lets (umask); by default this
  ///     user only.
  /// - Throws: ``FileError`` if it cannot be created.
  package convenience init(fileIn folder: OpenFolder, mode: UInt32 = 0o600) throws(FileError) {
    try self.init(in: folder) { name throws(FileError) in
      try folder.makeFile(named: name, mode: mode)
    }
  }

  /// Creates an empty folder.
  package convenience init(folderIn folder: OpenFolder) throws(FileError) {
    try self.init(in: folder) { name throws(FileError) in
      let made = try folder.makeFolder(named: name, access: nil)
      return withExtendedLifetime(made) { dup(made.descriptor) }
    }
  }

  private init(in folder: OpenFolder, make: (String) throws(FileError) -> Int32)
    throws(FileError)
  {
    self.folder = folder
    var code = EEXIST
    for _ in 0..<20 {
      let name = Self.newName()
      let descriptor: Int32
      do {
        descriptor = try make(name)
      } catch {
        // Somebody else may have removed a folder before it was opened.
        code = error.code
        guard code == EEXIST || code == ENOENT else { break }
        continue
      }
      // A file system without locks has drafts that stay after a crash. Before it was locked,
      // somebody else may have taken it for an abandoned one, and is removing it or has done so.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      if !isTaken, folder.has(descriptor, named: name) {
        (self.descriptor, self.name) = (descriptor, name)
        return
      }
      close(descriptor)
    }
    throw FileError(code, folder.path)
  }

  deinit {
    removeName()
    close(descriptor)
  }

  /// Its path until it is complete, for messages and for other programs.
  package var path: String { folder.path(of: name ?? "") }

  /// The folder that it is, for what it is to contain.
  package var contents: OpenFolder {
    OpenFolder(path: path, descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
  }

  /// The path at which this process, and no other, finds the file whatever its name leads to.
  package var ownPath: String { "/proc/self/fd/\(descriptor)" }

  /// Removes its name: it lasts as long as it is open.
  package func removeName() {
    if let name, folder.has(descriptor, named: name) { folder.remove(name) }
    name = nil
  }

  /// Gives it an access.
  package func setAccess(_ access: FileAccess) throws(FileError) {
    guard access.apply(to: descriptor) else { throw FileError(errno, folder.path) }
  }

  /// Gives it its name.
  ///
  /// - Parameters:
  ///   - final: The name.
  ///   - replacing: Whether it replaces a file that has the name.
  ///   - isDurable: Whether it is written to disk first, to be whole after a power failure too.
  /// - Throws: ``FileError``; its code is `EEXIST` if something has the name that must stay.
  package func commit(as final: String, replacing: Bool, isDurable: Bool = true)
    throws(FileError)
  {
    let path = folder.path(of: final)
    // Some file systems have no fsync for what they are.
    if isDurable, fsync(descriptor) != 0, errno != EINVAL { throw FileError(errno, path) }
    guard let name, folder.has(descriptor, named: name) else { throw FileError(ESTALE, path) }
    guard
      replacing
        ? renameat(
          folder.descriptor, name.fileSystemBytes, folder.descriptor, final.fileSystemBytes) == 0
        : rename(name, without: final)
    else { throw FileError(errno, path) }
    self.name = nil
    if isDurable { folder.synchronize() }
    guard folder.has(descriptor, named: final) else { throw FileError(ESTALE, path) }
  }

  /// Renames it if nothing has the name, by the first way that the file system has.
  private func rename(_ name: String, without final: String) -> Bool {
    let (directory, old, new) = (folder.descriptor, name.fileSystemBytes, final.fileSystemBytes)
    if let renameat2, renameat2(directory, old, directory, new, Self.withoutReplacing) == 0 {
      return true
    }
    if renameat2 != nil, ![EINVAL, ENOSYS, ENOTSUP, EPERM].contains(errno) { return false }
    if linkat(directory, old, directory, new, 0) == 0 { return unlinkat(directory, old, 0) == 0 }
    guard errno != EEXIST else { return false }
    // Without hard links: who creates the name has it, and may replace what it has created.
    guard let status = OpenFolder.status(of: descriptor) else { return false }
    if status.st_mode & S_IFMT == S_IFDIR {
      guard mkdirat(directory, new, 0o700) == 0 else { return false }
    } else {
      let claim = openat(
        directory, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard claim >= 0 else { return false }
      close(claim)
    }
    if renameat(directory, old, directory, new) == 0 { return true }
    let code = errno
    folder.remove(final)
    errno = code
    return false
  }

  // MARK: Names

  fileprivate static let (start, end) = (".cardfile-", ".part")

  private static func newName() -> String {
    start + String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16) + end
  }

  // MARK: What Swift does not import

  /// RENAME_NOREPLACE.
  private static let withoutReplacing: UInt32 = 1

  private typealias Rename2 =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32

  /// The function renameat2, which a C library may lack.
  private let renameat2 = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Rename2.self) }
}

extension OpenFolder {
  /// Removes the drafts that killed processes of this user have left in the folder.
  ///
  /// One is removed if it can be locked: its process is gone then.
  package func removeAbandonedDrafts() {
    for name in names(beginningWith: Draft.start) where name.hasSuffix(Draft.end) {
      let file = openat(
        descriptor, name.fileSystemBytes, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
      guard file >= 0 else { continue }
      defer { close(file) }
      guard let status = Self.status(of: file),
        [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT),
        geteuid() == 0 || status.st_uid == geteuid(), flock(file, LOCK_EX | LOCK_NB) == 0,
        has(file, named: name)
      else { continue }
      remove(name)
    }
  }
}
