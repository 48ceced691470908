import Foundation

/// Standard output, in large writes.
///
/// The reader may go away (`cardfile fetch … | head`): that ends the program quietly. Any other trouble (a full disk)
/// is a ``Failure``, so that a script never takes half an answer for a whole one.
struct StandardOutput {
  /// Thrown when nobody reads any more.
  struct ReaderGone: Error {}

  /// Bytes not yet written: append to them, then call ``flushIfLarge()``.
  var bytes: [UInt8] = []

  private static let largeSize = 1 << 16

  mutating func writeLine(_ text: String) throws {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Writes what was gathered once it is worth a system call.
  mutating func flushIfLarge() throws {
    if bytes.count >= Self.largeSize { try flush() }
  }

  /// Writes everything; call it at the end.
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
              "a place with room, and check that what stands there is not taken for a whole answer")
        }
      }
    }
  }
}
