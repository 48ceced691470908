import Foundation
import ObjectModel

extension ExternalFolder {
  /// The length in bytes from which on files are not read: that of SQLite's longest value.
  static let longestFile = 1_000_000_000

  /// Reads the file that a stored value refers to: its inline form, truncated to a limit in bytes,
  /// and its full length in bytes; nil if it is not a reference, or the file is missing, not a
  /// regular file, or as long as ``longestFile``.
  func inlined(_ stored: Value, limit: Int) -> (value: Data, byteCount: Int)? {
    guard let name = stored.externalFileName else { return nil }
    let descriptor = Glibc.open(
      file(named: name).fileSystemBytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size < Self.longestFile
    else { return nil }
    let count = max(0, min(limit - 1, Int(status.st_size)))
    guard let bytes = try? file.read(upToCount: count) ?? Data() else { return nil }
    return (Data([Self.inlineMark]) + bytes, Int(status.st_size) + 1)
  }
}
