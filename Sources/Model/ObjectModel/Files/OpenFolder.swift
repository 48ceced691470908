package import Glibc

/// A folder that is held open: a name in it means a file in this folder, wherever its path leads
/// meanwhile.
///
/// Whoever may write to the folders on a path can put a link in their place at any moment. So all
/// that the program creates, and what it removes, is created and removed in an open folder.
package final class OpenFolder: Sendable {
  /// The path by which it was opened, for messages.
  package let path: String
  /// It is closed with the last reference to the folder.
  package let descriptor: Int32

  /// O_PATH, a macro that Swift does not import: a folder that one may write to, but not list.
  private static let withoutReading: Int32 = 0o10_000_000

  /// Opens a folder that a person or the environment names; links are followed.
  package convenience init(path: String) throws(FileError) {
    try self.init(name: path, in: AT_FDCWD, path: path, flags: 0)
  }

  /// Opens a folder, and makes it and those that it is in if they do not exist.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - mode: Who may use what is made; by default this user only.
  /// - Throws: ``FileError`` if it cannot be made or opened.
  package convenience init(making path: String, mode: mode_t = 0o700) throws(FileError) {
    do {
      try self.init(path: path)
    } catch {
      guard error.code == ENOENT, path.parentPath != path else { throw error }
      let parent = try OpenFolder(making: path.parentPath, mode: mode)
      guard
        mkdirat(parent.descriptor, path.lastPathPart.fileSystemBytes, mode) == 0 || errno == EEXIST
      else { throw FileError(errno, path) }
      try self.init(path: path)
    }
  }

  private init(name: String, in parent: Int32, path: String, flags: Int32) throws(FileError) {
    self.path = path
    let flags = flags | O_DIRECTORY | O_CLOEXEC
    var opened = openat(parent, name.fileSystemBytes, flags | O_RDONLY)
    if opened < 0, errno == EACCES {
      opened = openat(parent, name.fileSystemBytes, flags | Self.withoutReading)
    }
    guard opened >= 0 else { throw FileError(errno, path) }
    descriptor = opened
  }

  /// Takes over an open descriptor.
  init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

  deinit { close(descriptor) }

  /// The path of a name in the folder, for messages.
  package func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

  /// What is there under a name; links are not followed.
  package func status(of name: String) -> stat? {
    var status = stat()
    let code = fstatat(descriptor, name.fileSystemBytes, &status, AT_SYMLINK_NOFOLLOW)
    return code == 0 ? status : nil
  }

  /// The access of the folder itself.
  package var access: FileAccess? { Self.status(of: descriptor).map { FileAccess($0) } }

  static func status(of descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Whether a name still leads to an open file, whatever has been renamed meanwhile.
  package func has(_ descriptor: Int32, named name: String) -> Bool {
    guard let there = status(of: name), let own = Self.status(of: descriptor) else { return false }
    return there.st_dev == own.st_dev && there.st_ino == own.st_ino
  }

  /// Opens a folder in this one; nil if there is nothing of that name.
  ///
  /// A link is followed, if asked for, unless another user could have made it lead to what only this
  /// user may read: the link and what it leads to must belong to the same user, or be in a folder
  /// that only this user or root can change.
  package func folder(named name: String, followingLink: Bool = true) throws(FileError)
    -> OpenFolder?
  {
    guard let found = status(of: name) else {
      if errno == ENOENT { return nil }
      throw FileError(errno, path(of: name))
    }
    let isLink = found.st_mode & S_IFMT == S_IFLNK
    let opened = try OpenFolder(
      name: name, in: descriptor, path: path(of: name),
      flags: isLink && followingLink ? 0 : O_NOFOLLOW)
    guard isLink, !isOwn else { return opened }
    guard opened.access?.owner == found.st_uid else { throw FileError(EACCES, path(of: name)) }
    return opened
  }

  /// Whether only this user and root can change the names in the folder.
  private var isOwn: Bool {
    access.map { [0, geteuid()].contains($0.owner) && $0.mode & 0o022 == 0 } ?? false
  }

  /// Makes a folder for this user only, then gives it an access.
  package func makeFolder(named name: String, access: FileAccess?) throws(FileError) -> OpenFolder {
    guard mkdirat(descriptor, name.fileSystemBytes, 0o700) == 0 else {
      throw FileError(errno, path(of: name))
    }
    let made = try OpenFolder(
      name: name, in: descriptor, path: path(of: name), flags: O_NOFOLLOW)
    guard made.access?.owner == geteuid() else { throw FileError(EACCES, path(of: name)) }
    if let access, !access.apply(to: made.descriptor) { throw FileError(errno, path(of: name)) }
    return made
  }

  /// Creates a file for this user only, for reading and writing; what is there stays.
  package func makeFile(named name: String, mode: mode_t = 0o600) throws(FileError) -> Int32 {
    let file = openat(
      descriptor, name.fileSystemBytes, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw FileError(errno, path(of: name)) }
    return file
  }

  /// The names in the folder that begin with a text, without "." and ".."; none if it cannot be
  /// listed.
  ///
  /// - Complexity: O(*n*) in all names of the folder: some milliseconds for a hundred thousand.
  package func names(beginningWith start: String = "") -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let list = fdopendir(copy) else {
      if copy >= 0 { close(copy) }
      return []
    }
    defer { closedir(list) }
    let (first, count) = (start.fileSystemBytes, start.utf8.count)
    var names: [String] = []
    while let entry = readdir(list) {
      let name: String? = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          strncmp($0, first, count) == 0 ? String(fileSystemPath: $0) : nil
        }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Moves a file to another folder, where it replaces one of its name.
  package func move(_ name: String, to other: OpenFolder) throws(FileError) {
    let bytes = name.fileSystemBytes
    guard renameat(descriptor, bytes, other.descriptor, bytes) == 0 else {
      throw FileError(errno, other.path(of: name))
    }
  }

  /// Removes a file, or a folder with what is in it; links are removed, not followed.
  ///
  /// - Returns: Whether it is gone.
  @discardableResult
  package func remove(_ name: String) -> Bool {
    if unlinkat(descriptor, name.fileSystemBytes, 0) == 0 || errno == ENOENT { return true }
    guard
      let folder = try? OpenFolder(
        name: name, in: descriptor, path: path(of: name), flags: O_NOFOLLOW)
    else { return false }
    for name in folder.names() { folder.remove(name) }
    return unlinkat(descriptor, name.fileSystemBytes, AT_REMOVEDIR) == 0
  }

  /// Writes the names in the folder to disk; a file system that cannot do so does it by itself.
  package func synchronize() { _ = fsync(descriptor) }
}
