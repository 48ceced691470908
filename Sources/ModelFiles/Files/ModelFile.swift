import Foundation
import ObjectModel

/// Reads models from files and folders: compiled ones, Xcode's, our own JSON, and a model cache as a file.
///
/// What a file is, is judged by what it holds, never by its name.
public enum ModelFile {
  /// Reads a model.
  ///
  /// - Parameters:
  ///   - path: A `.mom`, `.momd`, `.xcdatamodel` or `.xcdatamodeld`, a `contents` file of Xcode, JSON as
  ///     `ManagedObjectModel.json()` writes it, or the content of a model cache.
  ///   - version: The version's name in a folder of several; nil for the current one.
  /// - Returns: The model, and what was left out of it.
  /// - Throws: ``ModelFileError`` about the path when there is no such file or version, or no model in it.
  public static func read(
    path: String, version: String? = nil
  ) throws(ModelFileError) -> DecodedModel {
    do throws(ModelFileError) {
      guard FileBytes.isFolder(path) else {
        let name = fileName(path)
        guard version == nil || version == name else {
          throw ModelFileError(.unknownVersion(version ?? "", suggestions: [name]))
        }
        return try model(of: FileBytes.read(path))
      }
      return try ModelFolder(path).model(version: version)
    } catch {
      throw error.subject.isEmpty ? error.about(path) : error
    }
  }

  /// The versions that a file or folder holds.
  ///
  /// - Parameter path: As for ``read(path:version:)``.
  /// - Returns: The versions; a single file is its own only version.
  /// - Throws: ``ModelFileError`` about the path when there is no such file, or the folder holds no model.
  public static func versions(path: String) throws(ModelFileError) -> ModelVersions {
    do throws(ModelFileError) {
      guard FileBytes.isFolder(path) else {
        _ = try FileBytes.read(path)
        return ModelVersions(current: fileName(path), names: [fileName(path)])
      }
      return try ModelFolder(path).versions
    } catch {
      throw error.subject.isEmpty ? error.about(path) : error
    }
  }

  private static func fileName(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// Reads the model that bytes hold, whatever its form.
  static func model(of data: Data) throws(ModelFileError) -> DecodedModel {
    switch data.first(where: { !" \t\r\n".utf8.contains($0) }) {
    case UInt8(ascii: "{"):
      do throws(ModelError) {
        return DecodedModel(model: try ManagedObjectModel(json: data))
      } catch {
        throw ModelFileError(.malformed, detail: "\(error)")
      }
    case UInt8(ascii: "<") where isXcodeModel(data):
      return try XCDataModel.model(from: data)
    case nil: throw ModelFileError(.malformed, detail: "it is empty")
    default:
      do throws(ModelFileError) {
        return try ModelCache.model(from: data)
      } catch {
        throw error.about("")
      }
    }
  }

  /// Whether XML is that of a model of Xcode and no property list.
  private static func isXcodeModel(_ data: Data) -> Bool {
    var scanner = XMLScanner(data)
    guard (try? scanner.text()) != nil, case .open("model", _)? = try? scanner.tag() else {
      return false
    }
    return true
  }
}
