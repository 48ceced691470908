import Foundation
import ObjectModel

/// The identity of a file, whatever its path: its device and inode numbers.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// Reads the identity of the file at a path; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path.fileSystemBytes, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// A file's identity, size and modification time, to detect whether it was written since.
struct FileState: Hashable {
  let identity: FileIdentity
  let byteCount: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// When it was written last.
  var modified: Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
  }

  /// Reads the state of the file at a path; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path.fileSystemBytes, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    byteCount = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// The kind of a node of the file system.
struct FileKind: Hashable {
  /// The kind in words, such as "a directory"; nil for a regular file.
  let name: String?

  init(_ status: stat) {
    name =
      switch status.st_mode & S_IFMT {
      case S_IFREG: nil
      case S_IFDIR: "a directory"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      case S_IFLNK: "a symbolic link"
      default: "a device"
      }
  }
}

/// Checks that the file at a store's path is still the one that was opened.
struct FileGuard: Sendable {
  /// The canonical path.
  let path: String
  /// The path as the person entered it, for errors.
  let subject: String
  let identity: FileIdentity

  /// Throws ``StoreError`` if the file was replaced or deleted; `doing` is the operation.
  func check(doing: String) throws(StoreError) {
    guard let current = FileIdentity(path: path) else { throw replaced(doing, "was deleted") }
    guard current == identity else { throw replaced(doing, "was replaced by another file") }
  }

  private func replaced(_ doing: String, _ what: String) -> StoreError {
    StoreError(
      .replaced, doing: doing, subject: subject, detail: "it \(what)",
      remedy: "open it again")
  }
}
