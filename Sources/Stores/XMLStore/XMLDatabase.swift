import Foundation
import ModelFiles

/// The contents of a Core Data XML store as they are written: names in small letters or capitals,
/// values as texts.
///
/// The format is that of files of the frameworks 186 to 1251; there is no public description.
struct XMLDatabase {
  /// An object, with what it has.
  struct Object {
    /// The name of its entity, in capitals.
    let type: String
    /// Its identifier in the file: `z107`, or whatever the app has chosen.
    let id: String
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  struct Attribute {
    let name: String
    /// `string`, `int16`, `date` and so on; empty if it is missing.
    let type: String
    let text: String
  }

  struct Relationship {
    let name: String
    /// The largest number of destinations; 0 for no limit.
    let maximum: Int
    /// The name of the destination's entity, in capitals.
    let destination: String
    /// The identifiers of the destinations, in their order.
    let ids: [String]
  }

  /// The store's UUID; nil if there is none, as in files that other programs write.
  private(set) var uuid: String?
  /// The metadata; nil if there are none.
  private(set) var metadata: PropertyListValue?
  private(set) var objects: [Object] = []

  /// Whether bytes begin like an XML store.
  static func isStart(_ bytes: Data) -> Bool {
    var scanner = XMLScanner(bytes)
    guard (try? scanner.text())?.allSatisfy(\.isWhitespace) == true,
      case .open("database", _)? = try? scanner.tag()
    else { return false }
    return true
  }

  /// Reads an XML store.
  ///
  /// - Throws: ``ModelFileError`` if it is damaged.
  init(_ data: Data) throws(ModelFileError) {
    var scanner = XMLScanner(data)
    _ = try scanner.text()
    guard case .open("database", let isEmpty)? = try scanner.tag() else {
      throw ModelFileError(.malformed, detail: "it is no XML store")
    }
    var isOpen = !isEmpty
    while isOpen {
      _ = try scanner.text()
      switch try scanner.tag() {
      case .open("databaseInfo", let isEmpty)?:
        if !isEmpty { try readInfo(&scanner, of: data) }
      case .open("object", let isEmpty)?: objects.append(try Self.object(&scanner, isEmpty))
      case .open(let name, let isEmpty)?: if !isEmpty { try scanner.skipElement(name) }
      case .close("database")?: isOpen = false
      case .close, nil: throw scanner.malformed("the end of the database is missing")
      }
    }
  }

  private mutating func readInfo(_ scanner: inout XMLScanner, of data: Data)
    throws(ModelFileError)
  {
    while true {
      _ = try scanner.text()
      switch try scanner.tag() {
      case .open("UUID", isEmpty: false)?:
        uuid = try scanner.text().trimmingCharacters(in: .whitespacesAndNewlines)
        try scanner.skipElement("UUID")
      case .open("metadata", isEmpty: false)?:
        let start = scanner.offset
        let end = try scanner.skipElement("metadata")
        let list = scanner.content(from: start, to: end)
        if list.contains(UInt8(ascii: "<")) { metadata = try XMLPropertyListReader.value(of: list) }
      case .open(let name, let isEmpty)?: if !isEmpty { try scanner.skipElement(name) }
      case .close("databaseInfo")?: return
      case .close, nil: throw scanner.malformed("databaseInfo is not closed")
      }
    }
  }

  private static func object(_ scanner: inout XMLScanner, _ isEmpty: Bool)
    throws(ModelFileError) -> Object
  {
    let about = try scanner.attributes()
    guard let type = about["type"], let id = about["id"], !id.isEmpty else {
      throw scanner.malformed("an object has no type or no id")
    }
    var object = Object(type: type, id: id)
    if isEmpty { return object }
    while true {
      _ = try scanner.text()
      switch try scanner.tag() {
      case .open(let element, let isEmpty)?:
        let about = try scanner.attributes()
        let text = isEmpty ? "" : try scanner.text()
        if !isEmpty { try scanner.skipElement(element) }
        guard let name = about["name"] else {
          throw scanner.malformed("a property of \(id) has no name")
        }
        if element == "attribute" {
          object.attributes.append(
            Attribute(name: name, type: about["type"] ?? "", text: text))
        } else if element == "relationship" {
          object.relationships.append(relationship(name, about))
        }
      case .close("object")?: return object
      case .close, nil: throw scanner.malformed("the object \(id) is not closed")
      }
    }
  }

  private static func relationship(_ name: String, _ about: [String: String]) -> Relationship {
    let maximum = about["type"]?.split(separator: "/").last.flatMap { Int($0) } ?? 0
    let ids = (about["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    return Relationship(
      name: name, maximum: maximum, destination: about["destination"] ?? "", ids: ids)
  }
}

extension XMLScanner {
  /// Skips the rest of an element whose start tag was read.
  ///
  /// - Returns: Where its end tag begins.
  /// - Throws: ``ModelFileError`` if it is not closed.
  @discardableResult
  fileprivate mutating func skipElement(_ name: String) throws(ModelFileError) -> Int {
    var depth = 1
    while true {
      _ = try text()
      let start = offset
      switch try tag() {
      case .open(_, let isEmpty)?: depth += isEmpty ? 0 : 1
      case .close?: depth -= 1
      case nil: throw malformed("<\(name.prefix(40))> is not closed")
      }
      if depth == 0 { return start }
    }
  }
}
