import Foundation
import GRDB
import ObjectModel

/// A copy of a store beside it, as it was before the first save of a run.
///
/// `Photos.sqlite` is copied to `Photos.backup-20240131-181500.sqlite`, with all that its log holds, and the files of its
/// external values to the folder that belongs to that name (core-data-stores 4.6). The copy is a store by itself.
struct StoreBackup {
  /// The path of the copied database.
  let path: String
  /// What is copied.
  private let original: String
  private let subject: String

  private static let doing = "backing up before saving"

  /// Chooses a name that is free, and takes it.
  ///
  /// - Parameters:
  ///   - original: The canonical path of a store.
  ///   - subject: The path as a person knows it.
  ///   - date: The moment that the name tells, in local time.
  /// - Throws: ``StoreError``, when no file can be made beside the store.
  init(of original: String, subject: String, date: Date = Date()) throws(StoreError) {
    self.original = original
    self.subject = subject
    let url = URL(fileURLWithPath: original)
    let folder = url.deletingLastPathComponent().path
    let stem = url.deletingPathExtension().lastPathComponent + ".backup-" + Self.stamp(date)
    let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    for number in 1...99 {
      let path = folder + "/" + stem + (number == 1 ? "" : "-\(number)") + ending
      guard FileIdentity(path: Self.support(of: path)) == nil else { continue }
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        close(descriptor)
        self.path = path
        return
      }
      guard errno == EEXIST else { throw Self.failure(errno, subject) }
    }
    throw Self.failure(EEXIST, subject)
  }

  /// Copies the store as a connection sees it, and waits until the disk has it.
  ///
  /// - Parameter database: A connection to the store.
  /// - Throws: ``StoreError``; nothing is left of the copy then.
  func write(from database: Database) throws(StoreError) {
    do {
      let copy = try DatabaseQueue(path: path)
      try copy.writeWithoutTransaction { try database.backup(to: $0) }
      try copy.close()
      try copyPermissions()
      try copySupport()
      for place in [path, URL(fileURLWithPath: path).deletingLastPathComponent().path] {
        guard Self.sync(place) else { throw Self.failure(errno, subject) }
      }
    } catch {
      remove()
      var error = StoreError(error, doing: Self.doing, subject: subject)
      error.remedy = Self.remedy
      throw error
    }
  }

  /// Removes what was copied.
  func remove() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    try? FileManager.default.removeItem(atPath: Self.support(of: path))
  }

  private func copyPermissions() throws {
    var status = stat()
    guard stat(original, &status) == 0 else { throw Self.failure(errno, subject) }
    // Only root may give a file to another; nobody else has to.
    _ = chown(path, status.st_uid, status.st_gid)
    guard chmod(path, status.st_mode & 0o777) == 0 else { throw Self.failure(errno, subject) }
  }

  /// Copies the folder of external values; its files are never written again, so another name for each is enough.
  private func copySupport() throws {
    let source = Self.support(of: original)
    let destination = Self.support(of: path)
    // There is one when the store is copied again, because somebody came meanwhile.
    try? FileManager.default.removeItem(atPath: destination)
    guard FileIdentity(path: source) != nil else { return }
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

  /// The folder beside a store in which its external values lie.
  private static func support(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    let name = "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT"
    return url.deletingLastPathComponent().path + "/" + name
  }

  private static func sync(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private static func stamp(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var characters = [CChar](repeating: 0, count: 32)
    let count = strftime(&characters, characters.count, "%Y%m%d-%H%M%S", &parts)
    return String(decoding: characters.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let remedy = "make room and permission for a copy beside it, or give --no-backup"

  private static func failure(_ code: Int32, _ subject: String) -> StoreError {
    var error = DatabaseFile.systemError(code, path: subject, doing: doing)
    error.remedy = remedy
    return error
  }
}
