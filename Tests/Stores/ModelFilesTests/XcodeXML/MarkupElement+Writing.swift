import Foundation
import ObjectModel

@testable import ModelFiles

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

  /// Returns the element as XML, one line per element; the attribute `name` comes first, the others
  /// are sorted.
  ///
  /// - Parameter depth: The level of indentation.
  /// - Returns: The text, ending with a line break.
  func xml(depth: Int = 0) -> String {
    let indent = String(repeating: "    ", count: depth)
    let names = attributes.keys.filter { $0 != "name" }.sorted()
    let texts = (["name"] + names).compactMap { name in
      attributes[name].map { " \(name)=\"\(Self.escaped($0))\"" }
    }.joined()
    guard !children.isEmpty else { return "\(indent)<\(name)\(texts)/>\n" }
    return "\(indent)<\(name)\(texts)>\n" + children.map { $0.xml(depth: depth + 1) }.joined()
      + "\(indent)</\(name)>\n"
  }

  /// The text with XML's special characters as entities; also line breaks and tabs, which a reader
  /// would replace by spaces.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _ where scalar.value < 0x20: escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// Sets an attribute to `YES` if the flag is true; an absent attribute means NO.
  mutating func setFlag(_ name: String, _ flag: Bool) {
    if flag { attributes[name] = "YES" }
  }

  /// Adds an element with children, unless there are no children.
  mutating func add(_ name: String, _ children: [MarkupElement]) {
    if !children.isEmpty { self.children.append(MarkupElement(name: name, children: children)) }
  }
}
