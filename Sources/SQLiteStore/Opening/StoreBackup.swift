import Foundation
import GRDB
import ObjectModel

/// A backup of a store in the same directory, made before the first save of a run of the program.
///
/// `Photos.sqlite` is copied to `Photos.backup-20240131-181500.sqlite`, including the contents of
/// its write-ahead log. The files of external binary data are copied to the support folder for that
/// name (core-data-stores 4.6). The backup is a complete store.
struct StoreBackup {
  /// The path of the backup.
  let path: String
  /// The path of the store.
  private let original: String
  private let subject: String

  private static let doing = "backing up before saving"

  /// The path of the file that is written, and renamed when it is complete: a backup that a crash
  /// cut off never has the name of one.
  private var partialPath: String { path + ".part" }

  /// Chooses an unused name and creates an empty file to write to.
  ///
  /// - Throws: ``StoreError`` if no file can be created in the store's directory.
  init(of original: String, subject: String, date: Date = Date()) throws(StoreError) {
    self.original = original
    self.subject = subject
    let url = URL(fileURLWithPath: original)
    let folder = url.deletingLastPathComponent().path
    let stem = url.deletingPathExtension().lastPathComponent + ".backup-" + Self.stamp(date)
    let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    for number in 1...99 {
      let path = folder + "/" + stem + (number == 1 ? "" : "-\(number)") + ending
      guard FileIdentity(path: path) == nil,
        FileIdentity(path: ExternalFolder.support(of: path)) == nil
      else { continue }
      let descriptor = open(
        (path + ".part").fileSystemBytes, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        close(descriptor)
        self.path = path
        return
      }
      guard errno == EEXIST else { throw Self.failure(errno, subject) }
    }
    throw Self.failure(EEXIST, subject)
  }

  /// Copies the store as a connection sees it, and flushes the copy to disk (fsync).
  ///
  /// - Throws: ``StoreError``; an incomplete backup is deleted.
  func write(from database: Database) throws(StoreError) {
    do {
      let copy = try DatabaseQueue(path: VirtualFileSystem.writing.uri(of: partialPath))
      try copy.writeWithoutTransaction {
        try database.backup(to: $0, pagesPerStep: 2_000) { progress in
          try FetchControl.check(
            doing: Self.doing, completed: progress.completedPageCount,
            total: progress.totalPageCount)
        }
      }
      try copy.close()
      try copyPermissions()
      try copySupport()
      guard FileCopy.synchronize(partialPath),
        rename(partialPath.fileSystemBytes, path.fileSystemBytes) == 0,
        FileCopy.synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
      else { throw Self.failure(errno, subject) }
    } catch {
      remove()
      var error = StoreError(error, doing: Self.doing, subject: subject)
      error.remedy = Self.remedy
      throw error
    }
  }

  /// Deletes the backup and its support folder.
  func remove() {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      unlink((partialPath + suffix).fileSystemBytes)
    }
    unlink(path.fileSystemBytes)
    try? FileManager.default.removeItem(atPath: ExternalFolder.support(of: path))
  }

  private func copyPermissions() throws {
    var status = stat()
    guard stat(original.fileSystemBytes, &status) == 0 else { throw Self.failure(errno, subject) }
    // Only root can change the owner; any other user owns both files or cannot do better.
    _ = chown(partialPath.fileSystemBytes, status.st_uid, status.st_gid)
    guard chmod(partialPath.fileSystemBytes, status.st_mode & 0o777) == 0 else {
      throw Self.failure(errno, subject)
    }
  }

  /// Copies the support folder by hard links where possible: Core Data never rewrites its files.
  private func copySupport() throws {
    let source = ExternalFolder.support(of: original)
    let destination = ExternalFolder.support(of: path)
    // It exists if the backup is repeated because the store changed during the first attempt.
    try? FileManager.default.removeItem(atPath: destination)
    guard FileIdentity(path: source) != nil else { return }
    // Foundation's paths are UTF-8.
    guard !source.hasInvalidBytes else { throw Self.failure(EILSEQ, subject) }
    guard mkdir(destination, 0o700) == 0 else { throw Self.failure(errno, subject) }
    guard let entries = FileManager.default.enumerator(atPath: source) else {
      throw Self.failure(EACCES, subject)
    }
    for case let name as String in entries {
      var status = stat()
      guard lstat(source + "/" + name, &status) == 0 else { throw Self.failure(errno, subject) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        guard mkdir(destination + "/" + name, status.st_mode & 0o777) == 0 else {
          throw Self.failure(errno, subject)
        }
      case S_IFREG where link(source + "/" + name, destination + "/" + name) != 0:
        try FileCopy.copy(source + "/" + name, to: destination + "/" + name, doing: Self.doing)
      default: break
      }
    }
  }

  private static func stamp(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var characters = [CChar](repeating: 0, count: 32)
    let count = strftime(&characters, characters.count, "%Y%m%d-%H%M%S", &parts)
    return String(decoding: characters.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let remedy =
    "free space for a copy, make its directory writable, or use --no-backup"

  private static func failure(_ code: Int32, _ subject: String) -> StoreError {
    var error = DatabaseFile.systemError(code, path: subject, doing: doing)
    error.remedy = remedy
    return error
  }
}
