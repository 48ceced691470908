import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import AtomicStores

/// Core Data XML stores that are made here.
struct XMLStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ contents: String, info: String = "", model: ManagedObjectModel? = nil) throws
    -> XMLStore
  {
    let path = folder.path("store.xml")
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
      \(info)
      \(contents)
      </database>
      """
    try Data(text.utf8).write(to: folder.url("store.xml"))
    #expect(XMLStore.recognizes(path))
    guard let model else { return try XMLStore(path: path) }
    try model.json().write(to: folder.url("model.json"))
    var options = XMLStore.Options()
    options.modelPath = folder.path("model.json")
    return try XMLStore(path: path, options: options)
  }

  private static func info(framework: Int) -> String {
    """
    <databaseInfo><version>134481920</version><UUID>B4FC79D0-E654-43EF-9020-A5273B3F104A</UUID>
      <nextObjectID>189</nextObjectID><metadata><plist version="1.0"><dict>
      <key>NSPersistenceFrameworkVersion</key><integer>\(framework)</integer>
      <key>NSStoreModelVersionHashes</key><dict><key>ToDo</key><data>AA==</data></dict>
      </dict></plist></metadata></databaseInfo>
    """
  }

  private func values(_ store: XMLStore, _ entityName: String) throws -> [[String: Value]] {
    let entity = try #require(store.model.entity(named: entityName))
    let ids = try store.fetch(FetchPlan(entityName: entityName), control: nil).ids
    return try store.rows(of: Array(ids)).map { row in
      let row = try #require(row)
      return Dictionary(
        uniqueKeysWithValues: zip(entity.attributes, row.values).map {
          ($0.name, $0.decode($1))
        })
    }
  }

  private static let everyType = """
    <object type="TODO" id="z102">
        <attribute name="title" type="string">a &lt;b&gt; \\u3c00c\\u3e00 \\u2600 "d"
    e</attribute>
        <attribute name="small" type="int16">-7</attribute>
        <attribute name="medium" type="int32">70000</attribute>
        <attribute name="large" type="int64">9007199254740993</attribute>
        <attribute name="isdone" type="bool">1</attribute>
        <attribute name="ratio" type="float">19.6</attribute>
        <attribute name="due" type="date">269035200.00000000000000000000</attribute>
        <attribute name="icon" type="binary">AAEC
        AwQ=
    </attribute>
    </object>
    """

  @Test func `values of every type are read as they are meant`() throws {
    let store = try store(Self.everyType, info: Self.info(framework: 186))
    #expect(store.identifier == "B4FC79D0-E654-43EF-9020-A5273B3F104A")
    let row = try #require(values(store, "ToDo").first)
    #expect(
      row == [
        "title": .string("a <b> <c> & \"d\"\ne"), "small": .integer(-7), "medium": .integer(70000),
        "large": .integer(9_007_199_254_740_993), "isdone": .bool(true),
        "ratio": .double(Double(Float(19.6))),
        "due": .date(Date(timeIntervalSinceReferenceDate: 269_035_200)),
        "icon": .data(Data([0, 1, 2, 3, 4])),
      ])
    // Newer frameworks write such texts as they are.
    let newer = try self.store(Self.everyType, info: Self.info(framework: 977))
    #expect(
      try values(newer, "ToDo").first?["title"] == .string("a <b> \\u3c00c\\u3e00 \\u2600 \"d\"\ne")
    )
  }

  private static let family = """
    <object type="PERSON" id="z7">
        <attribute name="firstname" type="string">Ada</attribute>
        <relationship name="parent" type="0/1" destination="PERSON"></relationship>
        <relationship name="children" type="0/0" destination="PERSON" idrefs="z12 z9 z99"></relationship>
    </object>
    <object type="PERSON" id="z9">
        <relationship name="parent" type="0/1" destination="PERSON" idrefs="z7"></relationship>
        <relationship name="children" type="0/0" destination="PERSON"></relationship>
    </object>
    <object type="STUDENT" id="z12">
        <attribute name="firstname" type="string">Bo</attribute>
        <relationship name="parent" type="0/1" destination="PERSON" idrefs="z7"></relationship>
    </object>
    """

  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("firstName", .string)
      Attribute("lastName", .string)
      ToOne("parent", "Person", inverse: "children")
      ToMany("children", "Person", inverse: "parent", isOrdered: true)
    }
    Entity("Student", extends: "Person") {}
  }

  private static func object(_ type: String, _ id: String, _ links: [String]) -> String {
    let relationships = links.map { link -> String in
      let parts = link.split(separator: " ", maxSplits: 2).map(String.init)
      return "<relationship name=\"\(parts[0])\" type=\"0/0\" destination=\"\(parts[1])\""
        + " idrefs=\"\(parts[2])\"></relationship>"
    }
    return "<object type=\"\(type)\" id=\"\(id)\"><attribute name=\"title\" type=\"string\">x"
      + "</attribute>\(relationships.joined())</object>"
  }

  @Test func `references show what inherits from what, and which relationships are inverse`() throws
  {
    let store = try store(
      [
        Self.object("TODO", "z1", ["children THING z2 z3", "tags TAG z5"]),
        Self.object("TODO", "z2", ["parent THING z1"]),
        Self.object("FOCUS", "z3", ["parent THING z1", "todos TODO z1"]),
        Self.object("TAG", "z5", ["notes NOTE z1", "owner PERSON z6"]),
        Self.object("PERSON", "z6", []),
      ].joined())
    let model = store.model
    let superentities = model.entities.map { "\($0.name) \($0.superentityName ?? "-")" }
    #expect(
      superentities == ["FOCUS THING", "NOTE THING", "PERSON -", "TAG -", "THING -", "TODO NOTE"])
    // What all that inherit have is theirs together.
    #expect(model.entity(named: "THING")?.attributes.map(\.name) == ["title"])
    #expect(model.entity(named: "THING")?.isAbstract == true)
    func inverse(_ entity: String, _ name: String) -> String? {
      model.entity(named: entity)?.relationship(named: name)?.inverseName
    }
    #expect(inverse("TAG", "notes") == "tags" && inverse("TODO", "tags") == "notes")
    #expect(inverse("FOCUS", "todos") == nil && inverse("TAG", "owner") == nil)
    #expect(try store.count(FetchPlan(entityName: "THING"), control: nil) == 3)
    #expect(store.summary.notes.last?.contains("TODO is a NOTE") == true)
    try model.validate()
    #expect(try StoreContract(store).violations() == [])
  }

  @Test func `entities that lead to each other as to themselves inherit nothing`() throws {
    let store = try store(
      Self.object("A", "z1", ["x A z2"]) + Self.object("B", "z2", ["x B z1"]))
    #expect(store.model.entities.allSatisfy { $0.superentityName == nil })
    // Neither do those that would have a property twice.
    let other = try self.store(
      Self.object("A", "z1", ["title B z2"])
        + "<object type=\"C\" id=\"z2\"><attribute name=\"title\" type=\"string\">x</attribute></object>"
        + Self.object("B", "z3", ["title B z1"]))
    #expect(other.model.entities.allSatisfy { $0.superentityName == nil })
  }

  @Test(arguments: [true, false])
  func `a model tells how names are spelled, what is inherited, and which order counts`(
    isGiven: Bool
  ) throws {
    let store = try store(Self.family, model: isGiven ? Self.model : nil)
    let (person, student) = isGiven ? ("Person", "Student") : ("PERSON", "STUDENT")
    let ada = ObjectID(
      storeIdentifier: store.identifier, entityName: person, key: .integer(7))
    let bo = ObjectID(
      storeIdentifier: store.identifier, entityName: student, key: .integer(12))
    let nine = ObjectID(
      storeIdentifier: store.identifier, entityName: person, key: .integer(9))
    #expect(
      try store.destinations(of: "children", from: [ada, nine])
        == [ada: isGiven ? [bo, nine] : [nine, bo]])
    #expect(try store.destinations(of: "parent", from: [bo]) == [bo: [ada]])
    // A child of a person is a person.
    #expect(try store.count(FetchPlan(entityName: person), control: nil) == 3)
    let name = isGiven ? "firstName" : "firstname"
    #expect(try store.value(of: name, for: ada) == .string("Ada"))
    #expect(try store.value(of: name, for: nine) == .null)
    #expect(store.summary.notes.count == (isGiven ? 0 : 2))
    #expect((store.summary.readOnlyReason == nil) == isGiven)
    #expect(try StoreContract(store).violations() == [])
  }

  @Test(arguments: [
    (#"<object type="PET" id="z1"></object>"#, "the model has no entity PET"),
    (
      #"<object type="PERSON" id="z1"><attribute name="age" type="int16">1</attribute></object>"#,
      "the model has no Person.age"
    ),
    (
      #"<object type="PERSON" id="z1"><attribute name="firstname" type="int16">x</attribute></object>"#,
      "is no int16"
    ), (#"<object type="PERSON"></object>"#, "no type or no id"),
    (#"<object type="PERSON" id="z1">"#, "is not closed"),
    (#"<object type="PERSON" id="z1">&nonsense;</object>"#, "nonsense"),
  ])
  func `what cannot be read is an error that says what and where`(contents: String, words: String)
    throws
  {
    let error = #expect(throws: StoreError.self) { try store(contents, model: Self.model) }
    #expect("\(try #require(error))".contains(words), "\(error as Any)")
    #expect(error?.subject.hasSuffix("store.xml") == true)
  }

  @Test func `damaged files are errors, and nothing else`() throws {
    _ = try store(Self.family, info: Self.info(framework: 640))
    let whole = try Data(contentsOf: folder.url("store.xml"))
    var random = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      try whole.damaged(using: &random).write(to: folder.url("damaged.xml"))
      do throws(StoreError) {
        let store = try XMLStore(path: folder.path("damaged.xml"))
        #expect(try store.storedRows().objectIDs.count <= 3)
      } catch {
        #expect(error.subject.hasSuffix("damaged.xml"))
      }
    }
  }

  @Test(arguments: [
    ("UTF-16", String.Encoding.utf16, false), ("UTF-16", .utf16LittleEndian, false),
    ("ISO-8859-1", .isoLatin1, false), ("windows-1252", .windowsCP1252, false),
    ("macintosh", .macOSRoman, false), ("UTF-8", .utf8, true), ("utf-8", .utf8, true),
  ])
  func `a file says how it is encoded, and is only written in UTF-8`(
    name: String, encoding: String.Encoding, isWritten: Bool
  ) throws {
    let text = """
      <?xml version="1.0" encoding="\(name)" standalone="no"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><!-- <object> --><object type="PERSON" id="z1"><?skip this?>
      <attribute name="firstname" type="string">Zo&#xEB; &amp;<![CDATA[ <Ã> ]]>é &#10;</attribute>
      <attribute name='lastname' type='string'/></object></database>
      """
    try #require(text.data(using: encoding)).write(to: folder.url("encoded.xml"))
    let store = try XMLStore(path: folder.path("encoded.xml"), expectedModel: Self.model)
    #expect(
      try values(store, "Person") == [
        ["firstName": .string("Zoë & <Ã> é \n"), "lastName": .string("")]
      ])
    #expect((store.summary.readOnlyReason == nil) == isWritten)
  }

  @Test func `bytes that are no UTF-8 are read, and the file is not written`() throws {
    var bytes = Array(
      "<database><object type=\"PERSON\" id=\"z1\"><attribute name=\"firstname\" type=\"string\">"
        .utf8)
    bytes += [0xFF, 0x41] + Array("</attribute></object></database>".utf8)
    try Data(bytes).write(to: folder.url("bytes.xml"))
    let store = try XMLStore(path: folder.path("bytes.xml"), expectedModel: Self.model)
    #expect(try values(store, "Person").map { $0["firstName"] } == [.string("\u{FFFD}A")])
    #expect(store.summary.readOnlyReason == "it is not written in UTF-8")
  }

  @Test func `one end of a relationship is enough, and what leads nowhere leads nowhere`() throws {
    let store = try store(
      Self.object("PERSON", "z1", ["children PERSON z2 z9 z3"]) + Self.object("PERSON", "z2", [])
        + Self.object("PERSON", "z3", ["parent PERSON z2"])
        + Self.object("PERSON", "z4", ["parent PERSON z8"]),
      model: ManagedObjectModel {
        Entity("Person") {
          Attribute("title", .string)
          ToOne("parent", "Person", inverse: "children")
          ToMany("children", "Person", inverse: "parent")
        }
      })
    let ids = Array(try store.fetch(FetchPlan(entityName: "Person"), control: nil).ids)
    let parents = try store.destinations(of: "parent", from: ids)
    let children = try store.destinations(of: "children", from: ids)
    // Where both ends are there, that of the one object counts.
    #expect(ids.map { parents[$0]?.map(\.key) ?? [] } == [[], [.integer(1)], [.integer(2)], []])
    #expect(
      ids.map { children[$0]?.map(\.key) ?? [] } == [[.integer(2)], [.integer(3)], [], []])
    #expect(try StoreContract(store).violations() == [])
  }

  @Test func `another file is no XML store`() throws {
    for text in ["", "<", "SQLite format 3\0", "<plist/>", "<databases/>", "{}"] {
      try Data(text.utf8).write(to: folder.url("other"))
      #expect(!XMLStore.recognizes(folder.path("other")), "\(text)")
    }
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0 && !XMLStore.recognizes(folder.path("pipe")))
    #expect(!XMLStore.recognizes(folder.url.path) && !XMLStore.recognizes(folder.path("none")))
  }
}
