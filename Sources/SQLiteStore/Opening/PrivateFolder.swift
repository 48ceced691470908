import Foundation
import ObjectModel

/// A temporary directory that only this user can enter.
///
/// It is created in the user's cache directory, or in the system's temporary directory if that is
/// not writable. It is locked (`flock`) while this process lives, so directories left behind by a
/// killed process are recognised, and deleted by ``sweep()``.
final class PrivateFolder {
  let path: String
  private let descriptor: Int32

  private static let prefix = "cardfile-copy-"

  /// Creates a directory for a number of bytes.
  ///
  /// - Throws: ``StoreError`` if there is not enough free space or no directory can be created.
  init(roomFor byteCount: Int, subject: String, doing: String) throws(StoreError) {
    Self.sweep()
    var failure = StoreError(.disk, doing: doing, subject: subject)
    for parent in [Self.cache, FileManager.default.temporaryDirectory.path].compactMap(\.self) {
      mkdir(parent, 0o700)
      if let free = Self.freeBytes(in: parent), free < byteCount {
        failure.detail = "\(byteCount) bytes are needed in \(parent), but only \(free) are free"
        failure.remedy = "free space there, or set XDG_CACHE_HOME to a directory with more"
        continue
      }
      if let (path, descriptor) = Self.make(in: parent) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      if failure.detail.isEmpty {
        let reason = String(cString: strerror(errno))
        failure.detail = "no directory can be created in \(parent): \(reason)"
        failure.remedy = "set XDG_CACHE_HOME to a writable directory"
      }
    }
    throw failure
  }

  deinit { close(descriptor) }

  /// Deletes the directory and its contents.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Deletes the directories that killed processes left behind in the cache directory.
  static func sweep() {
    guard let cache, let entries = try? FileManager.default.contentsOfDirectory(atPath: cache)
    else { return }
    for entry in entries where entry.hasPrefix(prefix) {
      let path = cache + "/" + entry
      guard let descriptor = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }

  /// This program's cache directory; nil if neither XDG_CACHE_HOME nor HOME is an absolute path.
  private static var cache: String? {
    guard let parent = UserDirectory.cache.path else { return nil }
    mkdir(parent, 0o700)
    return parent + "/cardfile"
  }

  private static func make(in parent: String) -> (String, Int32)? {
    // Another process's `sweep()` may delete it before it is locked: try again then.
    for _ in 0..<3 {
      var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
      let made = template.withUnsafeMutableBufferPointer { characters in
        characters.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      }
      guard let made else { return nil }
      guard let descriptor = lock(made) else { continue }
      if FileIdentity(path: made) != nil { return (made, descriptor) }
      close(descriptor)
    }
    return nil
  }

  /// Opens and locks a directory, and returns its descriptor; nil if it is locked already.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private static func freeBytes(in directory: String) -> Int? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    let (bytes, isTooLarge) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooLarge ? Int.max : Int(clamping: bytes)
  }
}
