import Foundation
import FoundationXML
import ObjectModel
import TestSupport
import Testing

@testable import AtomicStores

/// XML stores of others, compared with what Foundation's parser reads.
@Suite(.needsRealStores)
struct RealXMLStoresTests {
  private static let names = [
    "mslice-bare-no-databaseInfo.xml", "mslice-fw977.xml", "things-2009-fw186.xml",
    "xcmapping-coredataplus-fw1044.xml", "xcmapping-objcio-books.xml",
  ]

  /// What a file says of each object, as lines.
  private final class Reader: NSObject, XMLParserDelegate {
    var lines: Set<String> = []
    var hasEscapes = false
    private var id = ""
    private var name: (String, String)?
    private var text = ""

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      text = ""
      switch element {
      case "object":
        id = attributes["id"] ?? ""
        lines.insert("\(id) \(attributes["type"] ?? "")")
      case "attribute": name = (attributes["name"] ?? "", attributes["type"] ?? "")
      case "relationship":
        for other in (attributes["idrefs"] ?? "").split(separator: " ") {
          lines.insert("\(id) \(attributes["name"] ?? "") → \(other)")
        }
      default: break
      }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
      _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      if element == "integer", text.count == 3, text < "400" { hasEscapes = true }
      guard element == "attribute", let (name, type) = name else { return }
      lines.insert("\(id) \(name) = \(shown(type))")
    }

    private func shown(_ type: String) -> String {
      switch type {
      case "string":
        guard hasEscapes else { return text }
        return text.replacingOccurrences(of: "\\u3c00", with: "<")
          .replacingOccurrences(of: "\\u3e00", with: ">")
          .replacingOccurrences(of: "\\u2600", with: "&")
      case "binary":
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)?.base64EncodedString()
          ?? "?"
      case "float": return "\(Float(text) ?? .nan)"
      default: return "\(Double(text) ?? .nan)"
      }
    }
  }

  private static func name(of id: ObjectID) -> String {
    switch id.key {
    case .integer(let number): "z\(number)"
    case .composite(let values): "\(values[0])"
    case let other: "\(other)"
    }
  }

  @Test(arguments: names)
  func `every object, value and link is what an independent parser finds`(name: String) throws {
    let url = try RealStores.file("xml/" + name)
    let parser = try #require(XMLParser(contentsOf: url))
    let reader = Reader()
    parser.delegate = reader
    #expect(parser.parse())
    #expect(XMLStore.recognizes(url.path))
    let store = try XMLStore(path: url.path)
    var lines: Set<String> = []
    for id in try store.storedRows().objectIDs {
      let entity = try #require(store.model.entity(named: id.entityName))
      let name = Self.name(of: id)
      lines.insert("\(name) \(entity.name.uppercased())")
      let row = try #require(try store.rows(of: [id]).first ?? nil)
      for (attribute, value) in zip(entity.attributes, row.values) where !value.isNull {
        let shown =
          switch attribute.decode(value) {
          case .string(let text): text
          case .data(let data): data.base64EncodedString()
          case .bool(let flag): flag ? "1.0" : "0.0"
          case .integer(let number): "\(Double(number))"
          case .double(let number): "\(Float(number))"
          case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
          case let other: "\(other)"
          }
        lines.insert("\(name) \(attribute.name) = \(shown)")
      }
      for relationship in entity.relationships {
        for other in try store.destinations(of: relationship.name, from: [id])[id] ?? [] {
          lines.insert("\(name) \(relationship.name) → \(Self.name(of: other))")
        }
      }
    }
    #expect(reader.lines.count > 10)
    #expect(lines.subtracting(reader.lines).sorted() == [])
    #expect(reader.lines.subtracting(lines).sorted() == [])
    #expect(try StoreContract(store).violations() == [])
  }

  /// Another program wrote two of the files by hand, with 1.0 where Core Data writes 1.
  @Test(arguments: names)
  func `every object is written from its values as the file has it`(name: String) throws {
    let data = try Data(contentsOf: RealStores.file("xml/" + name))
    let database = try XMLDatabase(data)
    let model = XMLModel(of: database).model
    let rows = try InMemoryRows(database, model: model, storeIdentifier: "test")
    let none = InMemoryRows(model: model, storeIdentifier: "test")
    let writer = XMLWriter(database, none, forcesTypes: false)
    let orders = PropertyOrders(of: database)
    for object in database.objects {
      let row = try #require(
        rows.objectIDs.first { XMLText.name(of: $0) == object.id }.flatMap(rows.row))
      var links: [String: [ObjectID]] = [:]
      for relationship in model.entity(named: row.id.entityName)?.relationships ?? [] {
        links[relationship.name] =
          try rows.destinations(of: relationship.name, from: [row.id])[row.id]
      }
      let written = try writer.element(of: row, links, object, orders)
      let text = String(decoding: database.bytes[object.range], as: UTF8.self)
      // A relationship that the file leaves out is written.
      let lines = Set(written.split(separator: "\n")).subtracting(text.split(separator: "\n"))
      let more = lines.filter { !($0.contains("<relationship") && !$0.contains("idrefs")) }
      #expect(more.allSatisfy { name.hasPrefix("mslice") && $0.contains("float") }, "\(more)")
      if lines.isEmpty { #expect(written == text) }
    }
  }
}
