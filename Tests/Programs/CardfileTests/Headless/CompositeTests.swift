import Foundation
import TestSupport
import Testing

/// Composite attributes, and models that belong to other stores.
struct CompositeTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("books.sqlite")
    let model = folder.path("Books.xcdatamodel")
    try FileManager.default.createDirectory(
      atPath: model, withIntermediateDirectories: true)
    try Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Book">
          <attribute name="title" optional="YES" attributeType="String"/>
          <attribute name="author" optional="YES" attributeType="Composite" composite="Person"/>
          <attribute name="zone" optional="YES" attributeType="String"/>
        </entity>
        <composite name="Person">
          <attribute name="id" optional="YES" attributeType="Integer 64"/>
          <attribute name="name" optional="YES" attributeType="Composite" composite="Name"/>
        </composite>
        <composite name="Name">
          <attribute name="first" optional="YES" attributeType="String"/>
          <attribute name="last" optional="YES" attributeType="String"/>
        </composite>
      </model>
      """.utf8
    ).write(to: folder.url("Books.xcdatamodel/contents"))
    let created = try Program.run("create", store, "--model", model, "--layout", "coredata")
    try #require(created.status == 0, "\(created.errors)")
    try Database.write(
      store,
      """
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZID, ZFIRST, ZLAST, ZZONE)
      VALUES (1, 1, 1, 'Notes', 7, 'Ada', 'Lovelace', 'UK')
      """)
  }

  private func fetch(_ arguments: String...) throws -> String {
    let base = ["fetch", store, "Book", "--format", "json"]
    let outcome = try Program.run(base + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test func `json prints a composite as an object of its elements`() throws {
    let object =
      #""author":{"id":7,"name":{"first":"Ada","last":"Lovelace"}},"title":"Notes","zone":"UK"}"#
    #expect(try fetch().hasSuffix(object + "\n"))
    #expect(
      try fetch("--columns", "title,author")
        == #"{"title":"Notes","author":{"id":7,"name":{"first":"Ada","last":"Lovelace"}}}"# + "\n")
    #expect(
      try fetch("--columns", "author.name,zone")
        == #"{"author":{"name":{"first":"Ada","last":"Lovelace"}},"zone":"UK"}"# + "\n")
    for condition in [
      "author.name.last == 'Lovelace'", "author.name.first BEGINSWITH 'A'", "author.name != nil",
      "-author.id < 1",
    ] {
      #expect(try fetch("--columns", "title", "--where", condition) == #"{"title":"Notes"}"# + "\n")
    }
    #expect(try fetch("--columns", "author.id") == #"{"author.id":7}"# + "\n")
  }

  @Test func `a model that shares no entity with the store is refused`() throws {
    try Data(
      #"""
      {"version": 1, "entities": [
        {"name": "Other", "attributes": [{"name": "title", "type": "string"}]}]}
      """#.utf8
    ).write(to: folder.url("other.json"))
    for command in [["entities", store], ["count", store, "Book"], ["check", store]] {
      let outcome = try Program.run(command + ["--model", folder.path("other.json")])
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("none of the store's entities"), "\(outcome.errors)")
    }
  }
}
