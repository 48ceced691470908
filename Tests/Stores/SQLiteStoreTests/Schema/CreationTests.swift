import Foundation
import GRDB
import ObjectModel
import SQLQueries
import SQLiteStore
import Testing

/// Tests of stores created from models.
struct CreationTests {
  private static let model = ManagedObjectModel {
    Entity("Being", isAbstract: true) {
      Attribute("name", .string, isOptional: false, default: "it's")
      Attribute("born", .date)
    }
    Entity("Person", extends: "Being") {
      Attribute("salary", .decimal)
      Attribute("token", .uuid, encoding: .uuidData)
      Attribute("isActive", .boolean, isOptional: false, default: true)
      ToOne("employer", "Company", inverse: "staff")
      ToMany("pets", "Pet", inverse: "owner", deleteRule: .cascade)
      ToMany("friends", "Person", inverse: "friends")
      ToOne("desk", "Desk", inverse: "user")
      ToMany("tags", "Tag", inverse: "people", isOrdered: true)
    }
    Entity("Pet", extends: "Being") {
      Attribute("salary", .string)
      ToOne("owner", "Person", inverse: "pets")
    }
    Entity("Company") {
      Attribute("id", .string)
      Attribute("order", .integer16)
      ToMany("staff", "Person", inverse: "employer", deleteRule: .deny)
      Unique("id")
    }
    Entity("Desk") {
      Attribute("room", .string)
      ToOne("user", "Person", inverse: "desk")
    }
    Entity("Tag") {
      Attribute("word", .string)
      ToMany("people", "Person", inverse: "tags")
    }
  }

  private func object(_ entity: String, _ number: UInt64) -> ObjectID {
    ObjectID(storeIdentifier: "", entityName: entity, key: .temporary(number))
  }

  /// Returns the rows of a query as text.
  private func rows(_ database: TemporaryDatabase, _ sql: String) throws -> [String] {
    let connection = try database.connect(busyTimeout: 1)
    return try connection.writeWithoutTransaction { connection in
      try Row.fetchAll(connection, sql: sql).map { row in
        row.databaseValues.map { "\($0)" }.joined(separator: " ")
      }
    }
  }

  @Test func `the created tables have readable names and declarations`() throws {
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(path: database.path, model: Self.model)
    let statements = try database.connect().writeWithoutTransaction { connection in
      try String.fetchAll(
        connection, sql: "SELECT sql FROM sqlite_schema WHERE name IN ('Being', 'Person_tags')")
    }
    #expect(
      statements.joined(separator: "\n") == """
        CREATE TABLE "Being" (
          "id" INTEGER PRIMARY KEY AUTOINCREMENT,
          "entity" TEXT NOT NULL,
          "name" TEXT NOT NULL DEFAULT 'it''s',
          "born" TEXT,
          "salary" TEXT,
          "token" BLOB,
          "isActive" BOOLEAN,
          "employer" INTEGER REFERENCES "Company"("_id") \
        ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED,
          "Pet_salary" TEXT,
          "owner" INTEGER REFERENCES "Being"("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
        )
        CREATE TABLE "Person_tags" (
          "person" INTEGER NOT NULL REFERENCES "Being"("id") \
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "tag" INTEGER NOT NULL REFERENCES "Tag"("id") \
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "position" INTEGER,
          PRIMARY KEY ("person", "tag")
        ) WITHOUT ROWID
        """)
    #expect(try database.files == ["test.sqlite"])
  }

  @Test func `reopening a created store gives the same model`() throws {
    let database = try TemporaryDatabase()
    let created = try SQLiteStore.create(path: database.path, model: Self.model)
    let opened = try database.open()
    #expect(opened.model == created.model)
    #expect(opened.identifier == created.identifier)
    #expect(UUID(uuidString: opened.identifier) != nil)
    #expect(opened.summary.journalMode == "WAL")
    #expect(opened.model.entities.map(\.name) == Self.model.entities.map(\.name))
    for entity in Self.model.entities {
      let found = try #require(opened.model.entity(named: entity.name))
      #expect(found.relationships == entity.relationships)
      #expect(found.superentityName == entity.superentityName)
      #expect(found.uniquenessConstraints == entity.uniquenessConstraints)
      #expect(found.attributes.map(\.name) == entity.attributes.map(\.name))
      #expect(found.attributes.map(\.encoding) == entity.attributes.map(\.encoding))
      #expect(found.attributes.map(\.defaultValue) == entity.attributes.map(\.defaultValue))
    }
  }

  @Test func `inherited entities, relationships and their order are saved`() throws {
    let database = try TemporaryDatabase()
    let store = try SQLiteStore.create(path: database.path, model: Self.model)
    let (ann, bob, rex) = (object("Person", 1), object("Person", 2), object("Pet", 3))
    let (acme, desk) = (object("Company", 4), object("Desk", 5))
    let (red, blue) = (object("Tag", 6), object("Tag", 7))
    let result = try store.save(
      SaveRequest(
        inserted: [
          RowChange(id: rex, values: ["name": "Rex", "salary": "bones"], toOne: ["owner": ann]),
          RowChange(
            id: ann, values: ["name": "Ann", "salary": "10.50", "isActive": 1],
            toOne: ["employer": acme, "desk": desk]),
          RowChange(id: bob, values: ["name": "Bob", "isActive": 0]),
          RowChange(id: acme, values: ["id": "A"]),
          RowChange(id: desk, values: ["room": "1"], toOne: ["user": ann]),
          RowChange(id: red, values: ["word": "red"]),
          RowChange(id: blue, values: ["word": "blue"]),
        ],
        linked: [
          ObjectLink("friends", from: ann, to: bob), ObjectLink("tags", from: ann, to: blue),
          ObjectLink("tags", from: ann, to: red),
        ]))
    let ids = result.permanentIDs
    func permanent(_ id: ObjectID) throws -> ObjectID { try #require(ids[id]) }

    let beings = try store.fetch(FetchPlan(entityName: "Being"), control: nil).ids
    #expect(Set(beings) == Set(try [ann, bob, rex].map(permanent)))
    let people = try store.fetch(FetchPlan(entityName: "Person"), control: nil).ids
    #expect(Set(people) == Set(try [ann, bob].map(permanent)))
    #expect(
      try store.count(FetchPlan(entityName: "Being", includesSubentities: false), control: nil) == 0
    )

    func follow(_ name: String, _ id: ObjectID) throws -> [ObjectID] {
      try store.destinations(of: name, from: [permanent(id)])[permanent(id)] ?? []
    }
    #expect(try follow("pets", ann) == [permanent(rex)])
    #expect(try follow("owner", rex) == [permanent(ann)])
    #expect(try follow("employer", ann) == [permanent(acme)])
    #expect(try follow("staff", acme) == [permanent(ann)])
    #expect(try follow("desk", ann) == [permanent(desk)])
    #expect(try follow("user", desk) == [permanent(ann)])
    #expect(try follow("friends", ann) == [permanent(bob)])
    #expect(try follow("friends", bob) == [permanent(ann)])
    #expect(try follow("tags", ann) == [permanent(blue), permanent(red)])
    #expect(try follow("people", red) == [permanent(ann)])

    let snapshots = try store.snapshots(of: [permanent(ann), permanent(rex)])
    #expect(snapshots[try permanent(rex)]?.values == ["Rex", .null, "bones"])
    #expect(snapshots[try permanent(ann)]?.values == ["Ann", .null, "10.50", .null, 1])
    #expect(try rows(database, "PRAGMA foreign_key_check") == [])

    _ = try store.save(
      SaveRequest(unlinked: [try ObjectLink("friends", from: permanent(bob), to: permanent(ann))]))
    #expect(try follow("friends", ann) == [])
    #expect(try rows(database, "SELECT * FROM Person_friends") == [])
  }

  @Test func `the key of a deleted object is not reused`() throws {
    let database = try TemporaryDatabase()
    let store = try SQLiteStore.create(path: database.path, model: Self.model)
    let first = try store.save(SaveRequest(inserted: [RowChange(id: object("Tag", 1))]))
      .permanentIDs.values
    _ = try store.save(SaveRequest(deleted: first.map { RowDeletion(id: $0) }))
    let second = try store.save(SaveRequest(inserted: [RowChange(id: object("Tag", 1))]))
      .permanentIDs.values
    #expect(first.map(\.key) == [.integer(1)])
    #expect(second.map(\.key) == [.integer(2)])
  }

  @Test func `creating a store does not overwrite an existing file`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    #expect { try SQLiteStore.create(path: database.path, model: Self.model) } throws: {
      ($0 as? StoreError)?.detail == "the file exists"
    }
    #expect(try database.open().model.entities.map(\.name) == ["t"])
  }

  @Test(arguments: [["a", "A"], ["sqlite_x"], ["cardfile_model"]])
  func `names that cannot be table names are refused and leave no file`(_ names: [String]) throws {
    let database = try TemporaryDatabase()
    let model = ManagedObjectModel(
      entities: names.map { EntityDescription(name: $0, attributes: []) })
    #expect { try SQLiteStore.create(path: database.path, model: model) } throws: {
      ($0 as? StoreError)?.reason == .unsupported
    }
    #expect(try database.files == [])
  }

  @Test(arguments: [
    ("UPDATE cardfile_model SET model = '{'", "cardfile_model"),
    ("UPDATE cardfile_model SET layout = 99", "later version"),
    ("DELETE FROM cardfile_model", "not whole"), ("DROP TABLE Desk", "no table Desk"),
    ("ALTER TABLE Desk RENAME COLUMN room TO place", "no column room"),
    ("DROP TABLE cardfile_model; CREATE VIEW cardfile_models AS SELECT 1", ""),
  ])
  func `a stored model that no longer matches is ignored in favour of the tables`(
    _ change: String, _ note: String
  )
    throws
  {
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(path: database.path, model: Self.model)
    try database.run(change)
    let store = try database.open()
    #expect(store.model.entity(named: "Company")?.keyAttributes == ["_id"])
    let notes = store.summary.otherTables.map { "\($0.name): \($0.purpose)" }.joined(
      separator: "\n")
    #expect(note.isEmpty || notes.contains(note))
  }
}
