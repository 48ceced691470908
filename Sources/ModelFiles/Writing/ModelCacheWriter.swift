public import Foundation
public import ObjectModel

/// Writes the model that a Core Data store keeps of itself (core-data-stores 3).
public enum ModelCacheWriter {
  /// Makes the content of a model cache.
  ///
  /// A model that came from a model file, a model cache or ``ModelAssembly`` is read back equal by ``ModelCache``. What only
  /// a plain database says (keys, encodings, declared types) is left out, and so are the names of composite types.
  ///
  /// - Parameter model: The model, which must be whole.
  /// - Returns: Raw deflate of a keyed archive, the same bytes for the same model.
  /// - Throws: ``ModelFileError`` when a condition or an expression has no form in an archive.
  public static func data(of model: ManagedObjectModel) throws(ModelFileError) -> Data {
    do throws(ModelFileError) {
      var encoder = ModelEncoder(model)
      return try Deflate.packed(encoder.archive().binaryPropertyList())
    } catch {
      throw error.subject.isEmpty ? error.about("The model") : error
    }
  }
}
