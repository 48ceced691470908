import Foundation
import ObjectModel
import Synchronization
import TestSupport
import Testing

@testable import AtomicStores

/// XML stores that are changed.
struct XMLWritingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("things.xml") }

  init() throws { folder = try TemporaryFolder() }

  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("firstName", .string)
      Attribute("age", .integer16)
      Attribute("born", .date)
      Attribute("icon", .binaryData)
      Attribute("weight", .double)
      ToOne("parent", "Person", inverse: "children")
      ToMany("children", "Person", inverse: "parent")
      ToMany("friends", "Person", inverse: "friends", isOrdered: true)
    }
    Entity("Pet") { Attribute("name", .string) }
  }

  private static func file(framework: Int = 977) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>D1E2667A-3268-45DB-8AA0-DF69A046A0F1</UUID>
            <nextObjectID>118</nextObjectID>
            <metadata>
                <plist version="1.0">
                    <dict>
                        <key>NSPersistenceFrameworkVersion</key>
                        <integer>\(framework)</integer>
                    </dict>
                </plist>
            </metadata>
        </databaseInfo>
        <!-- kept -->
        <object type="PERSON" id="z102">
            <attribute name="firstname" type="string">Ada</attribute>
            <attribute name="age"   type="int16">36</attribute>
            <relationship name="children" type="0/0" destination="PERSON" idrefs="z103"></relationship>
            <relationship name="parent" type="0/1" destination="PERSON"></relationship>
            <relationship name="friends" type="0/0" destination="PERSON" idrefs="z104 z103"></relationship>
        </object>
        <object type="PERSON" id="z103">
            <attribute name="firstname" type="string">Bo</attribute>
            <relationship name="parent" type="0/1" destination="PERSON" idrefs="z102"></relationship>
            <relationship name="friends" type="0/0" destination="PERSON" idrefs="z102"></relationship>
        </object>
        <object type="PERSON" id="z104">
            <relationship name="friends" type="0/0" destination="PERSON" idrefs="z102"></relationship>
        </object>
        <object type="PET" id="rex">
            <attribute name="name" type="string">Rex</attribute>
        </object>
    </database>

    """
  }

  private static func new(_ entityName: String, _ number: UInt64) -> ObjectID {
    ObjectID(storeIdentifier: "", entityName: entityName, key: .temporary(number))
  }

  private func open(_ text: String? = nil, isForced: Bool = false) throws -> XMLStore {
    if let text { try Data(text.utf8).write(to: folder.url("things.xml")) }
    var options = XMLStore.Options()
    options.forcesTypes = isForced
    return try XMLStore(path: path, options: options, expectedModel: Self.model)
  }

  private func written() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func id(_ key: Int64, in store: XMLStore) -> ObjectID {
    ObjectID(storeIdentifier: store.identifier, entityName: "Person", key: .integer(key))
  }

  private func change(_ key: Int64, _ values: ChangedValues, in store: XMLStore) throws -> RowChange
  {
    let row = try #require(store.rows(of: [id(key, in: store)])[0])
    return RowChange(id: row.id, version: row.version, values: values)
  }

  @Test func `only what changes is written anew, and the rest keeps its bytes`() throws {
    let store = try open(Self.file())
    _ = try store.save(SaveRequest())
    #expect(try written() == Self.file())
    _ = try store.save(
      SaveRequest(updated: [change(102, ["firstName": "A<b> & \"c\"\n🦄", "age": 37], in: store)]))
    #expect(
      try written()
        == Self.file().replacingOccurrences(of: ">Ada<", with: ">A&lt;b&gt; &amp; \"c\"\n🦄<")
        .replacingOccurrences(
          of: "<attribute name=\"age\"   type=\"int16\">36",
          with: "<attribute name=\"age\" type=\"int16\">37"))
    let again = try open()
    #expect(try again.value(of: "firstName", for: id(102, in: again)) == .string("A<b> & \"c\"\n🦄"))
  }

  @Test func `a new object gets the next number, both sides of its relationships are written`()
    throws
  {
    let store = try open(Self.file())
    let new = Self.new("Person", 1)
    let pet = Self.new("Pet", 2)
    let result = try store.save(
      SaveRequest(
        inserted: [
          RowChange(
            id: new,
            values: [
              "firstName": "Cy",
              "born": .date(Date(timeIntervalSinceReferenceDate: 259_495_720.564_060_003)),
              "icon": .data(Data([0, 1, 255])),
            ],
            toOne: ["parent": id(102, in: store)]), RowChange(id: pet, values: ["name": "Tom"]),
        ], linked: [ObjectLink("friends", from: id(103, in: store), to: new)]))
    #expect(Set(result.permanentIDs.values.map(XMLText.name)) == ["z119", "z120"])
    let text = try written()
    #expect(text.contains("<nextObjectID>120</nextObjectID>"))
    let name = try XMLText.name(of: #require(result.permanentIDs[new]))
    #expect(text.contains("idrefs=\"z103 \(name)\""))
    #expect(text.contains("idrefs=\"z102 \(name)\""))
    #expect(
      text.contains(
        """
            <object type="PERSON" id="\(name)">
                <attribute name="firstname" type="string">Cy</attribute>
                <attribute name="born" type="date">259495720.56406000256538391113</attribute>
                <attribute name="icon" type="binary">AAH/
        </attribute>
                <relationship name="children" type="0/0" destination="PERSON"></relationship>
                <relationship name="parent" type="0/1" destination="PERSON" idrefs="z102"></relationship>
                <relationship name="friends" type="0/0" destination="PERSON" idrefs="z103"></relationship>
            </object>
        """), "\(text)")
    #expect(text.hasSuffix("    </object>\n</database>\n"))
    let again = try open()
    #expect(
      try again.destinations(of: "children", from: [id(102, in: again)])[id(102, in: again)]?.count
        == 2)
    #expect(
      try again.destinations(of: "friends", from: [id(102, in: again)])
        == [id(102, in: again): [id(104, in: again), id(103, in: again)]])
  }

  @Test func `a deleted object leaves no trace, and its number is not given again`() throws {
    let store = try open(Self.file())
    let last = try store.save(
      SaveRequest(inserted: [RowChange(id: Self.new("Pet", 3), values: [:])]))
    let pet = try #require(last.permanentIDs.values.first)
    _ = try store.save(SaveRequest(deleted: [RowDeletion(id: pet)]))
    #expect(try written() == Self.file().replacingOccurrences(of: ">118<", with: ">119<"))
    let next = try open().save(
      SaveRequest(inserted: [RowChange(id: Self.new("Pet", 4), values: [:])]))
    #expect(next.permanentIDs.values.map(XMLText.name) == ["z120"])
  }

  @Test func `what another program wrote meanwhile stays, and is a conflict where it is the same`()
    throws
  {
    let (mine, other) = (try open(Self.file()), try open())
    _ = try (mine.storedRows(), other.storedRows())
    let stale = try change(103, ["firstName": "mine"], in: mine)
    let untouched = try change(102, ["firstName": "mine"], in: mine)
    _ = try other.save(SaveRequest(updated: [change(103, ["firstName": "theirs"], in: other)]))
    let before = try written()
    let error = #expect(throws: StoreError.self) { try mine.save(SaveRequest(updated: [stale])) }
    #expect(error?.reason == .conflict)
    #expect(try written() == before)
    _ = try mine.save(SaveRequest(updated: [untouched]))
    #expect(
      try written()
        == before.replacingOccurrences(of: ">Ada<", with: ">mine<")
        .replacingOccurrences(of: "\"age\"   type", with: "\"age\" type"))
  }

  @Test @MainActor func `another program's save is told to those who watch`() async throws {
    try FileManager.default.createDirectory(
      at: folder.url("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("elsewhere/real.xml"))
    try Data(Self.file().utf8).write(to: folder.url("elsewhere/real.xml"))
    let (mine, other) = (try open(), try open())
    _ = try mine.storedRows()
    let count = Atomic(0)
    let observation = mine.observeForeignChanges { count.add(1, ordering: .relaxed) }
    for (number, name) in ["first", "second", "third"].enumerated() {
      _ = try other.save(
        SaveRequest(updated: [change(103, ["firstName": .string(name)], in: other)]))
      try await until { count.load(ordering: .relaxed) > number }
      #expect(try mine.value(of: "firstName", for: id(103, in: mine)) == .string(name))
    }
    observation.cancel()
  }

  @Test func `two stores of one file that save at the same time lose nothing`() async throws {
    _ = try open(Self.file())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let store = try open()
          for number in 0..<20 {
            _ = try store.save(
              SaveRequest(inserted: [
                RowChange(
                  id: Self.new("Pet", 5), values: ["name": .string("\(writer) \(number)")])
              ]))
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try open()
    #expect(try store.count(FetchPlan(entityName: "Pet"), control: nil) == 81)
  }

  @Test func `a type that no file is known to have is written on demand, or where the file has it`()
    throws
  {
    let store = try open(Self.file())
    let error = #expect(throws: StoreError.self) {
      try store.save(SaveRequest(updated: [change(102, ["weight": .double(60.5)], in: store)]))
    }
    #expect("\(try #require(error))".contains("--force-write"))
    #expect(error?.subject == "Person.weight")
    #expect(try written() == Self.file())
    let forced = try open(isForced: true)
    _ = try forced.save(
      SaveRequest(updated: [change(102, ["weight": .double(60.5)], in: forced)]))
    #expect(try written().contains("<attribute name=\"weight\" type=\"double\">60.5</attribute>"))
    let again = try open()
    _ = try again.save(SaveRequest(updated: [change(103, ["weight": .double(1)], in: again)]))
    #expect(try written().contains("<attribute name=\"weight\" type=\"double\">1</attribute>"))
  }

  @Test(arguments: [(977, "a\u{1}b", "U+1"), (186, "\\u3c00", "means “<”")])
  func `a text that the file cannot have is refused, and the file stays`(
    framework: Int, text: String, words: String
  ) throws {
    let store = try open(Self.file(framework: framework))
    let error = #expect(throws: StoreError.self) {
      try store.save(
        SaveRequest(updated: [change(102, ["firstName": .string(text)], in: store)]))
    }
    #expect("\(try #require(error))".contains(words))
    #expect(try written() == Self.file(framework: framework))
  }

  @Test func `old files keep their way of writing markup`() throws {
    let store = try open(Self.file(framework: 186))
    _ = try store.save(
      SaveRequest(updated: [change(102, ["firstName": "<a> & b"], in: store)]))
    #expect(try written().contains(">\\u3c00a\\u3e00 \\u2600 b</attribute>"))
    let again = try open()
    #expect(try again.value(of: "firstName", for: id(102, in: again)) == .string("<a> & b"))
  }

  @Test func `the file is copied before the first change, with its mode`() throws {
    try Data(Self.file().utf8).write(to: folder.url("things.xml"))
    chmod(path, 0o640)
    var options = XMLStore.Options()
    options.makesBackup = true
    let store = try XMLStore(path: path, options: options, expectedModel: Self.model)
    _ = try store.save(SaveRequest())
    #expect(store.backupPath == nil)
    for name in ["one", "two"] {
      _ = try store.save(
        SaveRequest(updated: [change(103, ["firstName": .string(name)], in: store)]))
    }
    let copy = try #require(store.backupPath)
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == Self.file())
    var status = stat()
    #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o640)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(names.count == 2, "\(names)")
  }

  @Test func `a file that cannot be written, and a derived model, are only read`() throws {
    try Data(Self.file().utf8).write(to: folder.url("things.xml"))
    let derived = try XMLStore(path: path)
    #expect(derived.summary.readOnlyReason?.contains("--model") == true)
    let error = #expect(throws: StoreError.self) { try derived.save(SaveRequest()) }
    #expect(error?.reason == .readOnly)
    // A link stays one, and the mode of what it leads to too.
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("real.xml"))
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("real.xml"))
    chmod(folder.path("real.xml"), 0o640)
    let store = try open()
    _ = try store.save(SaveRequest(updated: [change(103, ["firstName": "new"], in: store)]))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(folder.path("real.xml"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try written().contains(">new<"))
  }

  @Test func `random saves give what a store in memory has after them`() throws {
    var random = SeededGenerator(seed: 3)
    for seed in 0..<30 {
      let store = try open(Self.file())
      let memory = InMemoryRows(
        model: Self.model, storeIdentifier: store.identifier, rows: try rows(store),
        links: try links(store))
      var save = memory
      for number in 0..<8 {
        let people = save.objectIDs.filter { $0.entityName == "Person" }.sorted()
        var request = SaveRequest()
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          request.inserted = [
            RowChange(
              id: Self.new("Person", 6), values: ["firstName": .string("n\(number)")],
              toOne: ["parent": people.randomElement(using: &random)])
          ]
        case 1:
          if let id = people.randomElement(using: &random) {
            request.updated = [
              RowChange(
                id: id, version: try store.rows(of: [id])[0]?.version,
                values: ["age": .integer(Int64(seed))],
                toOne: ["parent": people.filter { $0 != id }.randomElement(using: &random)])
            ]
          }
        case 2:
          if let a = people.randomElement(using: &random),
            let b = people.randomElement(using: &random), a != b
          {
            request.linked = [ObjectLink("friends", from: a, to: b)]
          }
        default:
          if let id = people.randomElement(using: &random) {
            // What leads to it goes with it.
            request.deleted = [RowDeletion(id: id)]
            let children = try store.destinations(of: "children", from: [id])[id] ?? []
            request.updated = try children.filter { $0 != id }.map {
              RowChange(
                id: $0, version: try store.rows(of: [$0])[0]?.version,
                toOne: ["parent": nil as ObjectID?])
            }
          }
        }
        _ = try store.save(request)
        save = try store.storedRows()
      }
      let again = try open()
      #expect(try rows(again) == rows(store), "seed \(seed)")
      #expect(try links(again) == links(store), "seed \(seed)")
      #expect(try StoreContract(again).violations() == [])
    }
  }

  private func rows(_ store: XMLStore) throws -> [RowSnapshot] {
    let rows = try store.storedRows()
    return rows.objectIDs.sorted().compactMap(rows.row)
  }

  private func links(_ store: XMLStore) throws -> [ObjectLink] {
    let ids = try store.storedRows().objectIDs.filter { $0.entityName == "Person" }.sorted()
    let found = try store.destinations(of: "friends", from: ids)
    return ids.flatMap { id in (found[id] ?? []).map { ObjectLink("friends", from: id, to: $0) } }
  }
}
