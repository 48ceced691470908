import Foundation
import ObjectModel

/// A copy of a database and its journals in a directory that only this user can enter.
///
/// It is one state of the database, though other programs write it meanwhile or keep it locked:
///
/// - Without a log nothing may be written while the files are copied. A rollback journal has the
///   former contents of every page that was written, and is copied after the database: what is being
///   written is rolled back in the copy.
/// - With a log commits may be added to it. A page that a checkpoint moves from the log into the
///   database is still in the log, which is copied after the database, as long as its header is the
///   same.
struct PrivateCopy {
  /// The path of the copied database.
  let path: String
  /// The state of the files that were copied.
  let state: CopiedState
  private let folder: PrivateFolder

  /// Copies a database and its journals, trying again if they are written meanwhile.
  ///
  /// - Throws: ``StoreError`` if there is not enough free space, or the files were written during
  ///   each of five attempts.
  init(of original: String) throws(StoreError) {
    let doing = "making a private copy for reading"
    let needed = CopiedState(of: original).byteCount
    folder = try PrivateFolder(roomFor: needed, subject: original, doing: doing)
    path = folder.path + "/" + original.lastPathPart
    do throws(StoreError) {
      for _ in 0..<5 {
        let before = CopiedState(settling: original)
        for suffix in CopiedState.suffixes {
          folder.contents.remove((path + suffix).lastPathPart)
          guard before.hasFile(suffix) else { continue }
          do throws(StoreError) {
            try FileCopy.copy(original + suffix, to: path + suffix, doing: doing)
          } catch {
            // A journal that has just been removed: the states differ.
            guard error.reason == .notFound, !suffix.isEmpty else { throw error }
          }
        }
        if before.isWhole(in: path, after: CopiedState(of: original)) {
          state = before
          return
        }
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
}
