import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct `Saving` {
  private let library: Library

  init() throws {
    library = try Library()
    try library.execute(
      """
      INSERT INTO author (id, name, mentor_id) VALUES (1, 'Ada', NULL), (2, 'Bo', 1), (3, 'Cy', 1);
      INSERT INTO book (id, title, author_id) VALUES (10, 'A', 1), (11, 'B', 1), (12, 'C', 2);
      INSERT INTO tag VALUES ('r', 'red'), ('g', 'green');
      INSERT INTO author_tag VALUES (1, 'r'), (1, 'g'), (2, 'r');
      """)
  }

  private func version(_ id: ObjectID) throws -> UInt64? { try library.snapshot(id)?.version }

  private func temporary(_ entityName: String, _ number: UInt64) -> ObjectID {
    ObjectID(storeIdentifier: "", entityName: entityName, key: .temporary(number))
  }

  private func deletion(_ id: ObjectID) throws -> RowDeletion {
    RowDeletion(id: id, version: try version(id))
  }

  @Test func `inserted objects may refer to each other in any order`() throws {
    let (author, book, pupil) = (
      temporary("Author", 1), temporary("Book", 2), temporary("Author", 3)
    )
    let result = try library.save(
      SaveRequest(
        inserted: [
          RowChange(id: book, values: ["title": "New"], toOne: ["author": author]),
          RowChange(id: pupil, values: ["name": "Pupil"], toOne: ["mentor": author]),
          RowChange(id: author, values: ["name": "Author"], toOne: ["mentor": pupil]),
        ], linked: [ObjectLink("tags", from: author, to: library.tag("g"))]))
    let saved = try #require(result.permanentIDs[author])
    let savedBook = try #require(result.permanentIDs[book])
    #expect(result.permanentIDs.count == 3)
    #expect(result.snapshots[savedBook]?.toOne == [saved])
    #expect(result.snapshots[saved]?.toOne == [result.permanentIDs[pupil]])
    #expect(try library.column("PRAGMA foreign_key_check") == [])
    #expect(
      try library.column(
        """
        SELECT a.name FROM author_tag JOIN author a ON a.id = author_id
        WHERE tag_key = 'g' ORDER BY 1
        """) == ["Ada", "Author"])
  }

  @Test func `a text key is the value of its attribute, and an error without one`() throws {
    let tag = temporary("Tag", 1)
    let result = try library.save(
      SaveRequest(
        inserted: [RowChange(id: tag, values: ["key": "b", "label": "blue"])],
        linked: [ObjectLink("tags", from: library.id("Author", 3), to: tag)]))
    #expect(result.permanentIDs[tag] == library.tag("b"))
    #expect(try library.column("SELECT author_id FROM author_tag WHERE tag_key = 'b'") == ["3"])
    let error = #expect(throws: StoreError.self) {
      try library.save(SaveRequest(inserted: [RowChange(id: tag, values: ["label": "x"])]))
    }
    #expect(error?.reason == .constraint)
    #expect(error?.subject == "a new Tag")
    #expect(error?.detail.contains("key") == true)
  }

  @Test func `an update writes the changed columns only`() throws {
    try library.execute("UPDATE author SET misc = CAST(x'61FF62' AS TEXT) WHERE id = 2")
    let id = library.id("Author", 2)
    let result = try library.save(
      SaveRequest(updated: [RowChange(id: id, version: try version(id), values: ["name": "Bob"])]))
    #expect(result.snapshots[id]?.values[1] == "Bob")
    #expect(try library.column("SELECT hex(misc) FROM author WHERE id = 2") == ["61FF62"])
  }

  @Test func `a row that was changed or deleted since it was read is a conflict`() throws {
    let (ada, bo) = (library.id("Author", 1), library.id("Author", 2))
    let request = SaveRequest(
      updated: [
        RowChange(id: ada, version: try version(ada), values: ["name": "Ida"]),
        RowChange(id: bo, version: try version(bo), values: ["name": "Bea"]),
      ])
    try library.execute("UPDATE author SET age = 7 WHERE id = 2")
    let changed = #expect(throws: StoreError.self) { try library.save(request) }
    #expect(changed?.reason == .conflict)
    #expect(changed?.objectIDs == [bo])
    try library.execute("DELETE FROM book; DELETE FROM author_tag; DELETE FROM author WHERE id = 2")
    let went = #expect(throws: StoreError.self) { try library.save(request) }
    #expect(went?.objectIDs == [bo])
    #expect(try library.column("SELECT name FROM author WHERE id = 1") == ["Ada"])
  }

  @Test func `deleted objects can be inserted again with their keys and links`() throws {
    let before = try library.dump()
    let ids = [library.id("Author", 1), library.id("Book", 10), library.id("Book", 11)]
    let pupils = [library.id("Author", 2), library.id("Author", 3)]
    let result = try library.save(
      SaveRequest(
        updated: try pupils.map {
          RowChange(id: $0, version: try version($0), values: ["mentor_id": .null])
        }, deleted: try ids.map(deletion)))
    #expect(try library.column("SELECT id FROM author") == ["2", "3"])
    #expect(try library.column("SELECT id FROM book") == ["12"])
    #expect(result.deletedRows.count == 3)
    #expect(result.deletedLinks.count == 2)

    let back = result.deletedRows.map { row in
      let entity = library.layout.model.entity(named: row.id.entityName)
      let names = entity?.attributes.map(\.name) ?? []
      return RowChange(
        id: row.id,
        values: ChangedValues(
          Dictionary(uniqueKeysWithValues: zip(names, row.values)).filter { !$1.isNull }))
    }
    let again = SaveRequest(
      inserted: back,
      updated: try pupils.map {
        RowChange(id: $0, version: try version($0), values: ["mentor_id": 1])
      }, linked: result.deletedLinks)
    _ = try library.save(again)
    #expect(try library.dump() == before)
    let taken = #expect(throws: StoreError.self) { try library.save(SaveRequest(inserted: back)) }
    #expect(taken?.reason == .keyTaken)
    #expect(taken.map { ids.contains($0.objectIDs[0]) } == true)
  }

  @Test func `rows that a cascade would delete without being in the request are a conflict`() throws
  {
    let ada = try deletion(library.id("Author", 2))
    let book = try deletion(library.id("Book", 12))
    try library.execute("INSERT INTO book (id, title, author_id) VALUES (99, 'late', 2)")
    let request = SaveRequest(
      deleted: [ada, book],
      unlinked: [ObjectLink("tags", from: library.id("Author", 2), to: library.tag("r"))])
    let error = #expect(throws: StoreError.self) { try library.save(request) }
    #expect(error?.reason == .conflict)
    #expect(error?.objectIDs == [library.id("Book", 99)])
    #expect(try library.column("SELECT count(*) FROM book") == ["4"])
  }

  @Test func `a foreign key to a missing row is refused, and the error names the row`() throws {
    let book = library.id("Book", 12)
    let error = #expect(throws: StoreError.self) {
      try library.save(
        SaveRequest(updated: [
          RowChange(id: book, version: try version(book), values: ["author_id": 77])
        ]))
    }
    #expect(error?.reason == .constraint)
    #expect(error?.subject == "Book 12")
    #expect(error?.detail == "author refers to Author 77, which does not exist")
    #expect(try library.column("SELECT author_id FROM book WHERE id = 12") == ["2"])
  }

  @Test func `constraint errors are described in words`() throws {
    let unique = #expect(throws: StoreError.self) {
      try library.save(
        SaveRequest(inserted: [
          RowChange(id: temporary("Tag", 1), values: ["key": "x", "label": "red"])
        ]))
    }
    #expect(unique?.reason == .constraint)
    #expect(unique?.detail == "another row has the same tag.label")
    let missing = #expect(throws: StoreError.self) {
      try library.save(
        SaveRequest(inserted: [RowChange(id: temporary("Tag", 1), values: ["key": "x"])]))
    }
    #expect(missing?.detail == "tag.label must have a value")
  }

  @Test func `unique values can be exchanged in any order of the changes`() throws {
    let (red, green) = (library.tag("r"), library.tag("g"))
    _ = try library.save(
      SaveRequest(
        updated: [
          RowChange(id: red, version: try version(red), values: ["label": "green"]),
          RowChange(id: green, version: try version(green), values: ["label": "blue"]),
        ]))
    #expect(try library.column("SELECT label FROM tag ORDER BY key") == ["blue", "green"])
  }

  @Test func `a trigger that rolls back leaves nothing written`() throws {
    try library.execute(
      """
      CREATE TRIGGER no_bo BEFORE UPDATE ON author WHEN new.name = 'no'
      BEGIN SELECT RAISE(ROLLBACK, 'no such name'); END
      """)
    let before = try library.dump()
    let updates = try [("Ida", 1), ("no", 2), ("Cyd", 3)].map { name, key in
      let id = library.id("Author", Int64(key))
      return RowChange(id: id, version: try version(id), values: ["name": .string(name)])
    }
    let error = #expect(throws: StoreError.self) {
      try library.save(SaveRequest(updated: updates))
    }
    #expect(error?.detail == "no such name")
    #expect(try library.dump() == before)
  }

  @Test func `the key of an object cannot be changed`() throws {
    let id = library.id("Author", 3)
    let error = #expect(throws: StoreError.self) {
      try library.save(
        SaveRequest(updated: [RowChange(id: id, version: try version(id), values: ["id": 30])]))
    }
    #expect(error?.reason == .unsupported)
  }

  @Test func `a link is added and removed once`() throws {
    let link = ObjectLink("tags", from: library.id("Author", 3), to: library.tag("g"))
    _ = try library.save(SaveRequest(linked: [link, link]))
    let back = ObjectLink("authors", from: library.tag("g"), to: library.id("Author", 3))
    _ = try library.save(SaveRequest(linked: [back]))
    let count = "SELECT count(*) FROM author_tag WHERE author_id = 3"
    #expect(try library.column(count) == ["1"])
    _ = try library.save(SaveRequest(unlinked: [back]))
    #expect(try library.column(count) == ["0"])
  }

  @Test func `foreign keys are on during a save and restored after it`() throws {
    try library.execute("PRAGMA foreign_keys = OFF")
    #expect(throws: StoreError.self) {
      try library.save(
        SaveRequest(inserted: [RowChange(id: temporary("Book", 1), values: ["author_id": 500])]))
    }
    #expect(try library.column("PRAGMA foreign_keys") == ["0"])
  }

  @Test func `explaining a save writes nothing`() throws {
    let request = SaveRequest(
      inserted: [
        RowChange(
          id: temporary("Book", 1), values: ["title": "It's ?"],
          toOne: ["author": temporary("Author", 2)]),
        RowChange(id: temporary("Author", 2)),
      ],
      updated: [RowChange(id: library.id("Author", 1), values: ["name": .null, "age": 3])],
      deleted: [RowDeletion(id: library.tag("r"))],
      unlinked: [ObjectLink("tags", from: library.id("Author", 1), to: library.tag("r"))])
    #expect(
      try library.explain(request) == [
        #"DELETE FROM "author_tag" WHERE "author_id" = 1 AND "tag_key" = 'r';"#,
        #"UPDATE "author" SET "name" = NULL, "age" = 3 WHERE "id" = 1;"#,
        #"DELETE FROM "author_tag" WHERE "tag_key" = 'r';"#,
        #"DELETE FROM "tag" WHERE "key" = 'r';"#,
        #"INSERT INTO "book" ("id", "title", "author_id")"#
          + #" VALUES (13, 'It''s ?', 4);"#,
        #"INSERT INTO "author" ("id") VALUES (4);"#,
      ])
    #expect(try library.column("SELECT count(*) FROM tag") == ["2"])
  }
}

extension Library {
  /// All rows of all tables as text.
  func dump() throws -> [String] {
    try ["author", "book", "tag", "author_tag"].flatMap { table in
      try queue.writeWithoutTransaction { database in
        try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map(\.description)
      }
    }
  }
}
