import Glibc

extension StoreError {
  /// The error of a store whose file the system refuses.
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
    case ENOSPC, EDQUOT, EIO, EROFS, EFBIG:
      self.init(.disk, doing: doing, subject: error.path, detail: "\(error)")
    case ESTALE:
      self.init(.replaced, doing: doing, subject: error.path, detail: "\(error)")
    case EISDIR, ENODEV:
      self.init(.notAFile, doing: doing, subject: error.path, detail: "it is not a regular file")
    default:
      self.init(.other, doing: doing, subject: error.path, detail: "\(error)")
    }
  }
}
