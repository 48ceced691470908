import CardfileApp
import ModelFiles
import ObjectModel
import SQLiteStore

extension StoreServices {
  /// The features of a store; most are those of a SQLite database.
  init(_ opened: OpenedStore) {
    self.init()
    description = { data in ArchiveDescription.lines(of: data) }
    archiveTree = { data in ArchiveTree.tree(of: data) }
    unpack = { data, limit in try Inflate.unpacked(data, limit: limit) }
    decodesValues = opened.isCoreData
    makesBackup = opened.isCoreData && opened.makesBackup
    backupPath = { opened.backupPath }
    guard let store = opened.sqlite else { return }
    row = { id in try store.row(behind: id) }
    warningsBeforeSaving = { store.warningsBeforeWriting() }
    isOutdated = { store.isOutdated }
    isWaitingForLock = { store.isWaitingForLock }
    observeLockWaits = { store.observeLockWaits($0) }
    unusedFileCount = { store.unusedFileCount }
  }
}
