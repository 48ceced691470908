import Foundation
import TestSupport
import Testing

/// What is printed of real stores of Core Data must be what an independent reader gives.
@Suite(.needsRealStores)
struct CoreDataStoresTests {
  @Test func `entities and their first objects equal the expected ones of real stores`() throws {
    let stores = try RealStores.coreDataStores().filter { $0.entities != nil }
    #expect(stores.count == 14)
    for store in stores { try compare(store) }
  }

  private func compare(_ store: RealStores.CoreDataStore) throws {
    let entities = try Program.run("entities", store.file.path, "--format", "json")
    #expect(
      try text(object(entities.output)) == text(store.entities ?? [:]), "\(store.file)")
    for (entity, expected) in store.samples {
      let outcome = try Program.run(
        "fetch", store.file.path, entity, "--format", "json", "--relationships", "--limit", "3")
      #expect(outcome.status == 0, "\(store.file) \(entity): \(outcome.errors)")
      #expect(outcome.lines.count == expected.count, "\(store.file) \(entity)")
      for (line, sample) in zip(outcome.lines, expected) {
        let printed = shortened(try object(line), like: sample)
        #expect(try text(printed) == text(sample), "\(store.file) \(entity)")
        #expect(try keys(line) == keys(sample, in: store), "\(store.file) \(entity)")
      }
    }
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// An object in one spelling, to be compared.
  private func text(_ object: [String: Any]) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
      as: UTF8.self)
  }

  /// The object with long bytes as the answer has them: `{"bytes": 277}`.
  private func shortened(_ object: [String: Any], like sample: [String: Any]) -> [String: Any] {
    var copy = object
    for (name, value) in sample where (value as? [String: Any])?["bytes"] != nil {
      let bytes = (object[name] as? String).flatMap { Data(base64Encoded: $0) }
      copy[name] = bytes.map { ["bytes": $0.count] }
    }
    return copy
  }

  /// The keys of a printed object in order.
  private func keys(_ line: String) throws -> [String] {
    var places: [(String, String.Index)] = []
    for key in try object(line).keys {
      let found = try #require(line.range(of: "\"\(key)\":"), "\(key)")
      places.append((key, found.lowerBound))
    }
    return places.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// The keys as they should stand: the ID, the entity, attributes by name, relationships by name.
  private func keys(
    _ sample: [String: Any], in store: RealStores.CoreDataStore
  ) -> [String] {
    let attributes = store.attributeNames(of: sample["entity"] as? String ?? "")
    let names = sample.keys.filter { $0 != "objectID" && $0 != "entity" }.sorted()
    return ["objectID", "entity"] + names.filter(attributes.contains)
      + names.filter { !attributes.contains($0) }
  }
}
