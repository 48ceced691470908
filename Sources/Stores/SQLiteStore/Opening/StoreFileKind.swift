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

  /// The most pages of a schema that are read, and the most bytes of a log.
  private static let mostPages = 4096
  private static let mostOfLog = 4 << 20

  /// Whether the schema has the table that every Core Data store has.
  ///
  /// It reads the tree of the schema, whose root is the first page: the pages of a large one lie far
  /// apart.
  private static func schemaNamesMetadata(_ file: Int32, _ pageSize: Int) -> Bool {
    var pages = [1]
    var read = 0
    while let number = pages.popLast(), read < mostPages {
      read += 1
      var page = [UInt8](repeating: 0, count: pageSize)
      guard pread(file, &page, pageSize, off_t(number - 1) * off_t(pageSize)) == pageSize else {
        continue
      }
      if namesMetadata(Data(page)) { return true }
      func integer(_ offset: Int, _ count: Int) -> Int {
        page[min(offset, pageSize - count)...].prefix(count).reduce(0) { $0 << 8 | Int($1) }
      }
      let start = number == 1 ? DatabaseHeader.byteCount : 0
      // An inner page of a table: the last child, and one for each cell.
      guard page[start] == 5 else { continue }
      pages.append(integer(start + 8, 4))
      pages += (0..<integer(start + 3, 2)).map { integer(integer(start + 12 + 2 * $0, 2), 4) }
      pages.removeAll { $0 < 1 }
    }
    return false
  }

  /// Whether a write-ahead log makes that table: a new store has it there until the first checkpoint.
  private static func logNamesMetadata(_ path: String) -> Bool {
    let file = open((path + "-wal").fileSystemBytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: mostOfLog)
    let count = pread(file, &bytes, bytes.count, 0)
    return namesMetadata(Data(bytes.prefix(max(count, 0))))
  }

  private static func namesMetadata(_ data: Data) -> Bool {
    ["Z_METADATA ", "Z_METADATA(", "\"Z_METADATA\"", "'Z_METADATA'"].contains {
      data.range(of: Data("CREATE TABLE \($0)".utf8)) != nil
    }
  }

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
    isCoreData =
      Self.schemaNamesMetadata(file, DatabaseHeader(bytes)?.pageSize ?? 4096)
      || Self.logNamesMetadata(path)
  }
}
