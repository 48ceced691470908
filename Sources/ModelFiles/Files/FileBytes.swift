import Foundation

/// Reads whole files, none that could have no end.
enum FileBytes {
  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// The bytes of a file.
  ///
  /// - Parameter path: The file.
  /// - Returns: All bytes.
  /// - Throws: ``ModelFileError`` when it is not there, no ordinary file, too large, or not to be read.
  static func read(_ path: String) throws(ModelFileError) -> Data {
    do {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw ModelFileError(.unreadable, detail: "it is no file")
      }
      guard (attributes[.size] as? Int ?? 0) <= Deflate.maximumSize else {
        throw ModelFileError(.tooLarge, detail: "more than \(Deflate.maximumSize >> 20) MB")
      }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as ModelFileError {
      throw error
    } catch let error as CocoaError where error.isFileError {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw ModelFileError(
        .unreadable, detail: isThere ? "permission denied" : "there is no such file")
    } catch {
      throw ModelFileError(.unreadable, detail: "\(error)")
    }
  }
}
