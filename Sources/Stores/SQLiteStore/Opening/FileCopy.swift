import Foundation
import ObjectModel

/// Copies files, sharing their blocks (reflink) if the file system can.
enum FileCopy {
  /// The ioctl number FICLONE, a macro that Swift cannot import.
  private static let clone: UInt = 0x4004_9409

  /// Copies a regular file, readable by its owner only, up to the size that it has at first.
  ///
  /// - Throws: ``StoreError``; an incomplete copy is deleted.
  static func copy(_ source: String, to destination: String, doing: String) throws(StoreError) {
    // Opening a pipe would wait for a writer.
    let input = open(source.fileSystemBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard input >= 0 else { throw StoreError(FileError(errno, source), doing: doing) }
    var status = stat()
    // Closing any descriptor of a database releases the locks that this process has on it: one more
    // stays open for each copy of a database that is being read.
    defer {
      if fstat(input, &status) != 0 || !isOpenElsewhere(status, than: input) { close(input) }
    }
    guard fstat(input, &status) == 0 else {
      throw StoreError(FileError(errno, source), doing: doing)
    }
    if let kind = FileKind(status).name {
      throw StoreError(.notAFile, doing: doing, subject: source, detail: "it is \(kind)")
    }
    var isCancelled = false
    do {
      let folder = try OpenFolder(path: destination.parentPath)
      let output = try folder.makeFile(named: destination.lastPathPart)
      defer { close(output) }
      guard copy(input, to: output) else {
        let code = errno
        folder.remove(destination.lastPathPart)
        isCancelled = code == ECANCELED
        throw FileError(code, destination)
      }
    } catch {
      if isCancelled { throw StoreError(.cancelled, doing: doing, subject: source) }
      throw StoreError(error, doing: doing, subject: destination)
    }
  }

  /// Whether this process has a file open by another descriptor too.
  private static func isOpenElsewhere(_ status: stat, than input: Int32) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.contains { descriptor in
      var other = stat()
      return descriptor != input && fstat(descriptor, &other) == 0
        && FileIdentity(other) == FileIdentity(status)
    }
  }

  /// Copies an open file to another, up to the size that it has at first.
  ///
  /// - Returns: False, with `errno`, if that was not possible; ECANCELED if the work was cancelled.
  static func copy(_ input: Int32, to output: Int32) -> Bool {
    var status = stat()
    return fstat(input, &status) == 0
      && (ioctl(output, clone, input) == 0
        || copyBytes(from: input, to: output, atMost: Int(status.st_size)))
  }

  private static func copyBytes(from input: Int32, to output: Int32, atMost size: Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var left = size
    return buffer.withUnsafeMutableBytes { bytes in
      while true {
        let control = FetchControl.current
        control?.report(completed: size - left, total: size)
        guard control?.mustStop != true else {
          errno = ECANCELED
          return false
        }
        let count = read(input, bytes.baseAddress, min(bytes.count, left))
        guard count > 0 else { return count == 0 }
        left -= count
        guard writeAll(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: output) else {
          return false
        }
      }
    }
  }
}
