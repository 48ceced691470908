package import Foundation
package import ModelFiles
package import ObjectModel

/// A mapping model in a file: compiled (`.cdm`), or as Xcode edits it (`.xcmappingmodel`).
package struct MappingFile {
  private enum Content {
    case compiled(MappingModel)
    case xcode(XcodeMapping)
  }

  /// The path of the file.
  package let path: String
  private let content: Content

  /// Reads a file; its content says what it is.
  ///
  /// - Parameter path: The path of a `.cdm`, an `.xcmappingmodel` or the `xcmapping.xml` in it.
  /// - Throws: ``ModelFileError`` with the path as its subject if it cannot be read.
  package init(path: String) throws(ModelFileError) {
    self.path = path
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    do throws(ModelFileError) {
      let data = try FileBytes.read(isFolder.boolValue ? path + "/xcmapping.xml" : path)
      content =
        XMLDatabase.isStart(data)
        ? .xcode(try XcodeMapping(try XMLDatabase(data)))
        : .compiled(try MappingDecoder.model(of: data))
    } catch {
      var error = error
      error.subject = path
      throw error
    }
  }

  /// The mapping model between two models.
  package func model(from source: ManagedObjectModel, to destination: ManagedObjectModel)
    -> MappingModel
  {
    switch content {
    case .compiled(let model): model
    case .xcode(let mapping): mapping.model(from: source, to: destination)
    }
  }

  /// A version of a model, and what tells it from others.
  package struct Version {
    package var model: ManagedObjectModel
    /// The version hashes of its entities; empty if they are not known.
    package var hashes: [String: Data] = [:]
    /// Its names in a versioned model; empty if they are not known.
    package var names: [String] = []

    package init(_ model: ManagedObjectModel, hashes: [String: Data] = [:], names: [String] = []) {
      (self.model, self.hashes, self.names) = (model, hashes, names)
    }
  }

  /// Whether it maps between two versions of a model: their version hashes say so, or their names;
  /// where neither are known, the entities and properties that it names.
  package func fits(from source: Version, to destination: Version) -> Bool {
    let model = model(from: source.model, to: destination.model)
    switch content {
    case .compiled:
      for mapping in model.entityMappings {
        for (name, hash, version) in [
          (mapping.sourceEntityName, mapping.sourceVersionHash, source),
          (mapping.destinationEntityName, mapping.destinationVersionHash, destination),
        ] {
          guard let name, let hash, !version.hashes.isEmpty else { continue }
          if version.hashes[name] != hash { return false }
        }
      }
    case .xcode(let mapping):
      for (name, version) in [
        (mapping.sourceVersion, source), (mapping.destinationVersion, destination),
      ] {
        if let name, !version.names.isEmpty, !version.names.contains(name) { return false }
      }
    }
    return model.namesFit(from: source.model, to: destination.model)
  }

  /// The first mapping model inside of a model's folder or beside it that maps between two versions;
  /// nil if there is none.
  ///
  /// - Parameters:
  ///   - modelPath: The path of the model.
  ///   - source: The version of the store.
  ///   - destination: The version that it is to have.
  /// - Returns: The mapping model.
  package static func beside(
    _ modelPath: String, from source: Version, to destination: Version
  ) -> MappingFile? {
    let parent = URL(fileURLWithPath: modelPath).deletingLastPathComponent().path
    return first(in: modelPath, from: source, to: destination)
      ?? first(in: parent, from: source, to: destination)
  }

  /// The first mapping model in a folder that maps between two versions; nil if there is none.
  package static func first(
    in folder: String, from source: Version, to destination: Version
  ) -> MappingFile? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where name.hasSuffix(".cdm") || name.hasSuffix(".xcmappingmodel") {
      guard let file = try? MappingFile(path: folder + "/" + name),
        file.fits(from: source, to: destination)
      else { continue }
      return file
    }
    return nil
  }
}
