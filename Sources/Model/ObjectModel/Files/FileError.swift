import Glibc

/// Why the system refused to open, create or change a file.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the error, as `errno`.
  package let code: Int32
  /// The path of the file.
  package let path: String

  package init(_ code: Int32, _ path: String) { (self.code, self.path) = (code, path) }

  /// The system's words for it; `ESTALE` is our own error for a name that leads to another file.
  package var description: String {
    code == ESTALE ? "another file has come in its place" : String(cString: strerror(code))
  }
}

extension StoreError {
  /// The error of a file that the system refuses.
  ///
  /// - Parameters:
  ///   - error: The system's error.
  ///   - doing: The operation.
  package init(_ error: FileError, doing: String) {
    switch error.code {
    case ENOENT, ENOTDIR:
      self.init(
        .notFound, doing: doing, subject: error.path, remedy: "check the spelling of the path")
    case EACCES, EPERM:
      self.init(
        .permissionDenied, doing: doing, subject: error.path,
        detail: "the permissions of the file or of one of its parent directories do not allow it",
        remedy: "change them with chmod, or ask the owner")
    case EMFILE, ENFILE:
      self.init(
        .other, doing: doing, subject: error.path, detail: "\(error)",
        remedy: "raise the limit of open files (ulimit -n), or close other programs")
    case EFBIG:
      self.init(
        .disk, doing: doing, subject: error.path, detail: "\(error)",
        remedy: "raise the limit of the size of files (ulimit -f)")
    case ENOSPC, EDQUOT, EIO, EROFS:
      self.init(.disk, doing: doing, subject: error.path, detail: "\(error)")
    default:
      self.init(.other, doing: doing, subject: error.path, detail: "\(error)")
    }
  }
}
