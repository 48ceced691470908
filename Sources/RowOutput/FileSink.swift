import Foundation

/// A file that is written beside its place and put there when it is complete.
package struct FileSink: OutputSink {
  /// Why a file could not be written.
  package struct Problem: Error, CustomStringConvertible {
    /// The number of the error, as `errno`.
    package let code: Int32

    /// The system's words for it.
    package var description: String { String(cString: strerror(code)) }
  }

  package var bytes: [UInt8] = []
  /// The number of bytes written so far.
  package private(set) var writtenCount = 0
  private let target: String
  private let draft: String
  /// The open file; -1 once it is closed.
  private var file: Int32

  private static let largeSize = 1 << 18

  /// Creates the file under another name in the folder of a path.
  ///
  /// - Parameter path: Where the file is put by ``commit(replacing:)``.
  /// - Throws: ``Problem`` if no file can be created there.
  package init(path: String) throws {
    let url = URL(fileURLWithPath: path)
    target = url.path
    draft =
      url.deletingLastPathComponent()
      .appending(path: ".\(url.lastPathComponent.prefix(100)).\(UUID().uuidString.prefix(8))").path
    file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw Problem(code: errno) }
  }

  /// Writes the collected bytes if they are many.
  package mutating func flushIfLarge() throws { if bytes.count >= Self.largeSize { try flush() } }

  private mutating func flush() throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Problem(code: errno)
      }
    }
    writtenCount += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// Begins anew with an empty file, because the store is read again.
  package mutating func startOver() throws {
    bytes.removeAll(keepingCapacity: true)
    writtenCount = 0
    guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else {
      throw Problem(code: errno)
    }
  }

  /// Writes the rest and puts the file in its place.
  ///
  /// - Parameter replacing: Whether a file that is there is replaced.
  /// - Throws: ``Problem``; its code is `EEXIST` if there is a file that must not be replaced.
  package mutating func commit(replacing: Bool) throws {
    try flush()
    guard fsync(file) == 0 || errno == EINVAL else { throw Problem(code: errno) }
    let isClosed = close(file) == 0
    file = -1
    guard isClosed, (replacing ? rename(draft, target) : link(draft, target)) == 0 else {
      throw Problem(code: errno)
    }
    if !replacing { unlink(draft) }
  }

  /// Closes and removes what was written; call it when anything was thrown.
  package func discard() {
    if file >= 0 { close(file) }
    unlink(draft)
  }
}
