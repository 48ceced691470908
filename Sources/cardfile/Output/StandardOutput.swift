import Foundation

/// Buffered standard output.
///
/// If the reader closes the pipe (`cardfile fetch … | head`), the program ends with success. Any
/// other error, such as a full disk, is thrown as a ``Failure``, so that a script does not take
/// partial output for complete output.
struct StandardOutput {
  /// Thrown if the reading end of the pipe was closed (EPIPE).
  struct ReaderGone: Error {}

  /// The bytes not yet written; append to them, then call ``flushIfLarge()``.
  var bytes: [UInt8] = []

  private static let largeSize = 1 << 16

  /// Appends text and a line feed.
  mutating func writeLine(_ text: String) throws {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Writes the buffered bytes if there are 64 KiB or more.
  mutating func flushIfLarge() throws {
    if bytes.count >= Self.largeSize { try flush() }
  }

  /// Writes all buffered bytes; call it at the end.
  mutating func flush() throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    try bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = write(
          STDOUT_FILENO, buffer.baseAddress?.advanced(by: written), buffer.count - written)
        if count >= 0 {
          written += count
        } else if errno == EPIPE {
          throw ReaderGone()
        } else if errno != EINTR {
          throw Failure(
            .refused, "standard output cannot be written: \(String(cString: strerror(errno)))",
            try:
              "another file or disk with free space; the output so far is incomplete")
        }
      }
    }
  }
}
