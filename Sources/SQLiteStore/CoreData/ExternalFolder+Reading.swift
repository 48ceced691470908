import Foundation
import ObjectModel

extension ExternalFolder {
  /// Files with fewer bytes are read as one value.
  static let longestFile = 1 << 30

  /// Reads the file that a stored value refers to.
  ///
  /// - Parameters:
  ///   - stored: The value as it stands in its column.
  ///   - limit: How many bytes the value may have that is made of the file.
  /// - Returns: The value as if it stood in the row, cut, and its whole length in bytes; nil when it is no reference, or
  ///   the file is missing, no file or as long as ``longestFile``.
  func inlined(_ stored: Value, limit: Int) -> (value: Data, byteCount: Int)? {
    guard let name = Self.name(in: stored) else { return nil }
    let descriptor = open(file(named: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
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
