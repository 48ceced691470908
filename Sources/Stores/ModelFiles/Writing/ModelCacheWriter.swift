public import Foundation
public import ObjectModel

/// Writes the model cache of a Core Data store, the content of `Z_MODELCACHE` (core-data-stores 3).
public enum ModelCacheWriter {
  /// Encodes a model as the content of a model cache.
  ///
  /// ``ModelCache`` reads back an equal model if the model came from a model file or a model cache.
  /// Facts of plain databases (keys, encodings, declared types) and the names of composite types
  /// are not written.
  ///
  /// - Parameter model: A model that `validate()` accepts.
  /// - Returns: A keyed archive, compressed as a raw DEFLATE stream; equal models give equal bytes.
  /// - Throws: ``ModelFileError`` when a predicate or an expression of the model cannot be
  ///   archived.
  public static func data(of model: ManagedObjectModel) throws(ModelFileError) -> Data {
    do throws(ModelFileError) {
      var encoder = ModelEncoder(model)
      return try Deflate.compressed(encoder.archive().binaryPropertyList())
    } catch {
      throw error.subject.isEmpty ? error.withSubject("The model") : error
    }
  }
}
