import Foundation
import ObjectModel

/// Reads models from files and folders: compiled models, Xcode's source models, this package's
/// JSON, and a model cache that was exported to a file.
///
/// The format is recognized by the content, never by the file name.
package enum ModelFile {
  /// Reads a model.
  ///
  /// - Parameters:
  ///   - path: The path of a `.mom`, `.momd`, `.xcdatamodel` or `.xcdatamodeld`, of Xcode's
  ///     `contents` file, of JSON that `ManagedObjectModel.json()` wrote, or of the exported
  ///     content of a model cache.
  ///   - version: The name of a model version; nil for the current one. A single file has one
  ///     version, named like the file.
  /// - Returns: The model, and notes about what was left out of it.
  /// - Throws: ``ModelFileError`` with the path as its subject when the file or the version does
  ///   not exist, or the file contains no model.
  package static func read(
    path: String, version: String? = nil
  ) throws(ModelFileError) -> DecodedModel {
    do throws(ModelFileError) {
      guard FileBytes.isFolder(path) else {
        let name = fileName(path)
        guard version == nil || version == name else {
          throw ModelFileError(.unknownVersion(version ?? "", suggestions: [name]))
        }
        // One of a .momd, whose folder has its hashes.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        if folder.pathExtension == "momd", path.hasSuffix(".mom"),
          let versions = try? ModelFolder(folder.path), versions.versions.names.contains(name)
        {
          return try versions.model(version: name)
        }
        return try model(of: FileBytes.read(path))
      }
      return try ModelFolder(path).model(version: version)
    } catch {
      throw error.subject.isEmpty ? error.withSubject(path) : error
    }
  }

  /// Lists the model versions in a file or folder, without decoding a model.
  ///
  /// - Parameter path: As for ``read(path:version:)``.
  /// - Returns: The versions; a single file is its own only version.
  /// - Throws: ``ModelFileError`` with the path as its subject when the file does not exist, or the
  ///   folder contains no model.
  package static func versions(path: String) throws(ModelFileError) -> ModelVersions {
    do throws(ModelFileError) {
      guard FileBytes.isFolder(path) else {
        _ = try FileBytes.read(path)
        return ModelVersions(current: fileName(path), names: [fileName(path)])
      }
      return try ModelFolder(path).versions
    } catch {
      throw error.subject.isEmpty ? error.withSubject(path) : error
    }
  }

  private static func fileName(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// Reads a model from the bytes of a file, in any supported format.
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
        throw error.withSubject("")
      }
    }
  }

  /// Whether XML is Xcode's `contents` file, not a property list.
  private static func isXcodeModel(_ data: Data) -> Bool {
    var scanner = XMLScanner(data)
    guard (try? scanner.text()) != nil, case .open("model", _)? = try? scanner.tag() else {
      return false
    }
    return true
  }
}
