import Foundation
import ObjectModel

/// A copy of a database and its journals in a directory that only this user can enter.
struct PrivateCopy {
  /// The path of the copied database.
  let path: String
  private let folder: PrivateFolder

  /// Copies a database and its journals, trying again if they are written meanwhile.
  ///
  /// - Throws: ``StoreError`` if there is not enough free space, or the files were written during
  ///   each of five attempts.
  init(of original: String) throws(StoreError) {
    let doing = "making a private copy for reading"
    let needed = Self.suffixes.compactMap { FileState(path: original + $0)?.byteCount }.reduce(0, +)
    folder = try PrivateFolder(roomFor: needed, subject: original, doing: doing)
    path = folder.path + "/" + original.lastPathPart
    // A copy is consistent only if no file was written meanwhile.
    do {
      for _ in 0..<5 {
        let before = Self.suffixes.map { FileState(path: original + $0) }
        for (suffix, state) in zip(Self.suffixes, before) {
          folder.contents.remove((path + suffix).lastPathPart)
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
      .locked, doing: doing, subject: original, detail: "another program keeps writing to it",
      remedy: "close the other program, and try again")
  }

  /// Deletes the files; open connections can still read them.
  func remove() { folder.remove() }

  /// The database, its write-ahead log and its rollback journal; SQLite recreates the `-shm` file.
  private static let suffixes = ["", "-wal", "-journal"]
}
