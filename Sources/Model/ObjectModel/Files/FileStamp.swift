import Glibc

/// What is another one after a file has been written or replaced.
public struct FileStamp: Hashable, Sendable {
  /// The paths of the files.
  package let paths: [String]
  /// Of each file its device, inode, size and times; empty for one that is not there.
  private let states: [[Int]]

  /// Looks at files; a folder is another one when a file comes or goes.
  ///
  /// - Parameter paths: Their paths.
  public init(_ paths: String...) { self.init(paths) }

  /// Looks at files.
  ///
  /// - Parameter paths: Their paths, in the same order each time.
  public init(_ paths: [String]) {
    self.paths = paths
    states = paths.map { path in
      var found = Glibc.stat()
      guard stat(path.fileSystemBytes, &found) == 0 else { return [] }
      return [
        Int(found.st_dev), Int(found.st_ino), found.st_size, found.st_mtim.tv_sec,
        found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec,
      ]
    }
  }
}
