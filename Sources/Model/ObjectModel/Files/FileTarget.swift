import Glibc

/// Where a person wants a file: what is there, and how it is replaced.
///
/// As with a shell's `>` a link leads to the file that is written, and an existing file keeps its
/// owner, its mode and its other names. Its contents are complete or the old ones, unless it has
/// other names, another owner or an access control list: then they are replaced in place.
package struct FileTarget {
  /// What is at the path.
  package enum Occupant: Hashable, Sendable {
    case nothing, file, folder
    /// What is there and is no file, in words: "a pipe", "a device".
    case other(String)
  }

  /// What is at the path.
  package let occupant: Occupant
  private let folder: OpenFolder
  private let name: String

  /// Looks at a path, and follows links.
  ///
  /// - Throws: ``FileError`` if the folder that is to contain it does not exist.
  package init(path: String) throws(FileError) {
    var path = path
    for _ in 0..<40 {
      let folder = try OpenFolder(path: path.parentPath)
      let name = path.lastPathPart
      let status = path.hasSuffix("/") ? nil : folder.status(of: name)
      guard let status, status.st_mode & S_IFMT == S_IFLNK else {
        (self.folder, self.name) = (folder, name)
        occupant = path.hasSuffix("/") ? .folder : Self.occupant(status)
        return
      }
      var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let length = readlinkat(
        folder.descriptor, name.fileSystemBytes, &target, target.count - 1)
      guard length > 0 else { throw FileError(errno, path) }
      let next = String(fileSystemPath: target)
      path = next.hasPrefix("/") ? next : path.parentPath + "/" + next
    }
    throw FileError(ELOOP, path)
  }

  private static func occupant(_ status: stat?) -> Occupant {
    guard let status else { return .nothing }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFIFO: .other("a pipe")
    case S_IFSOCK: .other("a socket")
    default: .other("a device")
    }
  }

  /// Creates a file for the contents beside it; a new file can be read by all whom the process lets
  /// read its files (umask).
  package func makeDraft() throws(FileError) -> Draft {
    folder.removeAbandonedDrafts()
    return try Draft(fileIn: folder, mode: occupant == .nothing ? 0o666 : 0o600)
  }

  /// Puts a complete file there.
  ///
  /// - Throws: ``FileError``; its code is `EEXIST` if a file has come there meanwhile.
  package func put(_ draft: Draft) throws(FileError) {
    guard occupant == .file else { return try draft.commit(as: name, replacing: false) }
    let path = folder.path(of: name)
    let file = openat(
      folder.descriptor, name.fileSystemBytes, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw FileError(errno, path) }
    defer { close(file) }
    guard let status = OpenFolder.status(of: file), status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(ESTALE, path)
    }
    let isOwn = geteuid() == 0 || status.st_uid == geteuid()
    if status.st_nlink == 1, isOwn, !FileAccess.hasList(file) {
      try draft.setAccess(FileAccess(status))
      return try draft.commit(as: name, replacing: true)
    }
    try draft.copy(over: file, path: path)
  }
}

extension Draft {
  /// Replaces the contents of an open file by those of this one.
  fileprivate func copy(over file: Int32, path: String) throws(FileError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    guard lseek(descriptor, 0, SEEK_SET) == 0, ftruncate(file, 0) == 0 else {
      throw FileError(errno, path)
    }
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count != 0 else { break }
      guard count > 0, buffer.withUnsafeBytes({ writeAll(.init(rebasing: $0[..<count]), to: file) })
      else { throw FileError(errno, path) }
    }
    guard fsync(file) == 0 || errno == EINVAL else { throw FileError(errno, path) }
    removeName()
  }
}
