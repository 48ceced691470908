import Foundation
import ObjectModel

extension MarkupElement {
  /// Adds the details that all properties have in common, except validation rules.
  mutating func add(_ details: PropertyDetails) {
    attributes["elementID"] = details.renamingIdentifier
    attributes["versionHashModifier"] = details.versionHashModifier
    setFlag("spotlightIndexingEnabled", details.isIndexedBySpotlight)
    setFlag("indexed", details.isIndexed)
    addUserInfo(details.userInfo)
  }

  /// Adds a `userInfo` element, unless the dictionary is empty.
  mutating func addUserInfo(_ userInfo: [String: String]) {
    add(
      "userInfo",
      userInfo.sorted { $0.key < $1.key }.map { key, value in
        MarkupElement(name: "entry", attributes: ["key": key, "value": value])
      })
  }

  /// Adds a `cardfile:` attribute with JSON, for what Xcode's format cannot express.
  mutating func addJSON(_ name: String, _ content: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(content) else { return }
    attributes[XCDataModel.cardfilePrefix + name] = String(decoding: json, as: UTF8.self)
  }

  /// Whether this element or one in it has `cardfile:` attributes.
  var hasCardfileAttributes: Bool {
    attributes.keys.contains { $0.hasPrefix(XCDataModel.cardfilePrefix) }
      || children.contains(where: \.hasCardfileAttributes)
  }
}
