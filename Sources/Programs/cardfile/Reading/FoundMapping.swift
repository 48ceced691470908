import AtomicStores
import Foundation
import ModelFiles
import ObjectModel

/// The mapping model of a migration: the one that is named, or the one in the folder of the model or
/// beside it that maps between both models.
struct FoundMapping {
  /// The mapping model; nil to infer it.
  private(set) var model: MappingModel?
  /// What to say of it, a sentence each.
  private(set) var notes: [String] = []

  /// Looks for it; there is none between models that are the same.
  ///
  /// - Parameters:
  ///   - path: The path of the mapping model; nil to look for one.
  ///   - modelPath: The path of the model.
  ///   - version: The name of the version that the store is to have; nil for the current one.
  ///   - source: The model that the store has.
  ///   - hashes: Its version hashes; empty if the store does not say.
  ///   - destination: The model that it is to have.
  /// - Throws: `ModelFileError` if the model or the named mapping model cannot be read.
  init(
    _ path: String? = nil, beside modelPath: String, version: String? = nil,
    from source: ManagedObjectModel, _ hashes: [String: Data],
    to destination: ManagedObjectModel
  ) throws(ModelFileError) {
    if ModelDifference(from: source, to: destination).isEmpty { return }
    if let path {
      model = try MappingFile(path: path).model(from: source, to: destination)
      return
    }
    let versions = try ModelFile.versions(path: modelPath)
    let names = versions.names.filter { name in
      (try? ModelFile.read(path: modelPath, version: name).model)
        .map { ModelDifference.isEmpty(from: source, to: $0) } ?? false
    }
    let name = version ?? versions.current
    let found = MappingFile.beside(
      modelPath, from: MappingFile.Version(source, hashes: hashes, names: names),
      to: MappingFile.Version(
        destination, hashes: KnownVersionHashes.hashes(of: destination),
        names: name.map { [$0] } ?? []))
    guard let found else { return }
    let mapping = found.model(from: source, to: destination)
    let refusals = mapping.refusals(from: source, to: destination)
    // Policies are code of the app, which is not here: what can be inferred is shown, and asked for.
    if !refusals.isEmpty, ModelDifference(from: source, to: destination).refusals.isEmpty {
      notes = [
        "\(found.path) is not used, the mapping is inferred: "
          + refusals.joined(separator: "; ")
      ]
    } else {
      (model, notes) = (mapping, ["The mapping is \(found.path)"])
    }
  }
}
