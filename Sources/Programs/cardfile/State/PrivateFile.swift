import Foundation
import ObjectModel

/// A small file that only its owner can read, replaced as a whole.
struct PrivateFile {
  /// Why a file could not be read or written, in a few words.
  struct Problem: Error, Hashable {
    let reason: String

    fileprivate init(_ reason: String) { self.reason = reason }
  }

  /// The most bytes that are read or written.
  static let limit = 1 << 20

  let url: URL

  /// Reads the file; nil if there is none.
  func read() throws(Problem) -> Data? {
    do {
      return try contents(ofFile: url.path, atMost: Self.limit)
    } catch {
      switch error.code {
      case ENOENT, ENOTDIR: return nil
      case EFBIG: throw Problem("too large")
      case EISDIR, ENODEV: throw Problem("not a file")
      default: throw Problem("\(error)")
      }
    }
  }

  /// Replaces the file and creates its folder; if that fails the old file stays.
  func write(_ data: Data) throws(Problem) {
    guard data.count <= Self.limit else { throw Problem("too large") }
    let folder = url.deletingLastPathComponent()
    let open: OpenFolder
    do {
      open = try OpenFolder(making: folder.path)
    } catch {
      throw Problem("the folder \(folder.path) cannot be made")
    }
    do {
      open.removeAbandonedDrafts()
      try Draft.replace(url.lastPathComponent, in: open, with: data)
    } catch {
      throw Problem("\(error)")
    }
  }
}
