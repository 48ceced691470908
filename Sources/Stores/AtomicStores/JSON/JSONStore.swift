import Foundation
package import ObjectModel

/// A store in one JSON file, with its model: ours, where Core Data has binary stores.
///
/// The article *Stores of your own* shows its format.
package final class JSONStore: MigratingFileStore {
  package let identifier: String
  package let model: ManagedObjectModel
  package let cache: AtomicCache
  package let file: StoreFile
  private let readOnlyReason: String?

  private static let format = "cardfile store"

  /// Whether a file begins like such a store.
  package static func recognizes(_ path: String) -> Bool {
    let bytes = StoreFile(path: path).firstBytes(64)
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return text.hasPrefix("{\"format\":\"cardfilestore\"")
  }

  /// Creates a store without objects.
  ///
  /// - Parameters:
  ///   - path: The path of its file, which must not exist.
  ///   - model: Its model.
  /// - Returns: The store.
  /// - Throws: `StoreError` if it cannot be created.
  package static func create(path: String, model: ManagedObjectModel) throws(StoreError)
    -> JSONStore
  {
    let identifier = UUID().uuidString
    let rows = InMemoryRows(model: model, storeIdentifier: identifier)
    try StoreFile(path: path).create(try bytes(of: rows, model, identifier))
    return try JSONStore(path: path)
  }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isReadOnly: Whether it is only read.
  ///   - expectedModel: The model that it must have; nil for any.
  /// - Throws: `StoreError` if it cannot be read, or its model is another one.
  package init(
    path: String, isReadOnly: Bool = false, expectedModel: ManagedObjectModel? = nil
  ) throws(StoreError) {
    file = StoreFile(path: path)
    let stamp = file.stamp
    let tree = try Self.tree(of: file)
    guard case .string(let identifier)? = tree["identifier"], let json = tree["model"] else {
      throw StoreError(
        .corrupt, doing: "opening", subject: path, detail: "it has no identifier or no model")
    }
    self.identifier = identifier
    do {
      model = try ManagedObjectModel(json: json.bytes)
    } catch {
      throw StoreError(.corrupt, doing: "opening", subject: path, detail: "its model: \(error)")
    }
    readOnlyReason = isReadOnly ? "opened read-only" : file.readOnlyReason
    if let expectedModel {
      let differences = model.differences(from: expectedModel)
      guard differences.isEmpty else {
        throw StoreError(
          .unsupported, doing: "opening", subject: path,
          detail: "the model in the store differs from the given one: "
            + differences.prefix(5).joined(separator: ", "))
      }
    }
    cache = AtomicCache(try Self.rows(of: tree, model, identifier, file), stamp)
  }

  package var summary: StoreSummary {
    StoreSummary(
      name: URL(fileURLWithPath: file.path).lastPathComponent, path: file.path,
      kind: "Cardfile store (JSON)", readOnlyReason: readOnlyReason)
  }

  package func keeps(_ key: ObjectKey, of entityName: String) -> Bool { true }

  package func load() throws(StoreError) -> InMemoryRows {
    let tree = try Self.tree(of: file)
    guard tree["identifier"] == .string(identifier) else {
      throw StoreError(
        .replaced, doing: "reading", subject: file.path, detail: "another store is there now",
        remedy: "open the store again")
    }
    return try Self.rows(of: tree, model, identifier, file)
  }

  private static func rows(
    of tree: JSONValue, _ model: ManagedObjectModel, _ identifier: String, _ file: StoreFile
  ) throws(StoreError) -> InMemoryRows {
    do {
      var rows = try JSONRows(model: model, storeIdentifier: identifier)
        .rows(of: tree["objects"] ?? .null)
      if case .object(let keys)? = tree["lastKeys"] {
        for case (let name, .integer(let key)) in keys where model.entity(named: name) != nil {
          rows.use(
            ObjectID(storeIdentifier: identifier, entityName: name, key: .integer(key)))
        }
      }
      return rows
    } catch {
      var error = error
      error.subject = file.path
      throw error
    }
  }

  package func write(_ rows: InMemoryRows) throws(StoreError) {
    try file.write(try Self.bytes(of: rows, model, identifier))
  }

  package func rewrite(_ rows: InMemoryRows) throws(StoreError) {
    try file.write(try Self.bytes(of: rows, rows.model, identifier))
  }

  private static func tree(of file: StoreFile) throws(StoreError) -> JSONValue {
    let data = try file.read()
    let tree: JSONValue
    do { tree = try JSONValue(parsing: data) } catch {
      throw StoreError(
        .corrupt, doing: "opening", subject: file.path, detail: "it is no JSON: \(error.detail)")
    }
    guard tree["format"] == .string(format), case .integer(let version)? = tree["version"] else {
      throw StoreError(
        .unsupported, doing: "opening", subject: file.path, detail: "it is no \(format)")
    }
    guard version == 1 else {
      throw StoreError(
        .unsupported, doing: "opening", subject: file.path,
        detail: "its version \(version) is newer than 1")
    }
    return tree
  }

  private static func bytes(
    of rows: InMemoryRows, _ model: ManagedObjectModel, _ identifier: String
  ) throws(StoreError) -> Data {
    let objects = try JSONRows(model: model, storeIdentifier: identifier).json(of: rows)
    let described: JSONValue
    do { described = try JSONValue(parsing: model.json()) } catch {
      throw StoreError(.other, doing: "saving", detail: "\(error)")
    }
    let tree = JSONValue.object([
      "format": .string(format), "version": 1, "identifier": .string(identifier),
      "model": described, "lastKeys": .object(rows.lastKeys.mapValues { .integer($0) }),
      "objects": objects,
    ])
    return tree.indentedBytes + Data("\n".utf8)
  }
}
