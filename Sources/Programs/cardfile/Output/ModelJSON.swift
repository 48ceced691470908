import Foundation
import ObjectModel

/// Managed object models as JSON.
enum ModelJSON {
  /// Returns a model, or only one entity of it if that is not nil, as JSON without a final line
  /// feed.
  ///
  /// - Throws: ``ModelError`` if a name cannot be written.
  static func text(of model: ManagedObjectModel, only entity: EntityDescription?) throws -> String {
    let json = try model.json()
    guard let entity,
      var object = try JSONSerialization.jsonObject(with: json) as? [String: Any],
      let entities = object["entities"] as? [[String: Any]]
    else { return String(decoding: json, as: UTF8.self) }
    object["entities"] = entities.filter { $0["name"] as? String == entity.name }
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]),
      as: UTF8.self)
  }
}
