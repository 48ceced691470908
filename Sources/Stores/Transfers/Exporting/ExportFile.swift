import Glibc
import ObjectModel

/// A new file in the folder of an export; what is appended is written in large parts.
struct ExportFile: ~Copyable {
  var bytes: [UInt8] = []
  private let descriptor: Int32
  private let path: String

  private static let largeSize = 1 << 18

  init(_ name: String, in folder: OpenFolder) throws(FileError) {
    descriptor = try folder.makeFile(named: name, mode: 0o666)
    path = folder.path(of: name)
  }

  deinit { close(descriptor) }

  mutating func flushIfLarge() throws(FileError) {
    if bytes.count >= Self.largeSize { try flush() }
  }

  mutating func flush() throws(FileError) {
    guard bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) else {
      throw FileError(errno, path)
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
