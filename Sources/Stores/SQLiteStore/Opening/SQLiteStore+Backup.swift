import GRDB
import ObjectModel
import SQLQueries
import Synchronization

extension SQLiteStore {
  /// The path of the backup made before the first save; nil if none was made.
  public var backupPath: String? { backup.withLock { $0 } }

  /// Makes a backup of a Core Data store beside it, once, unless the options turn backups off.
  ///
  /// - Throws: `StoreError` if the backup fails; the save must not go on then.
  func backUpBeforeSaving() throws(StoreError) {
    guard makesBackup, layout.coreData != nil, backupPath == nil else { return }
    let copy = try StoreBackup(of: guardian)
    do {
      try pool.read(doing: "backing up before saving") { connection throws(StoreError) in
        try copy.write(from: connection.database)
      }
    } catch {
      copy.remove()
      throw error
    }
    backup.withLock { $0 = copy.path }
  }
}
