import Foundation
import ObjectModel
import Testing

struct ModelTests {
  @Test func `an entity inherits the properties of its ancestors`() throws {
    let model = ManagedObjectModel {
      Entity("Car", extends: "Vehicle") { Attribute("doors", .integer16, default: 4) }
      Entity("Vehicle", extends: "Thing", isAbstract: true) { ToOne("owner", "Person") }
      Entity("Thing") {
        Attribute("name", .string)
        Unique("name")
      }
      Entity("Person")
    }
    try model.validate()
    let car = try #require(model.entity(named: "Car"))
    #expect(car.attributes.map(\.name) == ["name", "doors"])
    #expect(car.relationships.map(\.name) == ["owner"])
    #expect(car.uniquenessConstraints == [["name"]])
    #expect(model.entityNames(inheritingFrom: "Thing") == ["Thing", "Vehicle", "Car"])
    #expect(model.isKind("Car", of: "Thing") && !model.isKind("Thing", of: "Car"))
  }

  @Test(arguments: [true, false])
  func `a model made in code has loops and conditions`(isLong: Bool) {
    let shared = ["made", "changed"].map { Attribute($0, .date) }
    let model = ManagedObjectModel {
      for name in ["A", "B"] {
        Entity(name) {
          shared
          for number in 0..<2 { Attribute("n\(number)", .integer64) }
          if isLong { Attribute("note", .string) }
          if isLong { ToOne("next", name) } else { Attribute("next", .uri) }
        }
      }
      if isLong { Entity("C") }
    }
    #expect(model.entities.map(\.name) == (isLong ? ["A", "B", "C"] : ["A", "B"]))
    let entity = model.entity(named: "B")
    let common = ["made", "changed", "n0", "n1"]
    #expect(entity?.attributes.map(\.name) == common + [isLong ? "note" : "next"])
    #expect(entity?.relationships.map(\.name) == (isLong ? ["next"] : []))
  }

  static let invalidModels: [(ManagedObjectModel, String)] = [
    (
      ManagedObjectModel {
        Entity("A") { ToOne("b", "Bee") }
        Entity("Be")
      },
      "A.b has the destination entity “Bee”, which does not exist in the model; did you mean “Be”?"
    ),
    (
      ManagedObjectModel {
        Entity("A") { ToOne("b", "B", inverse: "aas") }
        Entity("B") { ToMany("as", "A") }
      },
      "A.b has the inverse B.aas, which does not exist; did you mean “B.as”?"
    ),
    (
      ManagedObjectModel {
        Entity("A") { ToOne("b", "B", inverse: "as") }
        Entity("B") { ToMany("as", "A", inverse: "c") }
      },
      "A.b has the inverse B.as, but B.as has the destination A and the inverse A.c. "
        + "Each must be the inverse of the other."
    ),
    (
      ManagedObjectModel {
        Entity("A") { ToOne("b", "B", inverse: "as") }
        Entity("B") { ToMany("as", "B", inverse: "b") }
      },
      "A.b has the inverse B.as, but B.as has the destination B and the inverse B.b. "
        + "Each must be the inverse of the other."
    ),
    (
      ManagedObjectModel {
        Entity("A")
        Entity("A")
      }, "There are two entities named “A”."
    ),
    (
      ManagedObjectModel {
        Entity("A") {
          Attribute("x", .string)
          ToOne("x", "A")
        }
      }, "A has two properties named “x”."
    ),
    (
      ManagedObjectModel { Entity("A", extends: "Aa") },
      "A inherits from “Aa”, which does not exist in the model; did you mean “A”?"
    ),
    (
      ManagedObjectModel {
        Entity("A", extends: "B")
        Entity("B", extends: "A")
      }, "A inherits from B inherits from A: an entity cannot inherit from itself."
    ),
    (
      ManagedObjectModel {
        Entity("A") {
          Unique("nme")
          Attribute("name", .string)
        }
      },
      "A uniqueness constraint of A uses the attribute “nme”, which does not exist; "
        + "did you mean “name”?"
    ),
    (
      ManagedObjectModel { Entity("A") { Attribute("n", .integer16, default: "x") } },
      "n must be an integer from -32,768 to 32,767, but “x” is text."
    ),
    (ManagedObjectModel { Entity("") }, "An entity has no name."),
    (
      ManagedObjectModel(entities: [
        EntityDescription(name: "A", attributes: [.init("x", .string)]),
        EntityDescription(name: "B", superentityName: "A", attributes: []),
      ]), "B inherits from A, but lacks A.x or declares it differently."
    ),
  ]

  @Test(arguments: invalidModels)
  func `an invalid model is refused`(model: ManagedObjectModel, sentence: String) {
    let error = #expect(throws: ModelError.self) { try model.validate() }
    #expect(error?.description == sentence)
  }

  @Test func `a model reads back equal from its JSON, and equal models have equal JSON`() throws {
    let all = AttributeType.allCases.map { AttributeDescription("a\($0)", $0) }
    let deinvalidModels: [(AttributeType, Value)] = [
      (.string, ""), (.double, .double(.infinity)),
      (.decimal, .decimal(Decimal(string: "0.10") ?? 0)), (.boolean, false),
      (.integer64, .integer(.min)),
      (.date, .date(Date(timeIntervalSinceReferenceDate: 0.1))),
      (.binaryData, .data(Data([1, 2]))), (.uuid, .uuid(UUID())), (.string, "é\u{301}\"\u{0}"),
    ]
    let entity = EntityDescription(
      name: "Käse/\"x\"", isAbstract: true,
      attributes: all
        + deinvalidModels.enumerated().map {
          AttributeDescription(
            "d\($0.offset)", $0.element.0, encoding: .native, isOptional: false,
            defaultValue: $0.element.1, isReadOnly: true, declaredType: "NVARCHAR(160)")
        },
      relationships: [
        .init(
          "self", to: "Käse/\"x\"", isToMany: true, isOrdered: true, isOptional: false,
          deleteRule: .deny)
      ],
      uniquenessConstraints: [["d0", "d1"]], keyAttributes: ["d0"], readOnlyReason: "it is a view")
    for model in [
      Fixtures.model, ManagedObjectModel(entities: [entity]), ManagedObjectModel(entities: []),
    ] {
      let json = try model.json()
      let again = try ManagedObjectModel(json: json)
      #expect(again == model)
      #expect(try again.json() == json)
    }
  }

  @Test(arguments: [
    ("", "The model cannot be read: "), ("[]", "The model cannot be read: "),
    ("{}", "The model cannot be read: “version” is missing."),
    (
      "{\"version\": 9, \"entities\": []}",
      "The model cannot be read: its version 9 is newer than 2."
    ),
    (
      "{\"version\": 1, \"entities\": [{\"name\": \"A\", \"attributes\": [{\"name\": \"x\", \"type\": \"float\", \"defaultValue\": {\"double\": \"x\"}}]}]}",
      "The model cannot be read: at entities.[0].attributes.[0].defaultValue.double: "
        + "the text is not a valid double."
    ),
    (
      "{\"version\": 1, \"entities\": [{\"name\": \"A\", \"relationships\": [{\"name\": \"x\", \"destination\": \"B\"}]}]}",
      "A.x has the destination entity “B”, which does not exist"
    ),
  ])
  func `invalid JSON is refused with a reason`(json: String, sentence: String) {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(json: Data(json.utf8)) }
    #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("titel", ["title"]), ("TITLE", ["title"]), ("Ärtist", ["artist", "artists"]),
    ("tit", ["title", "titles"]), ("zzz", []), ("", []), ("nmae", ["name"]),
  ])
  func `the nearest names are suggested`(name: String, names: [String]) {
    let candidates = ["artist", "artists", "title", "titles", "name", "year", "x"]
    let found = NearestNames.suggestions(for: name, in: candidates)
    #expect(found.first == names.first)
    #expect(Set(names).isSubset(of: found))
    #expect(found.count <= 3)
  }

  @Test(arguments: [
    (["ArtistId", "Name"], "Name"), (["Id", "FirstName", "LastName"], "LastName"),
    (["Id", "Title", "Name"], "Name"), (["Id", "Code"], "Code"), (["Id"], "Id"),
    (["Id", "BillingAddress", "Album_Title"], "Album_Title"),
    (["Id", "City", "Country", "Remark"], "Remark"), (["Id", "Street", "City"], "Street"),
    (["Id", "url", "City"], "City"), (["Id", "name", "profileFullName", "surname"], "name"),
  ])
  func `the display attribute is the one that best identifies an object`(
    names: [String], display: String
  ) {
    let entity = EntityDescription(
      name: "E", attributes: names.map { .init($0, $0.hasSuffix("Id") ? .integer64 : .string) },
      keyAttributes: [names[0]])
    #expect(entity.displayAttributeName == display)
  }

  @Test func `bytes are never what identifies an object`() {
    let entity = EntityDescription(
      name: "Image",
      attributes: [
        AttributeDescription("image", .binaryData), AttributeDescription("size", .integer64),
      ])
    #expect(entity.displayAttributeName == "size")
    let bytes = EntityDescription(
      name: "Image", attributes: [AttributeDescription("image", .binaryData)])
    #expect(bytes.displayAttributeName == nil)
  }

  @Test func `a store error is a sentence with a remedy`() {
    let id = ObjectID(storeIdentifier: "s", entityName: "Artist", key: .integer(7))
    let error = StoreError(
      .conflict, doing: "saving", subject: "3 objects", objectIDs: [id, id, id, id])
    #expect(
      error.description
        == "Saving 3 objects: changed by someone else since it was read: Artist 7; Artist 7; Artist 7 and 1 more.\n  try: refresh to see their changes, then do it again"
    )
    #expect(
      StoreError(.other, doing: "opening", subject: "x.db", detail: "disk I/O error").description
        == "Opening x.db: disk I/O error.")
    #expect(
      StoreError(.notFound, doing: "opening", subject: "x", remedy: "make it").description
        == "Opening x: there is no such file.\n  try: make it")
  }

  /// The name of an object by the values of its attributes.
  private func name(_ entity: String, _ values: KeyValuePairs<String, Value>, toOne: Bool = false)
    -> String?
  {
    let entity = EntityDescription(
      name: entity,
      attributes: values.map { name, value in
        if case .date = value { return AttributeDescription(name, .date, encoding: .isoText) }
        return AttributeDescription(name, value.text == nil ? .integer64 : .string)
      }, relationships: toOne ? [RelationshipDescription("owner", to: "Owner")] : [])
    let id = ObjectID(storeIdentifier: "s", entityName: entity.name, key: .integer(7))
    return ObjectNaming(entity).name(of: id) { index in
      let (attribute, value) = (entity.attributes[index], values[index].value)
      return (try? attribute.encode(value)) ?? .null
    }
  }

  @Test func `a person is named by both names, an order by its day, a product by its name`() {
    let day = Value.date(Date(timeIntervalSince1970: 0))
    #expect(name("Customer", ["FirstName": "Ada", "LastName": "Byron"]) == "Ada Byron")
    #expect(name("Customer", ["first_name": "", "last_name": "Byron"]) == "Byron")
    #expect(
      name("Orders", ["ShipName": "Wolski", "OrderDate": day], toOne: true)
        == "Orders 7 · 1970-01-01")
    #expect(name("Products", ["ProductName": "Chai", "made": day], toOne: true) == "Chai")
    #expect(name("files", ["strFilename": "a.mkv", "played": day], toOne: true) == "a.mkv")
    #expect(name("Ships", ["ShipName": "Vasa", "built": day], toOne: true) == "Vasa")
    #expect(name("Customers", ["CompanyName": "Wolski", "since": day]) == "Wolski")
    #expect(name("Orders", ["ShipName": "Wolski", "OrderDate": .null], toOne: true) == "Wolski")
    // A state is that of many.
    #expect(
      name("Invoice", ["BillingState": "RJ", "InvoiceDate": day], toOne: true)
        == "Invoice 7 · 1970-01-01")
    #expect(name("Track", ["length": 3]) == nil)
  }
}
