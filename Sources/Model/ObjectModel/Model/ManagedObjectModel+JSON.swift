package import Foundation

extension ManagedObjectModel {
  /// Decodes a model from JSON.
  ///
  /// - Parameter json: The output of ``json()``. Missing keys have default values.
  /// - Throws: ``ModelError`` when the JSON is malformed or of a newer version, or ``validate()``
  ///   fails.
  package init(json: Data) throws(ModelError) {
    let file: ModelRecord
    do {
      file = try JSONDecoder().decode(ModelRecord.self, from: json)
    } catch let error as DecodingError {
      throw ModelError(.unreadableModel(Self.reason(error)))
    } catch {
      throw ModelError(.unreadableModel("\(error)"))
    }
    guard file.version <= ModelRecord.currentVersion else {
      throw ModelError(
        .unreadableModel(
          "its version \(file.version) is newer than \(ModelRecord.currentVersion)")
      )
    }
    self.init(entities: file.entities.map(\.description), details: file.details)
    try validate()
  }

  /// Encodes the model as JSON, without losing anything; equal models give equal bytes.
  ///
  /// - Returns: Indented JSON with sorted keys, without keys that have their default value.
  /// - Throws: ``ModelError`` when encoding fails.
  package func json() throws(ModelError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(ModelRecord(self))
    } catch {
      throw ModelError(.unreadableModel("\(error)"))
    }
  }

  private static func reason(_ error: DecodingError) -> String {
    let context: DecodingError.Context
    var missing = ""
    switch error {
    case .keyNotFound(let key, let found):
      (context, missing) = (found, "“\(key.stringValue)” is missing")
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      .joined(separator: ".")
    let what = missing.isEmpty ? context.debugDescription : missing
    return (path.isEmpty ? "" : "at \(path): ")
      + (what.hasSuffix(".") ? String(what.dropLast()) : what)
  }
}
