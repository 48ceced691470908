public import Foundation

extension ManagedObjectModel {
  /// Reads a model from its JSON.
  ///
  /// - Parameter json: What ``json()`` gave. A file that says less is understood: what it leaves out has its usual value.
  /// - Throws: ``ModelError`` when it is no such JSON, or of a later version, or the model is not whole.
  public init(json: Data) throws(ModelError) {
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
          "it is of version \(file.version), later than \(ModelRecord.currentVersion)")
      )
    }
    self.init(entities: file.entities.map(\.description), details: file.details)
    try validate()
  }

  /// The model as JSON: readable, the same bytes for the same model, and nothing of it lost.
  ///
  /// - Returns: The JSON, keys sorted, what is usual left out.
  /// - Throws: ``ModelError`` when a name cannot be written.
  public func json() throws(ModelError) -> Data {
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
