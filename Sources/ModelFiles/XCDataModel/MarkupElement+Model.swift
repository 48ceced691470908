import Foundation
import ObjectModel

extension MarkupElement {
  /// Writes what is said of any property but its rules.
  mutating func add(_ details: PropertyDetails) {
    attributes["elementID"] = details.renamingIdentifier
    attributes["versionHashModifier"] = details.versionHashModifier
    say("spotlightIndexingEnabled", details.isIndexedBySpotlight)
    say("indexed", details.isIndexed)
    addUserInfo(details.userInfo)
  }

  /// Writes the programmer's notes.
  mutating func addUserInfo(_ userInfo: [String: String]) {
    add(
      "userInfo",
      userInfo.sorted { $0.key < $1.key }.map { key, value in
        MarkupElement(name: "entry", attributes: ["key": key, "value": value])
      })
  }

  /// Keeps in an attribute of our own what Xcode's form has no place for.
  mutating func keep(_ name: String, _ content: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(content) else { return }
    attributes[XCDataModel.ownPrefix + name] = String(decoding: json, as: UTF8.self)
  }

  /// Whether it or an element in it has attributes of our own.
  var hasOwnAttributes: Bool {
    attributes.keys.contains { $0.hasPrefix(XCDataModel.ownPrefix) }
      || children.contains(where: \.hasOwnAttributes)
  }
}
