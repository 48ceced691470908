import Foundation
import ObjectModel

/// A copy of a database and its journals in a directory that only we can enter; it goes when this is let go.
final class PrivateCopy: Sendable {
  /// The path of the copied database.
  let path: String
  private let folder: String

  /// Copies a database with its journals.
  ///
  /// - Parameter original: The path of the database.
  /// - Throws: ``StoreError``, when there is no room, or the database is written all the while.
  init(of original: String) throws(StoreError) {
    let doing = "copying in order to read"
    var template = Array(
      FileManager.default.temporaryDirectory.appendingPathComponent("cardfile-XXXXXX").path
        .utf8CString)
    let isMade = template.withUnsafeMutableBufferPointer { characters in
      characters.baseAddress.map { mkdtemp($0) != nil } ?? false
    }
    guard isMade else {
      throw DatabaseFile.systemError(errno, path: original, doing: doing)
    }
    folder = template.withUnsafeBufferPointer { characters in
      characters.baseAddress.map { String(cString: $0) } ?? ""
    }
    path = folder + "/" + URL(fileURLWithPath: original).lastPathComponent
    // A copy is whole only when nothing was written meanwhile.
    for _ in 0..<5 {
      let before = Self.suffixes.map { FileState(path: original + $0) }
      for (suffix, state) in zip(Self.suffixes, before) {
        try Self.copy(from: original + suffix, to: path + suffix, isThere: state != nil)
      }
      if Self.suffixes.map({ FileState(path: original + $0) }) == before { return }
    }
    throw StoreError(
      .locked, doing: doing, subject: original, detail: "another program keeps writing it",
      remedy: "close the other program, and try again")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The database, its log and its rollback journal; the log's index is made anew.
  private static let suffixes = ["", "-wal", "-journal"]

  private static func copy(from: String, to: String, isThere: Bool) throws(StoreError) {
    unlink(to)
    guard isThere else { return }
    do {
      try FileManager.default.copyItem(atPath: from, toPath: to)
    } catch {
      throw StoreError(
        .disk, doing: "copying in order to read", subject: from,
        detail: error.localizedDescription,
        remedy: "make room in \(FileManager.default.temporaryDirectory.path)")
    }
    chmod(to, 0o600)
  }
}
