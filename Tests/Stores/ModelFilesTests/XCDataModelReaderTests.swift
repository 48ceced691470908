import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

struct XCDataModelReaderTests {
  private func read(_ inner: String, attributes: String = "") throws -> DecodedModel {
    try XCDataModel.model(
      from: Data("<?xml version=\"1.0\"?>\n<model \(attributes)>\(inner)</model>".utf8))
  }

  private func attribute(_ attributes: String) throws -> AttributeDescription {
    let decoded = try read(
      "<entity name=\"E\"><attribute name=\"a\" \(attributes)/></entity>")
    #expect(decoded.notes == [])
    return try #require(decoded.model.entity(named: "E")?.attribute(named: "a"))
  }

  @Test(arguments: [
    ("Integer 16", "defaultValueString=\"-3\"", AttributeType.integer16, Value.integer(-3)),
    ("Integer 32", "defaultValueString=\"0\"", .integer32, 0),
    ("Integer 64", "", .integer64, .null),
    ("Decimal", "defaultValueString=\"0.10\"", .decimal, .decimal(Decimal(string: "0.1") ?? 0)),
    ("Double", "defaultValueString=\"0.0\"", .double, 0.0),
    ("Float", "defaultValueString=\"1.5\"", .float, 1.5),
    ("String", "defaultValueString=\"a &amp; &#x62;&#10;\"", .string, "a & b\n"),
    ("String", "defaultValueString=\"a\n\tb\"", .string, "a  b"),
    ("Boolean", "defaultValueString=\"YES\"", .boolean, true),
    ("Boolean", "defaultValueString=\"NO\"", .boolean, false),
    ("Boolean", "defaultValueString=\"0.0\"", .boolean, false),
    ("Boolean", "defaultValueString=\"1.0\"", .boolean, true),
    ("Boolean", "defaultValueString=\"false\"", .boolean, false),
    ("Integer 16", "defaultValueString=\"YES\"", .integer16, 1),
    ("Integer 32", "defaultValueString=\"NO\"", .integer32, 0),
    ("Integer 64", "defaultValueString=\"true\"", .integer64, 1),
    ("Integer 64", "defaultValueString=\"0.0\"", .integer64, 0),
    ("Integer 64", "defaultValueString=\"9223372036854775807\"", .integer64, .integer(.max)),
    ("Double", "defaultValueString=\"NO\"", .double, 0.0),
    ("Float", "defaultValueString=\"YES\"", .float, 1.0),
    ("Decimal", "defaultValueString=\"false\"", .decimal, .decimal(0)),
    (
      "Date", "defaultDateTimeInterval=\"-978307200.5\"", .date,
      .date(Date(timeIntervalSinceReferenceDate: -978_307_200.5))
    ),
    ("Binary", "", .binaryData, .null), ("Transformable", "", .transformable, .null),
    (
      "UUID", "defaultValueString=\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", .uuid,
      UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map { .uuid($0) } ?? .null
    ),
    ("URI", "defaultValueString=\"a:b\"", .uri, URL(string: "a:b").map { .url($0) } ?? .null),
    ("Undefined", "", .undefined, .null),
  ])
  func `attribute types and default values are those of Xcode's compiler`(
    name: String, text: String, type: AttributeType, value: Value
  ) throws {
    let attribute = try attribute("attributeType=\"\(name)\" \(text)")
    #expect(attribute.type == type)
    #expect(attribute.defaultValue == value)
    #expect(!attribute.isOptional)
    #expect(attribute.encoding == type.coreDataEncoding())
    #expect(attribute.details.valueClassName == type.defaultValueClassName)
  }

  @Test func `a model without entities is a model`() throws {
    #expect(try read("").model.entities.isEmpty)
  }

  @Test func `all flags of an attribute are read`() throws {
    let attribute = try attribute(
      """
      attributeType="Transformable" optional="YES" allowsExternalBinaryDataStorage="YES"
      preserveAfterDeletion="YES" spotlightIndexingEnabled="YES" allowsCloudEncryption="YES"
      indexed="YES" elementID="former" versionHashModifier="2" customClassName="Colour"
      valueTransformerName="ColourTransformer" usesScalarValueType="NO" syncable="YES"
      """)
    let property = PropertyDetails(
      renamingIdentifier: "former", versionHashModifier: "2", isIndexedBySpotlight: true,
      isIndexed: true)
    #expect(
      attribute
        == AttributeDescription(
          "a", .transformable, encoding: .externalData,
          details: AttributeDetails(
            property: property, valueClassName: "Colour",
            valueTransformerName: "ColourTransformer", allowsExternalBinaryDataStorage: true,
            preservesValueInHistoryOnDeletion: true, allowsCloudEncryption: true)))
  }

  @Test(arguments: [
    (
      "Integer 16", "minValueString=\"1\" maxValueString=\"8\"",
      [ValidationRule("SELF >= 1", warning: "1620"), ValidationRule("SELF <= 8", warning: "1610")]
    ),
    ("Double", "minValueString=\"-0.5\"", [ValidationRule("SELF >= -0.5", warning: "1620")]),
    (
      "String", "minValueString=\"3\" maxValueString=\"50\" regularExpressionString=\"\\d+&quot;\"",
      [
        ValidationRule("length >= 3", warning: "1670"),
        ValidationRule("length <= 50", warning: "1660"),
        ValidationRule(#"SELF MATCHES "\\d+\"""#, warning: "1680"),
      ]
    ),
    (
      "Date", "minDateTimeInterval=\"0\" maxDateTimeInterval=\"12.5\"",
      [
        ValidationRule("SELF >= CAST(0.0, \"NSDate\")", warning: "1640"),
        ValidationRule("SELF <= CAST(12.5, \"NSDate\")", warning: "1630"),
      ]
    ),
    ("Boolean", "minValueString=\"1\"", []),
  ])
  func `bounds and patterns become the validation predicates of Xcode's compiler`(
    type: String, text: String, rules: [ValidationRule]
  ) throws {
    let attribute = try attribute("attributeType=\"\(type)\" \(text)")
    #expect(attribute.details.property.validations == rules)
  }

  @Test func `every element and attribute of an entity is read`() throws {
    let decoded = try read(
      """
      <entity name="Book" representedClassName="LBook" isAbstract="YES" elementID="Volume"
          versionHashModifier="3" syncable="YES">
        <attribute name="title" attributeType="String"/>
        <attribute name="old" optional="YES" transient="YES" attributeType="Date"/>
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES"
            derivationExpression="pages.@count"/>
        <relationship name="pages" toMany="YES" minCount="1" maxCount="9" ordered="YES"
            deletionRule="Cascade" destinationEntity="Page" inverseName="book" inverseEntity="Page">
          <userInfo><entry key="k" value="v"/></userInfo>
        </relationship>
        <fetchedProperty name="alike" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"
              predicateString="title = $FETCH_SOURCE.title"/>
        </fetchedProperty>
        <fetchIndex name="byTitle">
          <fetchIndexElement property="title" type="Binary" order="descending"/>
          <fetchIndexElement expression="canonical:(title)" expressionType="String" type="RTree"
              order="ascending"/>
        </fetchIndex>
        <compoundIndexes><compoundIndex><index value="title"/><index value="count"/></compoundIndex></compoundIndexes>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo><entry key="a" value="&lt;b&gt;"/></userInfo>
      </entity>
      <entity name="Comic" parentEntity="Book"/>
      <entity name="Page">
        <relationship name="book" optional="YES" maxCount="1" deletionRule="Deny"
            destinationEntity="Book" inverseName="pages" inverseEntity="Book"/>
      </entity>
      <configuration name="Local"><memberEntity name="Page"/><memberEntity name="Book"/></configuration>
      <fetchRequest name="all" entity="Book" predicateString="title beginswith[c] $T" fetchLimit="5"/>
      <elements><element name="Book" positionX="0" positionY="0" width="128" height="60"/></elements>
      """, attributes: "userDefinedModelVersionIdentifier=\"7\"")
    #expect(decoded.notes == [])
    let book = try #require(decoded.model.entity(named: "Book"))
    #expect(book.isAbstract)
    #expect(book.attributes.map(\.name) == ["count", "title"])
    #expect(book.attributes[0].isReadOnly)
    let derivation = try #require(book.attributes[0].details.derivation?.expression)
    #expect(PredicateText.canonicalExpression("pages.@count") == derivation)
    let pages = RelationshipDetails(
      property: PropertyDetails(userInfo: ["k": "v"]), minCount: 1, maxCount: 9)
    #expect(
      book.relationships == [
        RelationshipDescription(
          "pages", to: "Page", inverse: "book", isToMany: true, isOrdered: true, isOptional: false,
          deleteRule: .cascade, details: pages)
      ])
    #expect(book.uniquenessConstraints == [["title"]])
    let details = book.details
    #expect((details.className, details.renamingIdentifier) == ("LBook", "Volume"))
    #expect((details.versionHashModifier, details.userInfo) == ("3", ["a": "<b>"]))
    #expect(details.transientAttributes.map(\.name) == ["old"])
    #expect(details.compoundIndexes == [["title", "count"]])
    #expect(
      details.fetchedProperties == [
        FetchedPropertyDescription(
          "alike",
          fetchRequest: FetchRequestTemplate(
            "Book", predicate: "title == $FETCH_SOURCE.title"))
      ])
    #expect(details.fetchIndexes.map(\.name) == ["byTitle"])
    #expect(details.fetchIndexes[0].elements[0] == .init("title", isAscending: false))
    #expect(details.fetchIndexes[0].elements[1].isExpression)
    #expect(details.fetchIndexes[0].elements[1].kind == .rTree)
    let comic = try #require(decoded.model.entity(named: "Comic"))
    #expect(comic.attributes == book.attributes)
    #expect(comic.relationships == book.relationships)
    #expect(comic.details.fetchIndexes == [])
    #expect(
      decoded.model.entity(named: "Page")?.relationships == [
        RelationshipDescription(
          "book", to: "Book", inverse: "pages", deleteRule: .deny,
          details: RelationshipDetails(maxCount: 1))
      ])
    #expect(decoded.model.details.configurations == ["Local": ["Book", "Page"]])
    #expect(
      decoded.model.details.fetchRequestTemplates == [
        "all": FetchRequestTemplate("Book", predicate: "title BEGINSWITH[c] $T", fetchLimit: 5)
      ])
    #expect(decoded.model.details.versionIdentifiers == ["7"])
  }

  @Test func `the leaves of nested composites become attributes named by their key paths`() throws {
    let decoded = try read(
      """
      <entity name="E">
        <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
        <attribute name="none" optional="YES" attributeType="Composite" composite="Missing"/>
      </entity>
      <composite name="Address">
        <attribute name="street" optional="YES" attributeType="String"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
      </composite>
      <composite name="Place"><attribute name="x" attributeType="Double"/></composite>
      """)
    let entity = try #require(decoded.model.entity(named: "E"))
    #expect(entity.attributes.map(\.name) == ["home.place.x", "home.street"])
    #expect(entity.attributes.map(\.details.compositeName) == ["home.place", "home"])
    #expect(entity.details.composites.map(\.name) == ["home", "home.place", "none"])
    #expect(entity.details.composites.map(\.typeName) == ["Address", "Place", "Missing"])
    #expect(decoded.notes == ["“none” has an unknown composite type."])
  }

  @Test func `what cannot be parsed is kept as text or left out, with a note`() throws {
    let decoded = try read(
      """
      <entity name="E">
        <attribute name="a" attributeType="Vector" defaultValueString="x"/>
        <attribute name="b" attributeType="Integer 16" defaultValueString="many"
            minValueString="x y"/>
        <relationship name="r" deletionRule="Burn" destinationEntity="E"/>
        <fetchedProperty name="f"/>
        <fetchIndex name="i" partialIndexPredicate="((("/>
      </entity>
      """)
    let entity = try #require(decoded.model.entity(named: "E"))
    #expect(entity.attributes.map(\.type) == [.undefined, .integer16])
    #expect(entity.details.fetchIndexes.first?.partialPredicate == "(((")
    #expect(
      decoded.notes == [
        "“a” has the unknown type “Vector”.",
        "A validation rule of “b” was left out: it cannot be parsed.",
        "The default value of “b” does not match its type.",
        "“f” was left out: it has no fetch request.",
        "The delete rule of “r” is unknown.",
        "The predicate of “E.i” cannot be parsed and is kept as text.",
      ])
  }

  @Test func `an .xcdatamodeld folder is read in its current version`() throws {
    let folder = try TemporaryFolder()
    func write(_ text: String, _ path: String) throws -> String {
      let url = folder.url(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
      return url.path
    }
    func xml(_ entity: String) -> String { "<model><entity name=\"\(entity)\"/></model>" }
    let bare = try write(xml("One"), "App.xcdatamodeld/App.xcdatamodel/contents")
    _ = try write(xml("Two"), "App.xcdatamodeld/App 2.xcdatamodel/contents")
    _ = try write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>",
      "App.xcdatamodeld/.xccurrentversion")
    let root = folder.path("App.xcdatamodeld")
    func entities(_ path: String, version: String? = nil) throws -> [String] {
      try ModelFile.read(path: path, version: version).model.entities.map(\.name)
    }
    #expect(try entities(root) == ["Two"])
    #expect(try entities(root, version: "App") == ["One"])
    #expect(try entities(root + "/App.xcdatamodel") == ["One"])
    #expect(try entities(bare) == ["One"])
    #expect(try ModelFile.versions(path: root).names == ["App", "App 2"])
  }
}
