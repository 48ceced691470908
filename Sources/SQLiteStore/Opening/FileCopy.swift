import Foundation
import ObjectModel

/// Copies files, sharing their blocks (reflink) if the file system can.
enum FileCopy {
  /// The ioctl number FICLONE, a macro that Swift cannot import.
  private static let clone: UInt = 0x4004_9409

  /// Writes a file, or the names in a folder, to disk (fsync).
  ///
  /// - Returns: Whether it is on disk.
  @discardableResult
  static func synchronize(_ path: String) -> Bool {
    let descriptor = open(path.fileSystemBytes, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  /// Copies a regular file, readable by its owner only, up to the size that it has at first.
  ///
  /// - Throws: ``StoreError``; an incomplete copy is deleted.
  static func copy(_ source: String, to destination: String, doing: String) throws(StoreError) {
    // Opening a pipe would wait for a writer.
    let input = open(source.fileSystemBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard input >= 0 else { throw DatabaseFile.systemError(errno, path: source, doing: doing) }
    defer { close(input) }
    var status = stat()
    guard fstat(input, &status) == 0 else {
      throw DatabaseFile.systemError(errno, path: source, doing: doing)
    }
    if let kind = FileKind(status).name {
      throw StoreError(.notAFile, doing: doing, subject: source, detail: "it is \(kind)")
    }
    let output = open(destination.fileSystemBytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else {
      throw DatabaseFile.systemError(errno, path: destination, doing: doing)
    }
    defer { close(output) }
    if ioctl(output, clone, input) == 0
      || copyBytes(from: input, to: output, atMost: Int(status.st_size))
    {
      return
    }
    let code = errno
    unlink(destination.fileSystemBytes)
    throw DatabaseFile.systemError(code, path: destination, doing: doing)
  }

  private static func copyBytes(from input: Int32, to output: Int32, atMost size: Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var left = size
    return buffer.withUnsafeMutableBytes { bytes in
      while true {
        let count = read(input, bytes.baseAddress, min(bytes.count, left))
        guard count > 0 else { return count == 0 }
        left -= count
        var rest = UnsafeRawBufferPointer(bytes)[..<count]
        while !rest.isEmpty {
          let written = write(
            output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          guard written > 0 else { return false }
          rest = rest.dropFirst(written)
        }
      }
    }
  }
}
