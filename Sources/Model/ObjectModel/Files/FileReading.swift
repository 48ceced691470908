package import Foundation

/// Reads the whole of a small file.
///
/// - Parameters:
///   - path: Its path.
///   - limit: The most bytes that it may have.
/// - Returns: Its contents.
/// - Throws: ``FileError``; its code is `EFBIG` for a larger file, `EISDIR` for a folder, and
///   `ENODEV` for a pipe, a socket or a device, which might never end.
package func contents(ofFile path: String, atMost limit: Int) throws(FileError) -> Data {
  // A pipe in place of the file must not make the program wait.
  let file = open(path.fileSystemBytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
  guard file >= 0 else { throw FileError(errno, path) }
  defer { close(file) }
  guard let status = OpenFolder.status(of: file) else { throw FileError(errno, path) }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw FileError(status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENODEV, path)
  }
  guard status.st_size <= limit else { throw FileError(EFBIG, path) }
  var bytes = Data(count: Int(status.st_size))
  var done = 0
  while done < bytes.count {
    let count = bytes.withUnsafeMutableBytes {
      read(file, $0.baseAddress?.advanced(by: done), $0.count - done)
    }
    guard count >= 0 || errno == EINTR else { throw FileError(errno, path) }
    // It has become shorter meanwhile.
    if count == 0 { break }
    done += max(count, 0)
  }
  return bytes.prefix(done)
}
