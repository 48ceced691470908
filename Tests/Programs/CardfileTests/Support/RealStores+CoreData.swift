import Foundation
import TestSupport
import Testing

extension RealStores {
  /// A store of Core Data, and what an independent reader says it holds.
  struct CoreDataStore: CustomTestStringConvertible {
    let file: URL
    /// The model as the same reader gives it; empty where the store holds none.
    let model: [String: Any]
    /// The answer; it has no entities where the store holds no model.
    let expected: [String: Any]

    var entities: [String: [String: Any]]? { expected["entities"] as? [String: [String: Any]] }
    var samples: [String: [[String: Any]]] {
      expected["sample"] as? [String: [[String: Any]]] ?? [:]
    }
    var testDescription: String { file.lastPathComponent }

    /// The names of an entity's attributes.
    func attributeNames(of entity: String) -> Set<String> {
      let entities = model["entities"] as? [String: [String: Any]]
      let properties = entities?[entity]?["props"] as? [String: [String: Any]] ?? [:]
      return Set(properties.filter { $0.value["kind"] as? String == "attribute" }.keys)
    }
  }

  /// The stores of Core Data; empty where they are not.
  static func coreDataStores() throws -> [CoreDataStore] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent("expected"), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "json" && !$0.lastPathComponent.hasSuffix(".model.json") }
    .sorted { $0.path < $1.path }
    .map { answer in
      let name = answer.deletingPathExtension().lastPathComponent
      let model = answer.deletingLastPathComponent().appendingPathComponent(name + ".model.json")
      let hasModel = FileManager.default.fileExists(atPath: model.path)
      return CoreDataStore(
        file: folder.appendingPathComponent("coredata/" + name),
        model: hasModel ? try object(model) : [:],
        expected: try object(answer))
    }
  }

  private static func object(_ file: URL) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
  }
}
