public import Foundation

/// Reads the model that a Core Data store keeps of itself (core-data-stores 3).
public enum ModelCache {
  /// Reads the content of a model cache.
  ///
  /// It is raw deflate of a keyed archive; the archive itself, and other wrappings of zlib, are understood too.
  ///
  /// - Parameter data: The content of `Z_MODELCACHE`.
  /// - Returns: The model, and what was left out of it.
  /// - Throws: ``ModelFileError`` when there is no model in it.
  public static func model(from data: Data) throws(ModelFileError) -> DecodedModel {
    do throws(ModelFileError) {
      return try ModelDecoder.model(of: KeyedArchive(unpacked(data)))
    } catch {
      throw error.subject.isEmpty ? error.about("The model cache") : error
    }
  }

  /// The property list that a cache holds.
  private static func unpacked(_ data: Data) throws(ModelFileError) -> Data {
    guard !data.isEmpty else { throw ModelFileError(.incomplete, detail: "it is empty") }
    if isPropertyList(data) { return data }
    var firstError: ModelFileError?
    for wrapping in Deflate.Wrapping.allCases {
      do throws(ModelFileError) {
        let unpacked = try Deflate.unpacked(data, wrapping)
        if isPropertyList(unpacked) { return unpacked }
        throw ModelFileError(.malformed, detail: "what is packed in it is no property list")
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

extension ModelFileError {
  /// The same error, about a thing that is named.
  func about(_ subject: String) -> ModelFileError {
    var error = self
    error.subject = subject
    return error
  }
}
