import CardfileApp
import ModelFiles
import ObjectModel
import SQLiteStore

extension StoreServices {
  /// The features of a SQLite store.
  init(_ opened: OpenedStore) {
    self.init()
    let store = opened.store
    row = { id in try store.row(behind: id) }
    description = { data in ArchiveDescription.lines(of: data) }
    archiveTree = { data in ArchiveTree.tree(of: data) }
    unpack = { data, limit in try Inflate.unpacked(data, limit: limit) }
    decodesValues = store.isCoreData
    warningsBeforeSaving = { store.warningsBeforeWriting() }
    makesBackup = store.isCoreData && opened.makesBackup
    isOutdated = { store.isOutdated }
    isWaitingForLock = { store.isWaitingForLock }
    observeLockWaits = { store.observeLockWaits($0) }
    backupPath = { store.backupPath }
    unusedFileCount = { store.unusedFileCount }
  }
}
