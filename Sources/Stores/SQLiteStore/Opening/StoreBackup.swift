import Foundation
import GRDB
import ObjectModel
import SQLQueries
import Synchronization

/// A backup of a store in the same directory, made before the first save of a run of the program.
///
/// `Photos.sqlite` is copied to `Photos.backup-20240131-181500.sqlite`, including the contents of
/// its write-ahead log. The files of external binary data are copied to the support folder for that
/// name (core-data-stores 4.6). The backup is a complete store. It gets its name when it is whole,
/// so that one that a crash cut off never has the name of a backup.
struct StoreBackup {
  /// The path of the backup.
  let path: String
  private let store: FileGuard
  private let folder: OpenFolder
  /// The names that it has: nothing else is removed, as another program may use the same ones.
  private var names: [String] = []

  static let doing = "backing up before saving"

  /// Opens the store's directory and chooses an unused name.
  ///
  /// - Throws: ``StoreError`` if there is none, or the directory cannot be opened.
  init(of store: FileGuard, date: Date = Date()) throws(StoreError) {
    self.store = store
    do {
      let folder = try OpenFolder(path: store.path.parentPath)
      guard
        let name = BackupName.names(of: store.path.lastPathPart, date).first(where: {
          folder.status(of: $0) == nil
            && folder.status(of: ExternalFolder.support(ofStoreNamed: $0)) == nil
        })
      else { throw FileError(EEXIST, store.path) }
      self.folder = folder
      path = folder.path(of: name)
    } catch {
      throw Self.failure(error, store)
    }
  }

  /// Copies the store as a connection sees it, and flushes the copy to disk (fsync).
  ///
  /// - Throws: ``StoreError``; an incomplete backup is deleted.
  mutating func write(from database: Database) throws(StoreError) {
    let (name, support) = (path.lastPathPart, ExternalFolder.support(ofStoreNamed:))
    do {
      // It is there if the store changed during the first attempt.
      remove()
      let draft = try Draft(fileIn: folder)
      try database.copy(to: draft, doing: Self.doing)
      // What has the store's name in the open folder is what was opened and copied.
      guard let original = folder.status(of: store.path.lastPathPart),
        FileIdentity(original) == store.identity
      else { throw FileError(ESTALE, store.path) }
      try draft.setAccess(FileAccess(original))
      if let source = try folder.folder(named: support(store.path.lastPathPart)) {
        let copies = try Draft(folderIn: folder)
        try FolderCopy(doing: Self.doing).copy(source, to: copies.contents)
        try copies.commit(as: support(name), replacing: false)
        names.append(support(name))
      }
      try draft.commit(as: name, replacing: false)
      names.append(name)
    } catch {
      remove()
      throw Self.failure(error, store)
    }
  }

  /// Deletes the backup and its support folder.
  mutating func remove() {
    for name in names { folder.remove(name) }
    names = []
  }

  /// What failed, with the path of the file that could not be written.
  private static func failure(_ error: any Error, _ store: FileGuard) -> StoreError {
    var failure = StoreError(error, doing: doing, subject: store.subject)
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_FULL {
      failure = StoreError(
        FileError(ENOSPC, store.path.parentPath), doing: doing, subject: store.subject)
    }
    failure.remedy = "free space for a copy, make its directory writable, or use --no-backup"
    return failure
  }
}

extension SQLiteStore {
  /// The path of the backup made before the first save; nil if none was made.
  package var backupPath: String? { backup.withLock { $0 } }

  /// Makes a backup of a Core Data store beside it, once, unless the options turn backups off.
  ///
  /// - Throws: `StoreError` if the backup fails; the save must not go on then.
  func backUpBeforeSaving() throws(StoreError) {
    guard layout.coreData != nil else { return }
    try backUp()
  }

  /// Makes a backup of the store beside it, once, unless the options turn backups off.
  ///
  /// - Throws: `StoreError` if the backup fails; the store must not be changed then.
  func backUp() throws(StoreError) {
    // Saves at the same time wait for one backup.
    try backingUp.withLock { _ throws(StoreError) in
      guard makesBackup, backupPath == nil else { return }
      var copy = try StoreBackup(of: guardian)
      do throws(StoreError) {
        try pool.read(doing: StoreBackup.doing) { connection throws(StoreError) in
          try copy.write(from: connection.database)
        }
      } catch {
        copy.remove()
        throw error
      }
      backup.withLock { $0 = copy.path }
    }
  }
}
