import Foundation
import ObjectModel

/// The keys of the objects of an entity, as addresses have them: `5`, `'O''Neil'`,
/// `Shelf='A',Number=7`.
struct ODataKeys {
  let entity: ODataModel.Entity

  private var properties: [ODataModel.Property] {
    entity.key.compactMap { entity.properties[$0] }
  }

  /// Whether the keys are whole numbers, which are the keys of objects here, too.
  var areIntegers: Bool {
    guard properties.count == 1, case .primitive(let type, _) = properties[0].kind else {
      return false
    }
    return type.isInteger
  }

  /// The key of values, in the order of the key's attributes; nil if one of them has no literal.
  func key(_ values: [Value]) -> RESTKey? {
    let properties = properties
    guard !values.isEmpty, values.count == properties.count, !values.contains(where: \.isNull)
    else { return nil }
    let literals = zip(properties, values).compactMap { ODataValue($0.kind).literal($1) }
    guard literals.count == values.count else { return nil }
    if literals.count == 1 {
      if areIntegers, case .integer(let number) = values[0] { return .integer(number) }
      return .text(literals[0])
    }
    return .text(zip(properties, literals).map { "\($0.text)=\($1)" }.joined(separator: ","))
  }

  /// The key of an object in a body; nil if it has none.
  func key(of representation: JSONValue) -> RESTKey? {
    let values = properties.compactMap { property in
      representation.member(at: property.path).flatMap { ODataValue(property.kind).value($0) }
    }
    if let key = key(values) { return key }
    let id = representation.control("id")?.string ?? representation["id"]?.string
    return id.flatMap { key(ofAddress: $0) }
  }

  /// The key in the address of an object, as `https://host/service/Books(Shelf='A',Number=7)`.
  func key(ofAddress address: String) -> RESTKey? {
    guard let text = address.removingPercentEncoding, text.hasSuffix(")") else { return nil }
    // A slash or a parenthesis in quotes belongs to the key.
    var isQuoted = false
    var open: String.Index?
    for index in text.indices {
      switch text[index] {
      case "'": isQuoted.toggle()
      case "(" where !isQuoted: open = index
      default: break
      }
    }
    guard let open else { return nil }
    return values(of: .text(String(text[text.index(after: open)...].dropLast()))).flatMap(key)
  }

  /// The values of a key, decoded; nil if it is no key of the entity.
  func values(of key: RESTKey) -> [Value]? {
    let parts = Self.parts(of: key.text)
    let properties = properties
    guard parts.count == properties.count else { return nil }
    let values = properties.enumerated().compactMap { index, property -> Value? in
      let part = parts.count == 1 ? parts[index] : parts.first { $0.name == property.text }
      guard let part, part.name == nil || part.name == property.text else { return nil }
      return Self.value(part.literal, property.kind)
    }
    return values.count == properties.count ? values : nil
  }

  /// The condition that an object has a key.
  func condition(_ key: RESTKey) -> String {
    let parts = Self.parts(of: key.text)
    return zip(properties, parts).map { property, part in
      "\(part.name ?? property.text) eq \(part.literal)"
    }.joined(separator: " and ")
  }

  /// The literal of a key as a value; nil if it is not a literal of its kind.
  private static func value(_ literal: String, _ kind: ODataModel.Kind) -> Value? {
    var text = literal
    if let quote = literal.firstIndex(of: "'"), literal.hasSuffix("'") {
      text = literal[literal.index(after: quote)...].dropLast()
        .replacingOccurrences(of: "''", with: "'")
    }
    let value = ODataValue(kind).value(url: text)
    return value.isNull ? nil : value
  }

  /// The names and literals of a key; no name for a key of one value.
  private static func parts(of text: String) -> [(name: String?, literal: String)] {
    var parts: [(name: String?, literal: String)] = []
    var name: String?
    var current = ""
    var isQuoted = false
    for character in text {
      if character == "'" { isQuoted.toggle() }
      if !isQuoted, character == "," {
        parts.append((name, current))
        (name, current) = (nil, "")
      } else if !isQuoted, character == "=", !current.contains("'") {
        (name, current) = (current, "")
      } else {
        current.append(character)
      }
    }
    return parts + [(name, current)]
  }
}

extension JSONValue {
  /// The control information of a name: `@odata.etag`, or `@etag` in version 4.01.
  func control(_ name: String, of property: String = "") -> JSONValue? {
    self["\(property)@odata.\(name)"] ?? self["\(property)@\(name)"]
  }

  /// The member at a path; nil if one on the way is missing, null if it is null.
  func member(at path: [String]) -> JSONValue? {
    var value = self
    for name in path {
      if value == .null { return .null }
      guard let next = value[name] else { return nil }
      value = next
    }
    return value
  }
}
