import CSQLite
import Foundation
import ObjectModel

/// A database file, checked before SQLite opens it.
struct DatabaseFile: Hashable {
  /// The canonical path.
  let path: String
  let identity: FileIdentity
  let byteCount: Int
  /// Whether the header says that the database is in WAL mode.
  let usesWAL: Bool

  /// Checks a file by its status and its first 100 bytes, and its journals by their status.
  ///
  /// - Throws: ``StoreError`` if the file or a journal is not a regular file or cannot be read, or
  ///   if the file is not a SQLite database.
  init(examining path: String) throws(StoreError) {
    let status = try Self.status(of: path)
    guard let canonical = realpath(path.fileSystemBytes, nil) else {
      throw StoreError(FileError(errno, path), doing: "opening")
    }
    defer { free(canonical) }
    self.path = String(fileSystemPath: canonical)
    identity = FileIdentity(status)
    byteCount = Int(status.st_size)
    let bytes = try Self.firstBytes(of: self.path)
    _ = try Self.journalSize(self.path + "-wal")
    let header = DatabaseHeader(bytes)
    // Of a transaction that was cut off pages may be missing, the first one too: its journal knows.
    let mayBeHot = try Self.journalSize(self.path + "-journal") > 0 && !bytes.isEmpty
    guard header != nil || mayBeHot else {
      throw Self.notADatabase(path, bytes: bytes, byteCount: byteCount)
    }
    usesWAL = header?.usesWAL ?? false
  }

  private static func status(of path: String) throws(StoreError) -> stat {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(
        .notFound, doing: "opening", subject: path, detail: "this is not the path of a file",
        remedy: "give the path of a database")
    }
    var status = stat()
    guard stat(path.fileSystemBytes, &status) == 0 else {
      throw StoreError(FileError(errno, path), doing: "opening")
    }
    if let kind = FileKind(status).name {
      throw StoreError(
        .notAFile, doing: "opening", subject: path, detail: "it is \(kind)",
        remedy: "give the path of a database file")
    }
    return status
  }

  /// The size of a journal; 0 if there is none.
  ///
  /// SQLite follows no link to a journal. It would wait for a pipe, and a device has no end.
  private static func journalSize(_ path: String) throws(StoreError) -> Int {
    var status = stat()
    guard lstat(path.fileSystemBytes, &status) == 0 else {
      if errno == ENOENT { return 0 }
      throw StoreError(FileError(errno, path), doing: "opening")
    }
    if let kind = FileKind(status).name {
      throw StoreError(
        .notAFile, doing: "opening", subject: path, detail: "it is \(kind)",
        remedy: "put the journal in its place: rows may be missing without it")
    }
    if status.st_size > 0, access(path.fileSystemBytes, R_OK) != 0 {
      // Another program may have committed since, and have removed it.
      if errno == ENOENT { return 0 }
      throw StoreError(FileError(errno, path), doing: "opening")
    }
    return Int(status.st_size)
  }

  /// How a file that SQLite finds damaged is truncated; nil if it has the size in its header.
  static func truncation(of path: String) -> String? {
    guard let bytes = try? firstBytes(of: path), let header = DatabaseHeader(bytes),
      let expected = header.expectedByteCount, let state = FileState(path: path),
      state.byteCount < expected
    else { return nil }
    return "it is truncated: \(state.byteCount) of \(expected) bytes are left"
  }

  private static func firstBytes(of path: String) throws(StoreError) -> [UInt8] {
    _ = VirtualFileSystem.areRegistered
    guard access(path.fileSystemBytes, R_OK) == 0 else {
      throw StoreError(FileError(errno, path), doing: "opening")
    }
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    let count = bytes.withUnsafeMutableBytes {
      cs_readFirstBytes(path.fileSystemBytes, $0.baseAddress, Int32($0.count))
    }
    guard count >= 0 else { throw StoreError(FileError(EIO, path), doing: "opening") }
    return Array(bytes.prefix(Int(count)))
  }

  /// Why a database cannot be written now; nil if it can.
  static func readOnlyReason(_ path: String) -> String? {
    if access(path.fileSystemBytes, W_OK) != 0 {
      return switch errno {
      case ENOENT, ENOTDIR: "its file was deleted"
      case EROFS: "it is on a read-only file system"
      default: "its permissions do not allow writing"
      }
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if access(folder.fileSystemBytes, W_OK) != 0 {
      return "its directory does not allow writing, which SQLite needs for the journal"
    }
    return nil
  }
}

extension DatabaseFile {
  private static func notADatabase(_ path: String, bytes: [UInt8], byteCount: Int) -> StoreError {
    var error = StoreError(
      .notADatabase, doing: "opening", subject: path, remedy: "give the path of a database")
    if bytes.isEmpty {
      error.detail = "the file is empty"
      error.remedy = "give the path of a database that has tables"
    } else if bytes.starts(with: DatabaseHeader.magic) {
      error.reason = .corrupt
      error.detail = "it is truncated after \(byteCount == 1 ? "1 byte" : "\(byteCount) bytes")"
      error.remedy = "copy it again"
    } else if let beginning = text(bytes) {
      error.detail = "it begins with \"\(beginning)\""
    } else if byteCount % 512 == 0 {
      error.detail = "it does not have the header of a SQLite database; it may be encrypted"
      error.remedy = "give the path of a database; decrypt an encrypted one first"
    } else {
      error.detail = "it does not have the header of a SQLite database"
    }
    return error
  }

  /// Returns the first 40 characters of the first line; nil if the bytes are not text.
  private static func text(_ bytes: [UInt8]) -> String? {
    // The last UTF-8 character may be incomplete.
    let whole = (0..<4).lazy.compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }
    guard let text = whole.first else { return nil }
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }.prefix(40)
    let isPlain = line.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t"
    }
    return isPlain && !line.isEmpty ? String(line) : nil
  }
}

/// The header of a database file (https://sqlite.org/fileformat2.html, section 1.3).
struct DatabaseHeader: Hashable {
  /// The size of the header in bytes.
  static let byteCount = 100

  /// The size of a page in bytes.
  let pageSize: Int
  /// The size of the file in bytes; nil if the header's page count is not valid.
  let expectedByteCount: Int?
  /// Whether the database is in WAL mode.
  let usesWAL: Bool

  /// Parses a header; nil if the bytes are not the beginning of a SQLite database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    func word(at offset: Int) -> UInt32 {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    // SQLite before 3.7.0 did not update the page count. It is valid only if the change counter
    // (offset 24) equals the version-valid-for number (offset 92).
    let pageCount = word(at: 28)
    expectedByteCount =
      pageCount > 0 && word(at: 24) == word(at: 92) ? Int(pageCount) * pageSize : nil
    usesWAL = bytes[18] == 2 || bytes[19] == 2
  }

  /// The header string at the start of every database.
  static let magic = Array("SQLite format 3\0".utf8)
}
