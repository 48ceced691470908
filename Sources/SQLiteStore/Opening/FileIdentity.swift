import Glibc

/// Which file stands at a path, whatever the path is called.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// Asks the system; nil when there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// How a file looked at one moment, to tell whether it was written since.
struct FileState: Hashable {
  let identity: FileIdentity
  let byteCount: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Asks the system; nil when there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    byteCount = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
