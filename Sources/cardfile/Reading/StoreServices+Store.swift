import CardfileApp
import ModelFiles
import ObjectModel
import SQLiteStore

extension StoreServices {
  /// The features of a SQLite store.
  init(_ opened: OpenedStore) {
    self.init()
    let store = opened.store
    row = { id in try store.row(behind: id).map(Row.init) }
    description = { data in ArchiveDescription.lines(of: data) }
    warningsBeforeSaving = { store.warningsBeforeWriting() }
    makesBackup = store.isCoreData && opened.makesBackup
    backupPath = { store.backupPath }
  }
}

extension StoreServices.Row {
  fileprivate init(_ row: SQLiteStore.Row) {
    self.init(
      table: row.table,
      columns: row.columns.map { Column(name: $0.name, value: $0.value, cutLength: $0.cutLength) })
  }
}
