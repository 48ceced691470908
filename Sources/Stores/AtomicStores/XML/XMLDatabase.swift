import Foundation
import ModelFiles

/// The contents of a Core Data XML store as they are written: names in small letters or capitals,
/// values as texts.
///
/// The format is that of files of the frameworks 186 to 1251; there is no public description.
struct XMLDatabase: Sendable {
  /// An object, with what it has.
  struct Object: Sendable {
    /// The name of its entity, in capitals.
    let type: String
    /// Its identifier in the file: `z107`, or whatever the app has chosen.
    let id: String
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    /// Its element, in the bytes of the file.
    var range = 0..<0
  }

  struct Attribute: Sendable {
    let name: String
    /// `string`, `int16`, `date` and so on; empty if it is missing.
    let type: String
    let text: String
  }

  struct Relationship: Sendable {
    let name: String
    /// The least number of destinations.
    let minimum: Int
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
  /// The highest number that an identifier has had, and its digits in the bytes; nil if the file does
  /// not say.
  private(set) var lastNumber: (value: Int64, range: Range<Int>)?
  /// The bytes of the file, in UTF-8.
  let bytes: [UInt8]
  /// Where the end tag of the database begins.
  private(set) var end = 0
  /// Whether the file is in UTF-8.
  let isUTF8: Bool

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
    bytes = scanner.bytes
    isUTF8 = scanner.isUTF8
    _ = try scanner.text()
    guard case .open("database", let isEmpty)? = try scanner.tag() else {
      throw ModelFileError(.malformed, detail: "it is no XML store")
    }
    var isOpen = !isEmpty
    while isOpen {
      _ = try scanner.text()
      let start = scanner.offset
      switch try scanner.tag() {
      case .open("databaseInfo", let isEmpty)?: if !isEmpty { try readInfo(&scanner) }
      case .open("object", let isEmpty)?:
        var object = try Self.object(&scanner, isEmpty)
        object.range = start..<scanner.offset
        objects.append(object)
      case .open(let name, let isEmpty)?: if !isEmpty { try scanner.skipElement(name) }
      case .close("database")?: (isOpen, end) = (false, start)
      case .close, nil: throw scanner.malformed("the end of the database is missing")
      }
    }
  }

  private mutating func readInfo(_ scanner: inout XMLScanner) throws(ModelFileError) {
    while true {
      _ = try scanner.text()
      switch try scanner.tag() {
      case .open("UUID", isEmpty: false)?:
        uuid = try scanner.text().trimmingCharacters(in: .whitespacesAndNewlines)
        try scanner.skipElement("UUID")
      case .open("nextObjectID", isEmpty: false)?:
        let start = scanner.offset
        let digits = try scanner.text()
        if let number = Int64(digits) { lastNumber = (number, start..<scanner.offset) }
        try scanner.skipElement("nextObjectID")
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
    let counts = (about["type"] ?? "").split(separator: "/").map { Int($0) ?? 0 }
    let ids = (about["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    return Relationship(
      name: name, minimum: counts.first ?? 0, maximum: counts.last ?? 0,
      destination: about["destination"] ?? "", ids: ids)
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
