import Foundation
import Glibc
import ObjectModel

/// What kind of database a file is by its first bytes, without opening it.
package struct StoreFileKind: Hashable, Sendable {
  /// Whether it has the tables of a Core Data store.
  package let isCoreData: Bool
  /// The size of the file in bytes.
  package let byteCount: Int

  /// The kind in words: "Core Data store" or "SQLite database".
  package var name: String { isCoreData ? "Core Data store" : "SQLite database" }

  /// How much of a file is read: the schema of a store stands near its beginning.
  private static let readCount = 1 << 18

  /// Reads the beginning of a file.
  ///
  /// The result is nil if the path leads to no regular file, or if the file cannot be read or is
  /// not a SQLite database. Nothing is waited for and nothing is changed.
  ///
  /// - Parameter path: The path of the file.
  package init?(path: String) {
    let file = open(path.fileSystemBytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, FileKind(status).name == nil else { return nil }
    byteCount = Int(status.st_size)
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    guard pread(file, &bytes, bytes.count, 0) == bytes.count, DatabaseHeader(bytes) != nil else {
      return nil
    }
    bytes = [UInt8](repeating: 0, count: min(Self.readCount, byteCount))
    let count = pread(file, &bytes, bytes.count, 0)
    let beginning = Data(bytes.prefix(max(count, 0)))
    isCoreData = beginning.range(of: Data("CREATE TABLE Z_METADATA".utf8)) != nil
  }
}
