import Foundation
import ModelFiles
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// The source of a store's model, and the notes on it.
struct ModelSourceTests {
  @Test func `the model in the store is used without a note`() throws {
    let fixture = try Fixture("garden")
    let model = try Fixture.gardenModel
    try fixture.putIntoCache(model)
    let store = try fixture.open()
    #expect(store.summary.notes == [])
    #expect(store.model.entities.map(\.name) == model.entities.map(\.name))
    #expect(
      try store.picture(of: "Walk") == """
        Walk 1: title=short; guides=[Person 2, Person 1, Person 3], stops=[Stop 2, Stop 3, Stop 1]
        Walk 2: title=long; guides=[Person 2], keepers=[Person 4], stops=[Stop 4]
        """)
  }

  @Test(arguments: ["x'00'", "'text'", "zeroblob(70000)", "x'a5000000'"])
  func `a model file beside the store replaces a damaged model cache`(content: String) throws {
    let fixture = try Fixture("garden", model: Fixture.garden)
    try fixture.database.run("INSERT INTO Z_MODELCACHE VALUES (\(content))")
    let store = try fixture.open()
    #expect(store.summary.notes.count == 2)
    #expect(store.summary.notes.first?.hasPrefix("The store's model cache cannot be used.") == true)
    #expect(store.model.entity(named: "Cat")?.attribute(named: "Text")?.type == .string)
  }

  @Test func `a store without a model cache is read by its columns`() throws {
    let fixture = try Fixture("garden")
    try fixture.database.run("DROP TABLE Z_MODELCACHE")
    let store = try fixture.open()
    #expect(
      store.summary.notes.first
        == "The store holds no model: it was last written before iOS 9 and OS X 10.11.")
    #expect(store.model.entity(named: "Kitty")?.superentityName == "Animal")
    #expect(
      try store.picture(of: "Kitty") == """
        Kitty 2: born=@1.5, home=house, label=grey, name=Tom, text1=meow; seenat=[Place 2]
        """)
  }

  @Test func `a model file beside the store that does not match is not used`() throws {
    let fixture = try Fixture("garden", model: Fixture.garden)
    try fixture.database.run("ALTER TABLE ZPHOTO ADD COLUMN ZWIDTH INTEGER")
    #expect(
      try fixture.open().model.entity(named: "Photo")?.attributes.map(\.name) == ["title", "width"])
  }

  @Test func `a named model file is used, with a note on differences`() throws {
    let fixture = try Fixture("garden")
    try fixture.database.run("ALTER TABLE ZPHOTO ADD COLUMN ZWIDTH INTEGER")
    let path = Fixture.folder.appendingPathComponent(Fixture.garden).path
    let store = try fixture.open(SQLiteStore.Options(modelPath: path))
    #expect(store.model.entity(named: "Photo")?.attributes.map(\.name) == ["title"])
    #expect(
      store.summary.notes == [
        "The model is read from \(path); "
          + "it differs from the store's own model in 1 entity or column. "
          + "“cardfile migrate” gives the store this model."
      ])
  }

  @Test func `a named file that is not a model is an error`() throws {
    let fixture = try Fixture("garden")
    let error = #expect(throws: StoreError.self) {
      try fixture.open(SQLiteStore.Options(modelPath: "/nowhere/Model.momd"))
    }
    #expect(error?.subject == "/nowhere/Model.momd")
  }

  @Test(.needsRealStores)
  func `the version of a compiled model is chosen by its hashes`() throws {
    let stores = try #require(RealStores.folder)
    let path = stores.appendingPathComponent("models/Sample.momd").path
    let first = try StoreCopy("sample-v1.sqlite", options: .init(modelPath: path)).store
    #expect(first.model.entity(named: "ExpensiveSportCar") != nil)
    let second = try StoreCopy("sample-v2.sqlite", options: .init(modelPath: path)).store
    #expect(second.model.entity(named: "LuxuryCar") != nil)
    for store in [first, second] {
      #expect(store.summary.notes.count == 1)
      #expect(store.summary.notes.first?.contains("differs from the store's own") == false)
    }
  }

  @Test(arguments: [
    (
      "DROP INDEX ZPHOTO_Z11PHOTOS_INDEX; ALTER TABLE ZPHOTO DROP COLUMN Z11PHOTOS",
      "Place is read without photos"
    ),
    ("ALTER TABLE ZWALK DROP COLUMN ZTITLE", "Walk is read without title"),
    ("ALTER TABLE ZBEING DROP COLUMN ZTEXT1", "Cat is read without Text"),
    ("DROP TABLE Z_9WALKS", "Person is read without walks"),
    (
      "DROP INDEX ZSTOP_ZWALK_INDEX; ALTER TABLE ZSTOP DROP COLUMN ZWALK",
      "Stop is read without walk"
    ),
    ("DROP TABLE ZVISIT", "The store has no table for Visit"),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Bird'", "The store has no table for Bird"),
    ("INSERT INTO Z_PRIMARYKEY VALUES (30, 'Ghost', 0, 0)", "The model lacks Ghost"),
    ("DELETE FROM Z_METADATA", "The store has no metadata"),
    (
      "UPDATE Z_METADATA SET Z_PLIST = x'62706C697374303000'", "The store's metadata cannot be read"
    ),
  ])
  func `parts of the model that the tables lack are left out with a note`(
    damage: String, note: String
  ) throws {
    let fixture = try Fixture("garden")
    try fixture.putIntoCache(try Fixture.gardenModel)
    try fixture.database.run(damage)
    let store = try fixture.open()
    #expect(store.summary.notes.contains { $0.hasPrefix(note) }, "\(store.summary.notes)")
    try store.model.validate()
    #expect(try store.picture().contains("Photo 3: title=lost"))
    // All remaining properties can be fetched.
    for entity in store.model.entities {
      for attribute in entity.attributes {
        let order = [FetchSortDescriptor(KeyPathText.text([attribute.name]), ascending: true)]
        _ = try store.fetch(
          FetchPlan(entityName: entity.name, sortDescriptors: order), control: nil)
      }
    }
  }

  @Test func `plain tables with Core Data's names are plain tables`() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE Z_METADATA (a); CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME)")
    let store = try database.open()
    #expect(store.summary.kind == "SQLite database")
    #expect(store.model.entities.map(\.name) == ["Z_METADATA", "Z_PRIMARYKEY"])
  }

  @Test func `circular inheritance and tables of other kinds are tolerated`() throws {
    let fixture = try Fixture("bare")
    try fixture.database.run(
      """
      UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 WHERE Z_ENT = 2;
      INSERT INTO Z_PRIMARYKEY VALUES (70, 'Author', 1, 0), (71, NULL, 0, 0), (72, '', 0, 0),
        (73, 'Loner', 99, 0);
      DROP TABLE ZTAG; CREATE VIEW ZTAG AS SELECT 1 AS Z_PK, 6 AS Z_ENT, 1 AS Z_OPT;
      CREATE TABLE Z_5 (Z_5 INTEGER, Z_ INTEGER); CREATE TABLE Z_99THINGS (Z_98THINGS INTEGER,
        Z_99OTHERS INTEGER);
      """)
    let store = try fixture.open()
    try store.model.validate()
    #expect(
      try store.picture(of: "Author") == "Author 1: age=40, firstname=Ada\nAuthor 2: firstname=Bo")
  }
}
