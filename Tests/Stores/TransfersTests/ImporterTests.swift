import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@testable import Transfers

/// What becomes of files in a store.
struct ImporterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let people = """
    CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, height REAL,
      age INTEGER, is_member BOOLEAN, photo BLOB, code TEXT, email TEXT UNIQUE,
      city TEXT NOT NULL DEFAULT 'Oslo', team_id INTEGER REFERENCES team(id),
      boss_id INTEGER REFERENCES person(id));
    INSERT INTO team VALUES (1, 'red'), (2, 'blue');
    """

  func store(_ sql: String = people) throws -> (path: String, store: SQLiteStore) {
    let path = folder.path("\(UUID().uuidString).sqlite")
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
    return (path, try SQLiteStore.open(path: path))
  }

  func file(_ text: String, _ name: String = "file.csv") throws -> String {
    try Data(text.utf8).write(to: folder.url(name))
    return folder.path(name)
  }

  func rows(_ path: String, _ sql: String) throws -> [String] {
    try DatabaseQueue(path: path).read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "NULL" : String.fromDatabaseValue($0) ?? "\($0)" }
          .joined(separator: "|")
      }
    }
  }

  /// Imports a text as objects of an entity.
  @discardableResult
  func run(
    _ text: String, as entity: String, into store: SQLiteStore, name: String = "file.csv",
    acceptsRejects: Bool = true, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> (result: ImportResult, rejected: [String]) {
    var options = ImportOptions()
    change(&options)
    let importer = try Importer(
      file(text, name), as: #require(store.model.entity(named: entity)), into: store,
      options: options)
    var rejected: [String] = []
    let result = try importer.run(acceptsRejects: acceptsRejects) { rejected.append($0.phrase) }
    return (result, rejected)
  }

  @Test func `a rejected record has line, column and reason, and nothing is written unless wanted`()
    throws
  {
    let (path, store) = try store()
    let text = """
      name,age,email
      Ana,1,a@x
      "Bo

      2",two,b@x
      ,3,c@x
      Di,4,a@x
      Ed,5
      Flo,6,f@x
      """
    #expect(throws: TransferError.self) {
      try run(text, as: "person", into: store, acceptsRejects: false)
    }
    #expect(try rows(path, "SELECT * FROM person").isEmpty)
    let (result, rejected) = try run(text, as: "person", into: store)
    #expect(result.inserted == 2 && result.rejected == 4)
    #expect(
      rejected.sorted()
        == [
          "line 3, age: age must be an integer, but “two” is not; write it as 12",
          "line 6, name: name is required",
          "line 7, email: another row has the same person.email",
          "line 8: it has 2 fields, and the header 3",
        ].sorted(), "\(rejected)")
    #expect(try rows(path, "SELECT name FROM person") == ["Ana", "Flo"])
  }

  @Test func `an object with the same key is updated, in what the file has`() throws {
    let (path, store) = try store()
    try run("name,email,age\nAna,a@x,1\nBo,b@x,2\n", as: "person", into: store)
    let (result, _) = try run(
      "email,age\na@x,7\nb@x,2\nc@x,3\n", as: "person", into: store
    ) { $0.keys = ["email"] }
    #expect(result == ImportResult.of(updated: 1, unchanged: 1, rejected: 1))
    #expect(
      try rows(path, "SELECT name, email, age FROM person") == ["Ana|a@x|7", "Bo|b@x|2"])
    // Also by an attribute without an index, and by one that the same file has inserted.
    let (again, rejected) = try run(
      "name,code,age\nAna,x,1\nDi,y,2\nDi,z,3\n", as: "person", into: store
    ) { $0.keys = ["name"] }
    #expect(rejected.isEmpty)
    #expect(again == ImportResult.of(inserted: 1, updated: 2))
    #expect(
      try rows(path, "SELECT name, code, age FROM person") == ["Ana|x|1", "Bo|NULL|2", "Di|z|3"])
    let (several, reasons) = try run(
      "name,age\nBo,1\n", as: "person",
      into: try { () throws -> SQLiteStore in
        try run("name\nBo\n", as: "person", into: store)
        return store
      }()
    ) { $0.keys = ["name"] }
    #expect(several.rejected == 1 && reasons[0].contains("several objects"))
  }

  @Test func `relationships are found by an attribute, also of objects that come later`() throws {
    let (path, store) = try store()
    let relationships = try #require(store.model.entity(named: "person")).relationships.map(\.name)
    #expect(Set(relationships).isSuperset(of: ["team", "boss"]))
    let (_, rejected) = try run(
      """
      name,team,boss.name
      Ana,red,Cy
      Bo,green,
      Cy,blue,Di
      Di,,
      Ed,,Nobody
      """, as: "person", into: store
    ) { $0.links = ["team": "name"] }
    #expect(
      try rows(
        path,
        """
        SELECT p.name, p.team_id, b.name FROM person p LEFT JOIN person b ON b.id = p.boss_id
        ORDER BY p.name
        """) == ["Ana|1|Cy", "Cy|2|Di", "Di|NULL|NULL"])
    #expect(
      rejected.sorted() == [
        "line 3, team: no team has name “green”", "line 6, boss.name: no person has name “Nobody”",
      ])
  }

  @Test func `JSON has lines or a list, keys in any order, and null is not missing`() throws {
    for text in [
      """
      {"name": "Ana", "height": 1.5, "city": null, "code": "007"}
      {"is_member": true, "name": "B\\u00f6\\n", "x": [1, {"y": 2}]}
      {"name": broken}
      {"name": "Cy", "age": 3, "late": 1}
      """
    ] {
      let (path, store) = try store()
      let (result, rejected) = try run(text, as: "person", into: store, name: "file.jsonl")
      #expect(result.inserted == 3)
      #expect(rejected.count == 1 && rejected[0].hasPrefix("line 3: it is no JSON"))
      #expect(
        try rows(path, "SELECT name, height, is_member, age, city, code FROM person") == [
          "Ana|1.5|NULL|NULL|Oslo|007", "Bö\n|NULL|1|NULL|Oslo|NULL", "Cy|NULL|NULL|3|Oslo|NULL",
        ])
    }
    let (path, store) = try store()
    let (result, _) = try run(
      " [ {\"name\": \"A\"}, {\"name\": \"B\"} , ]", as: "person", into: store, name: "file.json")
    #expect(result.inserted == 2)
    #expect(try rows(path, "SELECT name FROM person") == ["A", "B"])
    #expect(throws: TransferError.self) {
      try run("[{\"name\": \"A\"}", as: "person", into: store, name: "file.json")
    }
  }

  @Test func `options name columns and properties, and what does not exist is said`() throws {
    let (path, store) = try store()
    try run("who;nick\nAna;An\n", as: "person", into: store) {
      $0.properties = ["who": "name", "nick": ""]
    }
    #expect(try rows(path, "SELECT name, code FROM person") == ["Ana|NULL"])
    for (change, words) in [
      ({ $0.properties = ["whom": "name"] }, "no column “whom”"),
      ({ $0.properties = ["who": "nam"] }, "no “nam” in person"),
      ({ $0.keys = ["email"] }, "no column of the file is email"),
      ({ $0.links = ["tea": "name"] }, "no “tea” in person"),
      ({ _ in }, "no column of the file is a property of person: it has “who”, “nick”"),
      ({ $0.properties = ["nick": "code"] }, "name, which each object"),
    ] as [((inout ImportOptions) -> Void, String)] {
      let error = #expect(throws: TransferError.self) {
        try run("who;nick\nAna;An\n", as: "person", into: store, change)
      }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }

  @Test(arguments: [
    "who;nick\n1;2\n", "objectID\nx-coredata://s/note/p1\n", "[{}, {}]", "{\"who\": 1}",
  ])
  func `a file of which no column is a property is refused, also where nothing is required`(
    text: String
  ) throws {
    let path = folder.path("notes.sqlite")
    try DatabaseQueue(path: path).writeWithoutTransaction {
      try $0.execute(sql: "CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT)")
    }
    let store = try SQLiteStore.open(path: path)
    let error = #expect(throws: TransferError.self) {
      try run(text, as: "note", into: store, name: text.hasPrefix("[") ? "f.json" : "f.csv")
    }
    #expect(error?.reason == .usage && error?.remedy.contains("--map") == true)
    #expect(try store.count(FetchPlan(entityName: "note"), control: nil) == 0)
  }

  @Test(arguments: [true, false])
  func `a one-to-one relationship has both ends, and one object at each`(isPlain: Bool) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A", attributes: [AttributeDescription("n", .string)],
        relationships: [RelationshipDescription("b", to: "B", inverse: "a")]),
      EntityDescription(
        name: "B", attributes: [AttributeDescription("n", .string)],
        relationships: [RelationshipDescription("a", to: "A", inverse: "b")]),
    ])
    let store = try SQLiteStore.create(
      path: folder.path("pairs.sqlite"), model: model,
      layout: isPlain ? .plain : .coreData(CoreDataCreation()))
    func pairs() throws -> [String] {
      try ["A", "B"].flatMap { name -> [String] in
        let other = name == "A" ? "b" : "a"
        let ids = Array(try store.fetch(FetchPlan(entityName: name), control: nil).ids)
        let found = try store.destinations(of: other, from: ids)
        return ids.compactMap { id in found[id]?.first.map { "\(id) \($0)" } }
      }
    }
    try run("n\nb1\nb2\n", as: "B", into: store)
    // The last one of two has the object.
    try run("n,b.n\na1,b1\na2,b1\na3,b2\n", as: "A", into: store)
    #expect(try pairs() == ["A 2 B 1", "A 3 B 2", "B 1 A 2", "B 2 A 3"])
    // From the other end, by an update, and to nobody.
    try run("n,a.n\nb2,a1\n", as: "B", into: store) { $0.keys = ["n"] }
    #expect(try pairs() == ["A 1 B 2", "A 2 B 1", "B 1 A 2", "B 2 A 1"])
    try run("n,b.n\na2,b2\na1,\n", as: "A", into: store) { $0.keys = ["n"] }
    #expect(try pairs() == ["A 2 B 2", "B 2 A 2"])
  }

  @Test func `a file of the wrong kind leaves the store alone`() throws {
    let (path, store) = try store()
    for text in ["", "\u{0}\u{1}\u{2}", "{\"name\": 1", "[1, 2]"] {
      _ = try? run(text, as: "person", into: store, acceptsRejects: false)
      #expect(try rows(path, "SELECT * FROM person").isEmpty)
    }
  }

  @Test func `a cancelled import leaves the store as it was`() throws {
    let (path, store) = try store()
    let text = "name\n" + (0..<20_000).map { "n\($0)\n" }.joined()
    let control = FetchControl()
    let importer = try Importer(
      file(text), as: #require(store.model.entity(named: "person")), into: store)
    #expect(throws: StoreError.self) {
      try FetchControl.$current.withValue(control) {
        _ = try importer.run(reject: { _ in }) { if $0.records > 8_000 { control.cancel() } }
      }
    }
    #expect(try rows(path, "SELECT * FROM person").isEmpty)
  }

  // MARK: Core Data stores

  static let library = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Author",
        attributes: [
          AttributeDescription(
            "name", .string, isOptional: false,
            details: AttributeDetails(
              property: PropertyDetails(
                userInfo: ["mappedKeyName": "full_name"], validations: ["length >= 2"]))),
          AttributeDescription(
            "born", .date,
            details: AttributeDetails(
              property: PropertyDetails(userInfo: ["dateFormat": "d/M/yyyy"]))
          ),
          AttributeDescription("score", .integer16, isOptional: false, defaultValue: 5),
        ],
        relationships: [
          RelationshipDescription(
            "books", to: "Book", inverse: "author", isToMany: true, isOrdered: true)
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Book",
        attributes: [AttributeDescription("title", .string), AttributeDescription("id", .uuid)],
        relationships: [
          RelationshipDescription(
            "author", to: "Author", inverse: "books", isOptional: false,
            details: RelationshipDetails(
              property: PropertyDetails(userInfo: ["relatedByAttribute": "name"]))),
          RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
        ]),
      EntityDescription(
        name: "Tag", attributes: [AttributeDescription("word", .string)],
        relationships: [
          RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
        ]),
    ])

  @Test func `damaged gzip is an error that names the file`() throws {
    let (_, store) = try store()
    try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF]).write(to: folder.url("x.gz"))
    let error = #expect(throws: TransferError.self) {
      _ = try Importer(
        folder.path("x.gz"), as: #require(store.model.entity(named: "person")), into: store)
    }
    #expect(error?.subject == folder.path("x.gz") && error?.detail.hasPrefix("gzip: ") == true)
  }

  @Test func `a file of ten thousand columns is imported`() throws {
    let (path, store) = try store()
    let names = (0..<10_000).map { $0 == 5_000 ? "name" : "c\($0)" }
    let fields = names.map { $0 == "name" ? "Ada" : "" }
    let text = names.joined(separator: ",") + "\n" + fields.joined(separator: ",") + "\n"
    #expect(try run(text, as: "person", into: store).result.inserted == 1)
    #expect(try rows(path, "SELECT name FROM person") == ["Ada"])
  }

  @Test(arguments: [true, false])
  func `a store of Core Data gets keys, defaults, rules, relationships and history`(
    isCoreData: Bool
  ) throws {
    let path = folder.path("library\(isCoreData).sqlite")
    let store = try SQLiteStore.create(
      path: path, model: Self.library,
      layout: isCoreData ? .coreData(CoreDataCreation(keepsHistory: true)) : .plain)
    let (authors, reasons) = try run(
      "full_name,born\nAna,1/2/1950\nB,\nCyd,\nAna,\n", as: "Author", into: store)
    #expect(authors.inserted == 2 && authors.rejected == 2, "\(reasons)")
    #expect(reasons.contains("line 3, full_name: name must meet length >= 2"), "\(reasons)")
    try run("word\nred\nblue\n", as: "Tag", into: store)
    let (books, rejected) = try run(
      """
      {"title": "One", "author": "Ana", "tags.word": ["red", "blue"], \
      "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF"}
      {"title": "Two", "author": "Cyd", "tags.word": []}
      {"title": "Three", "author": "Ana"}
      {"title": "None"}
      """, as: "Book", into: store, name: "books.json")
    #expect(books.inserted == 3 && rejected == ["line 4: author is required"], "\(rejected)")
    let plan = FetchPlan(entityName: "Author")
    let ids = Array(try store.fetch(plan, control: nil).ids)
    let links = try store.destinations(of: "books", from: ids)
    #expect(links.values.map(\.count).sorted() == [1, 2])
    let tags = try store.destinations(
      of: "tags", from: Array(store.fetch(FetchPlan(entityName: "Book"), control: nil).ids))
    #expect(tags.values.map(\.count) == [2])
    let rows = try store.rows(of: ids).compactMap { $0 }
    #expect(rows.map { $0.values[2] } == [5, 5])
    #expect(try store.check().filter { $0.severity == .error }.isEmpty)
    guard isCoreData else { return }
    #expect(
      try self.rows(path, "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 10 ORDER BY 1") == [
        "Author|2", "Book|3", "Tag|2",
      ])
    #expect(
      try self.rows(path, "SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 0") == ["7"])
  }
}

extension ImportResult {
  fileprivate static func of(
    inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, rejected: Int = 0
  ) -> ImportResult {
    var result = ImportResult()
    (result.inserted, result.updated) = (inserted, updated)
    (result.unchanged, result.rejected) = (unchanged, rejected)
    return result
  }
}
