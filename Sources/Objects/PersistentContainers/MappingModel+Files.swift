import AtomicStores
public import ObjectModel

extension MappingModel {
  /// Reads a mapping model: compiled (`.cdm`), or as Xcode edits it (`.xcmappingmodel`).
  ///
  /// - Parameters:
  ///   - path: The path of the file or folder.
  ///   - source: The model from which it maps.
  ///   - destination: The model to which it maps.
  /// - Throws: `ModelFileError` if it cannot be read, or has an expression that cannot.
  public init(
    path: String, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws { self = try MappingFile(path: path).model(from: source, to: destination) }
}
