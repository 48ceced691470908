import Foundation

/// A small file that only its owner can read, replaced as a whole.
struct PrivateFile {
  /// Why a file could not be read or written, in a few words.
  struct Problem: Error, Hashable {
    let reason: String

    fileprivate init(_ reason: String) { self.reason = reason }
    fileprivate init() { reason = String(cString: strerror(errno)) }
  }

  /// The most bytes that are read or written.
  static let limit = 1 << 20

  let url: URL

  /// Reads the file; nil if there is none.
  func read() throws(Problem) -> Data? {
    // A pipe in place of the file must not make the program wait.
    let file = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw Problem() }
      return nil
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Problem() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Problem("not a file") }
    guard status.st_size <= Self.limit else { throw Problem("too large") }
    do {
      return try FileHandle(fileDescriptor: file, closeOnDealloc: false).readToEnd() ?? Data()
    } catch {
      throw Problem("it cannot be read")
    }
  }

  /// Replaces the file and creates its folder; if that fails the old file stays.
  func write(_ data: Data) throws(Problem) {
    guard data.count <= Self.limit else { throw Problem("too large") }
    let folder = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Problem("the folder \(folder.path) cannot be made")
    }
    let draft = folder.appendingPathComponent(
      ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)")
    unlink(draft.path)
    let file = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Problem() }
    do {
      defer { close(file) }
      try FileHandle(fileDescriptor: file, closeOnDealloc: false).write(contentsOf: data)
    } catch {
      unlink(draft.path)
      throw Problem("it cannot be written")
    }
    guard rename(draft.path, url.path) == 0 else {
      let problem = Problem()
      unlink(draft.path)
      throw problem
    }
  }
}
