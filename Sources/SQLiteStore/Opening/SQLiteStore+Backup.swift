import GRDB
import ObjectModel
import Synchronization

extension SQLiteStore {
  /// Where the copy lies that was made before the first save; nil as long as none was made.
  public var backupPath: String? { backup.withLock { $0 } }

  /// Copies a store of Core Data beside itself, unless that was done or is not wanted.
  ///
  /// - Throws: `StoreError`; nothing may be saved then.
  func backUpBeforeSaving() throws(StoreError) {
    guard makesBackup, layout.coreData != nil, backupPath == nil else { return }
    let copy = try StoreBackup(of: guardian.path, subject: guardian.subject)
    do {
      try pool.read(doing: "backing up before saving") { database throws(StoreError) in
        try copy.write(from: database)
      }
    } catch {
      copy.remove()
      throw error
    }
    backup.withLock { $0 = copy.path }
  }
}
