import Foundation

/// A temporary folder that only this user can enter: a ``Draft`` that never gets another name.
///
/// It is created in the user's cache directory, or in the system's temporary directory if that is
/// not writable.
package final class PrivateFolder {
  private let draft: Draft

  /// Creates a folder for a number of bytes.
  ///
  /// - Throws: ``StoreError`` if there is not enough free space or no folder can be created.
  package init(roomFor byteCount: Int, subject: String, doing: String) throws(StoreError) {
    Self.sweep()
    var failure = StoreError(.disk, doing: doing, subject: subject)
    for path in Self.paths {
      let parent = Result { try OpenFolder(making: path) }
      if let free = Self.freeBytes(in: path), free < byteCount {
        failure.detail = "\(byteCount) bytes are needed in \(path), but only \(free) are free"
        failure.remedy = "free space there, or set XDG_CACHE_HOME to a directory with more"
        continue
      }
      do {
        draft = try Draft(folderIn: parent.get())
        return
      } catch {
        guard failure.detail.isEmpty else { continue }
        failure.detail = "no directory can be created in \(path): \(error)"
        failure.remedy = "set XDG_CACHE_HOME to a writable directory"
      }
    }
    throw failure
  }

  /// Its path, for other programs and libraries.
  package var path: String { draft.path }

  /// The folder itself.
  package var contents: OpenFolder { draft.contents }

  /// Deletes the folder and its contents; else they are deleted with the last reference to it.
  package func remove() { draft.removeName() }

  /// Deletes the folders that killed processes left behind.
  package static func sweep() {
    for path in paths { (try? OpenFolder(path: path))?.removeAbandonedDrafts() }
  }

  /// The folders in which it can be; no cache directory if neither XDG_CACHE_HOME nor HOME is an
  /// absolute path.
  private static var paths: [String] {
    let cache = UserDirectory.cache.path.map { $0 + "/cardfile" }
    return [cache, FileManager.default.temporaryDirectory.path].compactMap(\.self)
  }

  private static func freeBytes(in directory: String) -> Int? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    let (bytes, isTooLarge) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooLarge ? Int.max : Int(clamping: bytes)
  }
}
