import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import Transfers

/// CSV files and folders of Markdown files as stores.
struct TextStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url(name))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url(name)), as: UTF8.self)
  }

  private func csv(_ text: String, _ name: String = "people.csv") throws -> DelimitedStore {
    try write(text, name)
    return try DelimitedStore(path: folder.path(name))
  }

  private func id(_ store: some PersistentStore, _ key: Int64) -> ObjectID {
    ObjectID(
      storeIdentifier: store.identifier, entityName: store.model.entities[0].name,
      key: .integer(key))
  }

  private func values(_ store: some PersistentStore, _ key: Int64) throws -> [Value]? {
    try store.rows(of: [id(store, key)])[0].map { row in
      store.model.entities[0].attributes.indices.map { row.values[$0] }
    }
  }

  private func types(_ store: some PersistentStore) -> [AttributeType] {
    store.model.entities[0].attributes.map(\.type)
  }

  // MARK: CSV

  @Test(arguments: [
    ("1\n-20\n", AttributeType.integer64), ("007\n12\n", .string), ("1.5\n2\n", .double),
    ("1e5\n2e3\n", .string), ("+1\n2\n", .string), ("true\nfalse\n", .boolean),
    ("2024-01-31\n2023-12-01\n", .date), ("31.01.2024\n01.12.2023\n", .date),
    ("01.02.2024\n", .date), ("01/02/2024\n", .string), ("1,234\n", .string),
    ("99999999999999999999\n1\n", .string), ("one\n2\n", .string),
  ])
  func `a column has the type that all its texts have`(
    _ lines: String, _ type: AttributeType
  ) throws {
    let records = lines.split(separator: "\n").map { "\($0);x\n" }.joined()
    #expect(types(try csv("a;b\n" + records))[0] == type)
  }

  private static let people =
    "\u{FEFF}name;code;born;\"height\"\r\n\r\nAda;007;31.01.1990;1.70\r\n"
    + "\"Bob \"\"B\"\"\";010;01.12.1985;\r\nCleo;\"\";02.03.1999;1.8"

  @Test func `records that are not changed keep their bytes`() throws {
    let store = try csv(Self.people)
    #expect(types(store) == [.string, .string, .date, .double])
    #expect(try values(store, 2)?[0] == .string("Bob \"B\""))
    #expect(try values(store, 3)?[1] == .string(""))
    let born = try #require(store.model.entities[0].attribute(named: "born"))
    var request = SaveRequest()
    request.updated = [
      RowChange(
        id: id(store, 2),
        values: [
          "born": try born.encode(.date(Date(timeIntervalSinceReferenceDate: 86_400))),
          "height": .double(1.9), "code": .null,
        ])
    ]
    request.inserted = [
      RowChange(
        id: ObjectID(
          storeIdentifier: store.identifier, entityName: "people", key: .temporary(1)),
        values: ["name": .string("Dan; jr."), "code": .string("")])
    ]
    _ = try store.save(request)
    #expect(
      try text("people.csv").utf8.elementsEqual(
        ("\u{FEFF}name;code;born;\"height\"\r\n\r\nAda;007;31.01.1990;1.70\r\n"
          + "\"Bob \"\"B\"\"\";;02.01.2001;1.9\r\nCleo;\"\";02.03.1999;1.8\r\n"
          + "\"Dan; jr.\";\"\";;\r\n").utf8))
    // What was written is read again as it is in the store.
    let again = try DelimitedStore(path: folder.path("people.csv"))
    for key in 1...4 { #expect(try values(again, Int64(key)) == values(store, Int64(key))) }
    #expect(try StoreContract(again).violations() == [])
  }

  @Test func `a save that changes nothing writes the same bytes`() throws {
    let store = try csv(Self.people)
    _ = try store.save(SaveRequest(updated: [RowChange(id: id(store, 1))]))
    #expect(try text("people.csv").utf8.elementsEqual(Self.people.utf8))
  }

  @Test func `a deleted record is gone, and the keys of others stay`() throws {
    let store = try csv("a,b\n1,x\n2,y\n3,z\n")
    _ = try store.save(SaveRequest(deleted: [RowDeletion(id: id(store, 2))]))
    #expect(try text("people.csv") == "a,b\n1,x\n3,z\n")
    #expect(try values(store, 3) == [.integer(3), .string("z")])
  }

  @Test func `what another program writes is read, and its records keep their keys`() throws {
    let store = try csv("a,b\n1,x\n2,y\n3,z\n")
    #expect(try values(store, 1) != nil)
    // A record is gone, one is new, and two have changed places.
    try write("a,b\n0,new\n3,z\n2,y\n", "people.csv")
    _ = try store.save(
      SaveRequest(updated: [RowChange(id: id(store, 2), values: ["b": .string("Y")])]))
    #expect(try text("people.csv") == "a,b\n0,new\n2,Y\n3,z\n")
    #expect(try values(store, 3) == [.integer(3), .string("z")])
  }

  @Test func `a change on both sides is a conflict`() throws {
    let store = try csv("a,b\n1,x\n2,y\n")
    let row = try #require(try store.rows(of: [id(store, 2)])[0])
    try write("a,b\n1,x\n2,other\n", "people.csv")
    let change = RowChange(id: row.id, version: row.version, values: ["b": .string("mine")])
    let error = #expect(throws: StoreError.self) {
      _ = try store.save(SaveRequest(updated: [change]))
    }
    #expect(error?.reason == .conflict)
    #expect(try text("people.csv") == "a,b\n1,x\n2,other\n")
  }

  @Test(arguments: [
    ("a,b\n1,2,3\n", "line 2: it has 3 fields, and the header 2"),
    ("a,b\n1,\"x\n", "line 2: a quote in it is never closed"),
  ])
  func `a file whose records are not clear is only read, and the line is named`(
    _ source: String, _ reason: String
  ) throws {
    let found = try csv(source).summary.readOnlyReason
    #expect(found?.hasPrefix(reason) == true, "\(found ?? "nil")")
  }

  @Test func `text that is not UTF-8 is read, and not written`() throws {
    try Data([0x61, 0x2C, 0x62, 0x0A, 0xE9, 0x2C, 0x31, 0x0A]).write(to: folder.url("old.csv"))
    let store = try DelimitedStore(path: folder.path("old.csv"))
    #expect(try values(store, 1) == [.string("é"), .integer(1)])
    #expect(store.summary.readOnlyReason == "it is not written in UTF-8")
  }

  @Test func `columns without a name, or with the same one, have names`() throws {
    let store = try csv(",a,a\n1,2,3\n")
    #expect(store.model.entities[0].attributes.map(\.name) == ["column 1", "a", "a 2"])
  }

  @Test func `an import adds records to a CSV file`() throws {
    let store = try csv("name,age\nAda,1\n")
    try write("age,name\n7,Bob\n8,Cleo\n9,Ada\n", "new.csv")
    var options = ImportOptions()
    options.keys = ["name"]
    let importer = try Importer(
      folder.path("new.csv"), as: store.model.entities[0], into: store, options: options)
    let result = try importer.run { _ in }
    #expect(result.phrase == "2 inserted, 1 updated")
    #expect(try text("people.csv") == "name,age\nAda,9\nBob,7\nCleo,8\n")
  }

  // MARK: Markdown

  private func notes() throws -> MarkdownStore {
    try FileManager.default.createDirectory(
      at: folder.url("notes"), withIntermediateDirectories: true)
    try write(
      "---\n# A comment\ntitle: \"Ada: first\"\nstars: 5\ntags:\n  - a\n  - b\ndate: 2024-01-31\n---\nHello\n",
      "notes/a.md")
    try write("---\r\ntitle: Bob\r\nstars: 3\r\n---\r\nText\r\n", "notes/b.md")
    try write("No front matter\n", "notes/c.md")
    try write("ignored", "notes/d.txt")
    return try MarkdownStore(path: folder.path("notes"))
  }

  @Test func `front matter are attributes of the types that it has`() throws {
    let store = try notes()
    #expect(
      store.model.entities[0].attributes.map { "\($0.name) \($0.type.rawValue)" }
        == [
          "file string", "title string", "stars integer64", "tags string", "date date",
          "text string",
        ])
    #expect(
      try values(store, 1) == [
        .string("a.md"), .string("Ada: first"), .integer(5), .string("- a\n  - b"),
        .string("2024-01-31"), .string("Hello\n"),
      ])
    #expect(
      try values(store, 3)
        == [.string("c.md"), .null, .null, .null, .null, .string("No front matter\n")])
    #expect(try StoreContract(store).violations() == [])
  }

  @Test func `only lines that are changed are written anew`() throws {
    let store = try notes()
    let new = ObjectID(
      storeIdentifier: store.identifier, entityName: "notes", key: .temporary(1))
    _ = try store.save(
      SaveRequest(
        inserted: [
          RowChange(
            id: new,
            values: ["file": .string("new.md"), "title": .string("# \"x\""), "stars": .integer(1)])
        ],
        updated: [
          RowChange(id: id(store, 1), values: ["stars": .integer(4)]),
          RowChange(id: id(store, 2), values: ["title": .null, "file": .string("bob.md")]),
        ],
        deleted: [RowDeletion(id: id(store, 3))]))
    #expect(
      try text("notes/a.md")
        == "---\n# A comment\ntitle: \"Ada: first\"\nstars: 4\ntags:\n  - a\n  - b\ndate: 2024-01-31\n---\nHello\n"
    )
    #expect(try text("notes/bob.md") == "---\r\nstars: 3\r\n---\r\nText\r\n")
    #expect(try text("notes/new.md") == "---\ntitle: \"# \\\"x\\\"\"\nstars: 1\n---\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("notes")).sorted()
        == ["a.md", "bob.md", "d.txt", "new.md"])
    let again = try MarkdownStore(path: folder.path("notes"))
    #expect(try StoreContract(again).violations() == [])
    #expect(try values(again, 3)?[1] == .string("# \"x\""))
  }

  @Test(arguments: ["../x.md", "x.txt", ".hidden.md", "a/b.md", ""])
  func `a name that is none of a Markdown file in the folder is refused`(_ name: String) throws {
    let store = try notes()
    #expect(throws: StoreError.self) {
      _ = try store.save(
        SaveRequest(updated: [RowChange(id: id(store, 1), values: ["file": .string(name)])]))
    }
    #expect(try values(store, 1)?[0] == .string("a.md"))
  }

  @Test func `a file that another program has changed is read again`() throws {
    let store = try notes()
    #expect(try values(store, 1) != nil)
    try write("---\ntitle: Zoe\n---\n", "notes/0.md")
    try write("---\ntitle: Bob 2\n---\n", "notes/b.md")
    _ = try store.save(
      SaveRequest(updated: [RowChange(id: id(store, 1), values: ["stars": .integer(9)])]))
    #expect(try values(store, 2)?[1] == .string("Bob 2"))
    #expect(try values(store, 4)?[1] == .string("Zoe"))
  }

  // MARK: Values

  @Test(arguments: [
    ("dd.MM.yyyy", "31.01.2024"), ("yyyy/MM/dd", "2024/02/29"), ("dd MMM yyyy", "05 Mar 1999"),
    ("EEE, dd MMM yyyy", "Wed, 31 Jan 2024"), ("MM/dd/yyyy hh:mm a", "12/31/1999 12:05 AM"),
    ("dd.MM.yyyy HH:mm:ss", "01.01.1970 23:59:59"), ("yyyyMMdd", "19691231"),
    ("dd.MM.yyyy HH:mm:ss.SSS", "01.01.2001 00:00:00.250"),
  ])
  func `a date is written in its form`(_ form: String, _ text: String) throws {
    let pattern = try #require(DatePattern(form))
    let seconds = try #require(pattern.referenceSeconds(text))
    #expect(pattern.text(referenceSeconds: seconds) == text)
  }
}
