package import Foundation
import ObjectModel

/// Reads whole regular files of bounded size; never a pipe or a device, which could have no end.
package enum FileBytes {
  /// Whether a path names an existing folder.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Reads the bytes of a regular file, following symbolic links.
  ///
  /// - Throws: ``ModelFileError`` without a subject when the file does not exist, is not a regular
  ///   file, has more than ``Deflate/maximumSize`` bytes, or cannot be read.
  package static func read(_ path: String) throws(ModelFileError) -> Data {
    do { return try contents(ofFile: path, atMost: Deflate.maximumSize) } catch {
      switch error.code {
      case EFBIG:
        throw ModelFileError(.tooLarge, detail: "it has more than \(Deflate.maximumSize >> 20) MB")
      case ENODEV, EISDIR: throw ModelFileError(.unreadable, detail: "it is not a regular file")
      case ENOENT, ENOTDIR: throw ModelFileError(.unreadable, detail: "the file does not exist")
      case EACCES, EPERM: throw ModelFileError(.unreadable, detail: "permission denied")
      default: throw ModelFileError(.unreadable, detail: "\(error)")
      }
    }
  }
}
