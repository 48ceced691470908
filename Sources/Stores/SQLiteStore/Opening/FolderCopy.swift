import Glibc
import ObjectModel

/// Copies a folder with all that is in it, each file and folder with its own owner and mode.
struct FolderCopy {
  /// The operation, for errors.
  let doing: String

  /// Copies what is in a folder to an empty one, by hard links where possible: Core Data never
  /// rewrites the files of external data.
  ///
  /// Links stay links, which lead to the same place from a folder beside the original; pipes,
  /// sockets and devices have no data, and are left out.
  func copy(_ source: OpenFolder, to copy: OpenFolder) throws {
    for name in source.names() {
      guard let status = source.status(of: name) else { continue }
      let bytes = name.fileSystemBytes
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        guard let inner = try source.folder(named: name, followingLink: false) else { continue }
        try self.copy(inner, to: try copy.makeFolder(named: name, access: nil))
      case S_IFREG where linkat(source.descriptor, bytes, copy.descriptor, bytes, 0) == 0: break
      case S_IFREG: try copyFile(name, from: source, to: copy)
      case S_IFLNK: try copyLink(name, from: source, to: copy)
      default: break
      }
    }
    guard let access = source.access, access.apply(to: copy.descriptor) else {
      throw FileError(errno, copy.path)
    }
    copy.synchronize()
  }

  private func copyFile(_ name: String, from source: OpenFolder, to copy: OpenFolder) throws {
    let input = openat(
      source.descriptor, name.fileSystemBytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard input >= 0 else { throw FileError(errno, source.path(of: name)) }
    defer { close(input) }
    let output = try copy.makeFile(named: name)
    defer { close(output) }
    var status = stat()
    guard fstat(input, &status) == 0, FileCopy.copy(input, to: output),
      FileAccess(status).apply(to: output), fsync(output) == 0
    else { throw FileError(errno, copy.path(of: name)) }
  }

  private func copyLink(_ name: String, from source: OpenFolder, to copy: OpenFolder) throws {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let bytes = name.fileSystemBytes
    guard readlinkat(source.descriptor, bytes, &target, target.count - 1) > 0,
      symlinkat(target, copy.descriptor, bytes) == 0
    else { throw FileError(errno, source.path(of: name)) }
  }
}
