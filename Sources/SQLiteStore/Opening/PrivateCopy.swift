import Foundation
import ObjectModel

/// A copy of a database and its journal in a directory that only we can enter.
struct PrivateCopy {
  /// The path of the copied database.
  let path: String
  private let folder: PrivateFolder

  /// Copies a database with its journals.
  ///
  /// - Parameter original: The path of the database.
  /// - Throws: ``StoreError``, when there is no room, or the database is written all the while.
  init(of original: String) throws(StoreError) {
    let doing = "copying in order to read"
    let needed = Self.suffixes.compactMap { FileState(path: original + $0)?.byteCount }.reduce(0, +)
    folder = try PrivateFolder(roomFor: needed, subject: original, doing: doing)
    path = folder.path + "/" + URL(fileURLWithPath: original).lastPathComponent
    // A copy is whole only when nothing was written meanwhile.
    do {
      for _ in 0..<5 {
        let before = Self.suffixes.map { FileState(path: original + $0) }
        for (suffix, state) in zip(Self.suffixes, before) {
          unlink(path + suffix)
          guard state != nil else { continue }
          try FileCopy.copy(original + suffix, to: path + suffix, doing: doing)
        }
        if Self.suffixes.map({ FileState(path: original + $0) }) == before { return }
      }
    } catch {
      folder.remove()
      throw error
    }
    folder.remove()
    throw StoreError(
      .locked, doing: doing, subject: original, detail: "another program keeps writing it",
      remedy: "close the other program, and try again")
  }

  /// Removes the files; connections that are open go on reading them.
  func remove() { folder.remove() }

  /// The database, its log and its rollback journal; the log's index is made anew.
  private static let suffixes = ["", "-wal", "-journal"]
}
