import AtomicStores
import Foundation
import ManagedObjects
import ModelFiles
public import ObjectModel

/// The models that a program finds by name: the model files in some folders.
///
/// By default these are the folder of the program and the resource bundles (`*.resources`) in it,
/// where SwiftPM puts the resources of a target.
public struct ModelLibrary: Hashable, Sendable {
  /// The folders that are searched, in order.
  package var folders: [String]

  /// The extensions of model files, the best first; JSON, which may be anything, is only read by
  /// name.
  private static let extensions = ["momd", "xcdatamodeld", "mom", "xcdatamodel"]

  /// Creates a library.
  ///
  /// - Parameter folders: The folders to search.
  public init(folders: [String]) { self.folders = folders }

  /// The models of the running program.
  public static var program: ModelLibrary {
    let folder = Bundle.main.bundlePath
    let bundles = contents(of: folder).filter { $0.hasSuffix(".resources") }
    return ModelLibrary(folders: [folder] + bundles.map { "\(folder)/\($0)" })
  }

  /// Reads the model with a name, the current one of several versions.
  ///
  /// - Parameter name: The name of the model file, without extension.
  /// - Returns: The model.
  /// - Throws: `ManagedObjectError` if there is no such model; `ModelFileError` if it cannot be read.
  public func model(named name: String) throws -> ManagedObjectModel {
    for folder in folders {
      let files = Set(Self.contents(of: folder))
      if let file = (Self.extensions + ["json"]).map({ "\(name).\($0)" }).first(
        where: files.contains)
      {
        return try ModelFile.read(path: "\(folder)/\(file)").model
      }
    }
    let known = modelFiles.map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
    throw ManagedObjectError(
      .modelNotFound, doing: "finding the model", subject: name,
      detail: "there is no \(name).\(Self.extensions.joined(separator: ", .")) or .json in "
        + folders.joined(separator: ", "),
      remedy: known.isEmpty
        ? "add the model to the resources of the target, or give the model itself"
        : "use one of \(Set(known).sorted().joined(separator: ", "))")
  }

  /// Merges all models of the folders into one, as `NSManagedObjectModel.mergedModel(from:)` does;
  /// models in JSON are left out.
  ///
  /// - Returns: The model; nil if the folders have no model file.
  /// - Throws: `ModelFileError` if one cannot be read, `ModelError` if two declare the same entity
  ///   differently.
  public func mergedModel() throws -> ManagedObjectModel? {
    let models = try modelFiles.map { try ModelFile.read(path: $0).model }
    return models.isEmpty ? nil : try ManagedObjectModel(merging: models)
  }

  /// The paths of all model files, one of each name in a folder.
  private var modelFiles: [String] {
    folders.flatMap { folder in
      let files = Self.contents(of: folder).map { URL(filePath: "\(folder)/\($0)") }
      var seen: Set<String> = []
      return Self.extensions.flatMap { suffix in files.filter { $0.pathExtension == suffix } }
        .filter { seen.insert($0.deletingPathExtension().lastPathComponent).inserted }
        .map(\.path)
    }
  }

  /// The first mapping model of the folders that maps between two models, as
  /// `NSMappingModel(from:forSourceModel:destinationModel:)` finds it.
  ///
  /// - Parameters:
  ///   - source: The model of a store.
  ///   - hashes: Its version hashes; empty if the store does not say.
  ///   - destination: The model that it is to have.
  /// - Returns: The mapping model; nil if there is none.
  func mappingModel(
    from source: ManagedObjectModel, hashes: [String: Data], to destination: ManagedObjectModel
  ) -> MappingModel? {
    let versions = (
      MappingFile.Version(source, hashes: hashes, names: names(of: source)),
      MappingFile.Version(
        destination, hashes: KnownVersionHashes.hashes(of: destination),
        names: names(of: destination))
    )
    // A model's own folder may have them too.
    for folder in folders + modelFiles {
      let file = MappingFile.first(in: folder, from: versions.0, to: versions.1)
      if let file { return file.model(from: source, to: destination) }
    }
    return nil
  }

  /// The versions of the model files, the last one of each first.
  func versions() -> [ManagedObjectModel] {
    modelFiles.flatMap { path in
      let names = (try? ModelFile.versions(path: path))?.names ?? []
      return names.reversed().compactMap { try? ModelFile.read(path: path, version: $0).model }
    }
  }

  /// The names of the versions that have a model; empty if no file has it.
  private func names(of model: ManagedObjectModel) -> [String] {
    modelFiles.flatMap { path in
      ((try? ModelFile.versions(path: path))?.names ?? []).filter { name in
        (try? ModelFile.read(path: path, version: name).model)
          .map { ModelDifference.isEmpty(from: model, to: $0) } ?? false
      }
    }
  }

  private static func contents(of folder: String) -> [String] {
    // A folder that is missing has no models; the error that none was found names the folder.
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
