package import Foundation

/// Reads the model cache of a Core Data store: the model that it contains in `Z_MODELCACHE`
/// (core-data-stores 3).
package enum ModelCache {
  /// Reads the content of a model cache.
  ///
  /// The content is a keyed archive, compressed as a raw DEFLATE stream; an uncompressed archive
  /// and a stream with a zlib or gzip header are read too.
  ///
  /// - Parameter data: The value of `Z_MODELCACHE.Z_CONTENT`.
  /// - Returns: The model, and notes about what was left out of it.
  /// - Throws: ``ModelFileError`` when it is empty, damaged, or contains no model.
  package static func model(from data: Data) throws(ModelFileError) -> DecodedModel {
    do throws(ModelFileError) {
      return try ModelDecoder.model(of: KeyedArchive(propertyList(in: data)))
    } catch {
      throw error.subject.isEmpty ? error.withSubject("The model cache") : error
    }
  }

  /// The bytes of the property list in a model cache.
  private static func propertyList(in data: Data) throws(ModelFileError) -> Data {
    guard !data.isEmpty else { throw ModelFileError(.incomplete, detail: "it is empty") }
    if isPropertyList(data) { return data }
    var firstError: ModelFileError?
    for container in Deflate.Container.allCases {
      do throws(ModelFileError) {
        let decompressed = try Deflate.decompressed(data, container)
        if isPropertyList(decompressed) { return decompressed }
        throw ModelFileError(.malformed, detail: "its decompressed content is not a property list")
      } catch {
        if error.reason == .tooLarge { throw error }
        firstError = firstError ?? error
      }
    }
    throw firstError ?? ModelFileError(.malformed)
  }

  private static func isPropertyList(_ data: Data) -> Bool {
    data.starts(with: BinaryPropertyListReader.signature) || data.starts(with: Array("<?xml".utf8))
  }
}
