import Foundation
import ObjectModel

/// A directory of ours for a moment, which nobody else can enter.
///
/// It lies in the user's cache directory, or in the one for temporary files where that cannot be written. It is locked
/// as long as this process lives: what a process that was killed left behind is known by that, and removed.
final class PrivateFolder {
  let path: String
  private let descriptor: Int32

  private static let prefix = "cardfile-copy-"

  /// Makes a directory.
  ///
  /// - Parameters:
  ///   - byteCount: How many bytes there must be room for.
  ///   - subject: What it is for, for errors.
  ///   - doing: What is being done, for errors.
  /// - Throws: ``StoreError``, when there is no room or none can be made.
  init(roomFor byteCount: Int, subject: String, doing: String) throws(StoreError) {
    Self.sweep()
    var failure = StoreError(.disk, doing: doing, subject: subject)
    for place in [Self.cache, FileManager.default.temporaryDirectory.path].compactMap(\.self) {
      mkdir(place, 0o700)
      if let free = Self.freeBytes(in: place), free < byteCount {
        failure.detail = "\(place) has room for \(free) bytes, and \(byteCount) are needed"
        failure.remedy = "make room there, or set XDG_CACHE_HOME to a directory with more"
        continue
      }
      if let (path, descriptor) = Self.make(in: place) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      if failure.detail.isEmpty {
        failure.detail = "no directory can be made in \(place): \(String(cString: strerror(errno)))"
        failure.remedy = "set XDG_CACHE_HOME to a directory that can be written"
      }
    }
    throw failure
  }

  deinit { close(descriptor) }

  /// Removes the directory with everything in it.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes what processes that were killed left behind in the cache directory.
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

  /// Where caches of ours belong; nil when the environment does not say.
  private static var cache: String? {
    let environment = ProcessInfo.processInfo.environment
    // By its rules a relative path does not count.
    if let place = environment["XDG_CACHE_HOME"], place.hasPrefix("/") {
      return place + "/cardfile"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    mkdir(home + "/.cache", 0o700)
    return home + "/.cache/cardfile"
  }

  private static func make(in place: String) -> (String, Int32)? {
    // Another process that sweeps may take it away before it is locked.
    for _ in 0..<3 {
      var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
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

  /// Opens a directory that no living process has locked, and locks it.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private static func freeBytes(in place: String) -> Int? {
    var status = statvfs()
    guard statvfs(place, &status) == 0 else { return nil }
    let (bytes, isTooLarge) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooLarge ? Int.max : Int(clamping: bytes)
  }
}
