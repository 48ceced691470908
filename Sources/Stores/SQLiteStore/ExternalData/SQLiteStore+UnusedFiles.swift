import Foundation
package import ObjectModel
import SQLQueries

extension SQLiteStore {
  /// The number of external files (core-data-stores 4.6) of values that saves of this store have
  /// replaced or deleted.
  ///
  /// They stay for undo until ``removeUnusedFiles()``. Where their folder is reached by a link, it
  /// is not the store's alone: they stay for good, and are not counted.
  package var unusedFileCount: Int {
    guard let folder = reader.unlinkedFolder else { return 0 }
    return writer.superseded.names.count { folder.status(of: $0) != nil }
  }

  /// Removes the external files that saves of this store made superfluous and to which no row
  /// refers, when nothing will be undone any more; the last release of the store does the same.
  ///
  /// Other programs cannot save meanwhile, so no row loses its file. Files that this store did not
  /// make superfluous are left alone.
  ///
  /// - Returns: The number of files that were removed.
  /// - Throws: `StoreError` if the store is locked or cannot be read; all files stay then.
  /// - Complexity: One scan of each table with external values; nothing if there are no files.
  @discardableResult
  package func removeUnusedFiles() throws(StoreError) -> Int {
    guard unusedFileCount > 0 else { return 0 }
    let doing = "removing unused files"
    try guardian.check(doing: doing)
    // A power failure must not bring back a row whose file is gone.
    if let folder = reader.externalFolder {
      (try? OpenFolder(path: folder.storeFolder))?.synchronize()
    }
    return try pool.holdingWriter(doing: doing) { connection throws(StoreError) in
      try writer.removeSuperseded(on: connection, doing: doing)
    }
  }
}

extension StoreReader {
  /// The open folder of external files; nil if there is none, or a link leads to it.
  fileprivate var unlinkedFolder: OpenFolder? {
    (try? externalFolder?.open(followingLinks: false)) ?? nil
  }
}

extension StoreWriter {
  /// Removes the superseded files to which no row refers, while no other connection can write.
  ///
  /// - Returns: The number of files that were removed.
  /// - Throws: ``StoreError``.
  fileprivate func removeSuperseded(on connection: Connection, doing: String) throws(StoreError)
    -> Int
  {
    guard let folder = reader.unlinkedFolder else { return 0 }
    let statements = SaveStatements(connection, doing: doing)
    try statements.run("BEGIN IMMEDIATE")
    defer { try? statements.run("ROLLBACK") }
    let names = superseded.names
    let used = try reader.externalFileNames(among: names, statements)
    let removed = names.filter {
      !used.contains($0) && folder.status(of: $0) != nil && folder.remove($0)
    }
    superseded.remove(removed.union(used))
    return removed.count
  }
}
