package import Foundation

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
    do {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw ModelFileError(.unreadable, detail: "it is not a regular file")
      }
      guard (attributes[.size] as? Int ?? 0) <= Deflate.maximumSize else {
        throw ModelFileError(.tooLarge, detail: "it has more than \(Deflate.maximumSize >> 20) MB")
      }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as ModelFileError {
      throw error
    } catch let error as CocoaError where error.isFileError {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw ModelFileError(
        .unreadable, detail: isThere ? "permission denied" : "the file does not exist")
    } catch {
      throw ModelFileError(.unreadable, detail: "\(error)")
    }
  }
}
