import Foundation
import ObjectModel
import Testing

@testable import ModelFiles

/// Decoding archives made in code, for features that the available real stores do not use.
struct ModelDecodingTests {
  /// Decodes a model with one entity `Item`.
  private func decode(
    _ fields: (inout ArchiveMaker) -> [String: PropertyListValue] = { _ in [:] },
    properties: (inout ArchiveMaker) -> [(String, PropertyListValue)]
  ) throws -> DecodedModel {
    var maker = ArchiveMaker()
    let item = maker.entity("Item", properties: properties(&maker), fields(&maker))
    let model = maker.model([("Item", item)])
    return try decode(maker.data(root: model))
  }

  private func decode(_ data: Data) throws -> DecodedModel {
    let decoded = try ModelCache.model(from: data)
    try decoded.model.validate()
    return decoded
  }

  @Test func `a model cache is read as a raw DEFLATE or zlib stream, uncompressed, or as XML`()
    throws
  {
    var maker = ArchiveMaker()
    let item = maker.entity("Item", properties: [("n", maker.attribute("n", 100))])
    let model = maker.model([("Item", item)])
    let data = maker.data(root: model)
    let expected = try decode(data)
    #expect(expected.model.entity(named: "Item")?.attribute(named: "n")?.type == .integer16)
    #expect(try decode(Deflate.compressed(data)) == expected)
    let raw = try Deflate.compressed(data)
    let sum = data.reduce((1, 0) as (UInt32, UInt32)) { sum, byte in
      let low = (sum.0 + UInt32(byte)) % 65_521
      return (low, (sum.1 + low) % 65_521)
    }
    let adler = (sum.1 << 16 | sum.0).bigEndian
    #expect(
      try decode([0x78, 0x9C] + raw + withUnsafeBytes(of: adler) { Data($0) }) == expected)
    #expect(
      try decode(Data(("<?xml version=\"1.0\"?>" + xml(maker.list(root: model))).utf8)) == expected)
  }

  private func xml(_ value: PropertyListValue) -> String {
    switch value {
    case .dictionary(let members):
      "<dict>" + members.map { "<key>\($0.key)</key>" + xml($0.value) }.joined() + "</dict>"
    case .array(let members): "<array>" + members.map(xml).joined() + "</array>"
    case .string(let text): "<string>\(text)</string>"
    case .integer(let number): "<integer>\(number)</integer>"
    case .bool(let truth): truth ? "<true/>" : "<false/>"
    case .uid(let index): "<dict><key>CF$UID</key><integer>\(index)</integer></dict>"
    default: "<string/>"
    }
  }

  @Test func `attribute flags, unknown types and default values are kept`() throws {
    let decoded = try decode { maker in
      [
        ("blob", maker.attribute("blob", 1000, ["NSFlagsKey": 4])),
        ("kept", maker.attribute("kept", 700, ["NSFlagsKey": 16, "NSIndexedBySpotlight": true])),
        ("id", maker.attribute("id", 2000)),
        (
          "day",
          maker.attribute("day", 900, ["NSDefaultValue": maker.object("NSDate", ["NS.time": 1.5])])
        ),
        ("odd", maker.attribute("odd", 1800, ["NSDefaultValue": maker.object("App.Cover")])),
        (
          "price",
          maker.attribute(
            "price", 400,
            [
              "NSDefaultValue": maker.object(
                "NSDecimalNumber",
                [
                  "NS.mantissa": .data(Data([0xD2, 0x04] + [UInt8](repeating: 0, count: 14))),
                  "NS.exponent": -2, "NS.length": 1, "NS.negative": true, "NS.mantissa.bo": 1,
                ])
            ])
        ),
        ("cloud", maker.attribute("cloud", 700, ["NSAllowsCloudEncryption": true])),
        (
          "old",
          maker.attribute(
            "old", 800, ["NSRenamingIdentifier": maker.add("former"), "NSIsTransient": true])
        ),
      ]
    }
    let item = try #require(decoded.model.entity(named: "Item"))
    #expect(item.attributes.map(\.name) == ["blob", "cloud", "day", "id", "kept", "odd", "price"])
    #expect(item.attribute(named: "blob")?.encoding == .externalData)
    #expect(item.attribute(named: "kept")?.details.preservesValueInHistoryOnDeletion == true)
    #expect(item.attribute(named: "kept")?.details.property.isIndexedBySpotlight == true)
    #expect(item.attribute(named: "id")?.type == .undefined)
    #expect(item.attribute(named: "id")?.details.unknownTypeNumber == 2000)
    #expect(
      item.attribute(named: "day")?.defaultValue
        == .date(Date(timeIntervalSinceReferenceDate: 1.5)))
    #expect(item.attribute(named: "odd")?.details.defaultClassName == "App.Cover")
    #expect(
      item.attribute(named: "price")?.defaultValue == .decimal(Decimal(string: "-12.34") ?? 0))
    #expect(item.attribute(named: "cloud")?.details.allowsCloudEncryption == true)
    #expect(item.details.transientAttributes.map(\.name) == ["old"])
    #expect(item.details.transientAttributes[0].details.property.renamingIdentifier == "former")
    #expect(decoded.notes == [])
  }

  @Test func `a composite attribute becomes leaf attributes named by their key paths`() throws {
    let decoded = try decode { maker in
      let zip = maker.attribute("zip", 700)
      let city = maker.attribute(
        "city", 2100, ["NSElements": maker.array([zip])],
        className: "NSCompositeAttributeDescription")
      let street = maker.attribute("street", 700, ["NSIsOptional": true])
      return [
        (
          "address",
          maker.attribute(
            "address", 2100, ["NSElements": maker.array([street, city])],
            className: "NSCompositeAttributeDescription")
        )
      ]
    }
    let item = try #require(decoded.model.entity(named: "Item"))
    #expect(item.attributes.map(\.name) == ["address.street", "address.city.zip"])
    #expect(item.attributes.map(\.details.compositeName) == ["address", "address.city"])
    #expect(item.attributes.map(\.details.property.renamingIdentifier) == [nil, nil])
    #expect(item.details.composites.map(\.name) == ["address", "address.city"])
  }

  @Test func `a property proxy is replaced by its underlying property`() throws {
    var maker = ArchiveMaker()
    let (parent, child) = (maker.reserve(), maker.reserve())
    let name = maker.attribute("name", 700)
    maker.entity("Base", at: parent, properties: [("name", name)], ["NSIsAbstract": true])
    let proxy = maker.object(
      "_NSPropertyDescriptionProxy",
      ["NSUnderlyingProperty": name, "NSEntityDescription": child, "NSReferenceID": 0])
    let own = maker.object(
      "_NSPropertyDescriptionProxy", ["NSUnderlyingProperty": maker.attribute("size", 100)])
    maker.entity("Item", at: child, extends: parent, properties: [("name", proxy), ("size", own)])
    let model = maker.model([("Item", child), ("Base", parent)])
    let decoded = try decode(maker.data(root: model))
    #expect(decoded.model.entities.map(\.name) == ["Base", "Item"])
    #expect(decoded.model.entities[0].isAbstract)
    #expect(decoded.model.entities[1].superentityName == "Base")
    #expect(decoded.model.entities[1].attributes.map(\.name) == ["name", "size"])
    #expect(decoded.notes == [])
  }

  @Test func `fetch indexes, uniqueness constraints and fetch request templates are read`() throws {
    var maker = ArchiveMaker()
    let (x, y) = (maker.attribute("x", 500), maker.attribute("y", 500))
    let near = maker.array(
      ["x", "y"].map { name in
        maker.object(
          "NSFetchIndexElementDescription",
          [
            "NSPropertyName": maker.add(.string(name)), "NSFetchIndexElementType": 1,
            "NSAscending": false,
          ])
      })
    let condition = maker.comparison(maker.keyPath("x"), 2, maker.constant(0))
    let index = maker.object(
      "NSFetchIndexDescription",
      [
        "NSIndexName": maker.add("near"), "NSIndexElements": near,
        "NSPartialIndexPredicate": condition,
      ])
    let item = maker.entity(
      "Item", properties: [("x", x), ("y", y)],
      [
        "NSFetchIndexDescriptions": maker.array([index]),
        "NSUniqueTuples": maker.array([maker.array([x, maker.add("y")])]),
        "NSCompoundIndexes": maker.array([maker.array([maker.add("y"), maker.add("x")])]),
        "NSUserInfo": maker.dictionary([("n", maker.add(7)), ("t", maker.add("text"))]),
      ])
    let request = maker.object(
      "NSFetchRequest",
      [
        "NSEntity": item, "NSFetchLimit": 5, "NSPredicate": condition,
        "NSSortDescriptors": maker.array([
          maker.object("NSSortDescriptor", ["NSKey": maker.add("y"), "NSAscending": false])
        ]),
      ])
    let model = maker.model(
      [("Item", item)],
      [
        "NSFetchRequestTemplates": maker.dictionary([("positive", request)]),
        "NSConfigurations": maker.dictionary([("main", maker.array([item]))]),
        "NSVersionIdentifiers": maker.array([maker.add("2"), maker.add("1")], "NSSet"),
      ])
    let decoded = try decode(maker.data(root: model))
    let entity = try #require(decoded.model.entity(named: "Item"))
    #expect(
      entity.details.fetchIndexes == [
        FetchIndexDescription(
          "near",
          elements: [
            .init("x", kind: .rTree, isAscending: false),
            .init("y", kind: .rTree, isAscending: false),
          ], partialPredicate: "x > 0")
      ])
    #expect(entity.uniquenessConstraints == [["x", "y"]])
    #expect(entity.details.compoundIndexes == [["y", "x"]])
    #expect(entity.details.userInfo == ["n": "7", "t": "text"])
    #expect(
      decoded.model.details
        == ModelDetails(
          configurations: ["main": ["Item"]],
          fetchRequestTemplates: [
            "positive": FetchRequestTemplate(
              "Item", predicate: "x > 0", sortDescriptors: [.init("y", isAscending: false)],
              fetchLimit: 5)
          ], versionIdentifiers: ["1", "2"]))
  }

  @Test func `invalid parts are left out with a note, and the remaining model is valid`() throws {
    var maker = ArchiveMaker()
    let (first, second) = (maker.reserve(), maker.reserve())
    maker.entity(
      "First", at: first, extends: second,
      properties: [
        ("n", maker.attribute("n", 100, ["NSDefaultValue": maker.add(70_000)])),
        ("lost", maker.relationship("lost", to: "Nowhere", inverse: nil)),
        ("one", maker.relationship("one", to: "Second", inverse: "other")),
        ("odd", maker.add("no property")),
      ], ["NSUniqueTuples": maker.array([maker.array([maker.add("missing")])])])
    maker.entity(
      "Second", at: second, extends: first,
      properties: [("other", maker.relationship("other", to: "First", inverse: nil, max: 0))])
    let model = maker.model([("First", first), ("Second", second)])
    let decoded = try decode(maker.data(root: model))
    #expect(
      decoded.notes == [
        "A property without a name was left out.",
        "“First” was made a root entity, because its inheritance is cyclic or too deep.",
        "The default value of “First.n” does not match its type.",
        "“First.lost” was left out: its destination “Nowhere” does not exist.",
        "“First.one” was left without an inverse: “other” does not refer back to it.",
        "A uniqueness constraint of “First” has an unknown property.",
      ])
    #expect(decoded.model.entity(named: "Second")?.attributes.map(\.name) == ["n"])
  }

  @Test func `an archive of another class is not a model`() {
    var maker = ArchiveMaker()
    let color = maker.object("UIColor")
    let data = maker.data(root: color)
    #expect(
      throws: ModelFileError(
        .malformed, subject: "The model cache", detail: "it is an archive of “UIColor”")
    ) { try ModelCache.model(from: data) }
  }
}
