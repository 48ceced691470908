import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLiteStore

/// What a save would write, compared with what SQLite runs when it is saved.
struct ExplainTests {
  private func temporary(_ entityName: String, _ number: UInt64) -> ObjectID {
    ObjectID(storeIdentifier: "", entityName: entityName, key: .temporary(number))
  }

  private func expectSameStatements(
    _ request: SaveRequest, in store: SQLiteStore, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SaveResult {
    let shown = try store.explain(request)
    let writer = try store.pool.openWriter()
    var result = SaveResult()
    let run = try StatementTrace.writes(on: writer) { result = try store.save(request) }
    #expect(shown.comparable == run.comparable, sourceLocation: sourceLocation)
    #expect(!shown.isEmpty, sourceLocation: sourceLocation)
    return result
  }

  @Test func `a plain store shows the statements that a save runs`() throws {
    let library = try StoreUnderTest(.plain)
    let store = try #require(library.store as? SQLiteStore)
    let (ada, red) = (temporary("Author", 1), temporary("Tag", 2))
    let first = try expectSameStatements(
      SaveRequest(
        inserted: [
          RowChange(id: temporary("Book", 3), values: ["title": "It's ?"], toOne: ["author": ada]),
          RowChange(id: ada, values: ["name": "Ada", "age": 36]), RowChange(id: red),
        ], linked: [ObjectLink("tags", from: ada, to: red)]), in: store)
    let (author, tag) = (
      try #require(first.permanentIDs[ada]), try #require(first.permanentIDs[red])
    )
    let link = ObjectLink("tags", from: author, to: tag)
    _ = try expectSameStatements(
      SaveRequest(
        updated: [RowChange(id: author, values: ["name": .null, "age": 4])], unlinked: [link]),
      in: store)
    _ = try expectSameStatements(SaveRequest(linked: [link]), in: store)
    _ = try expectSameStatements(
      SaveRequest(deleted: [RowDeletion(id: tag)], unlinked: [link]), in: store)
  }

  @Test func `a statement that a constraint refuses for now is shown as a comment`() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE); INSERT INTO t VALUES (1, 1), (2, 2)")
    let store = try database.open()
    func id(_ key: Int64) -> ObjectID {
      ObjectID(storeIdentifier: store.identifier, entityName: "t", key: .integer(key))
    }
    let request = SaveRequest(updated: [
      RowChange(id: id(1), values: ["a": 2]), RowChange(id: id(2), values: ["a": 3]),
    ])
    #expect(
      try store.explain(request) == [
        #"-- refused by a constraint for now: UPDATE "t" SET "a" = 2 WHERE "id" = 1;"#,
        #"UPDATE "t" SET "a" = 3 WHERE "id" = 2;"#, #"UPDATE "t" SET "a" = 2 WHERE "id" = 1;"#,
      ])
    _ = try expectSameStatements(request, in: store)
  }

  @Test func `a Core Data store shows counters, order keys, history and Z_PRIMARYKEY too`() throws {
    let database = try TemporaryDatabase()
    let store = try SQLiteStore.create(
      path: database.path, model: Fixture.gardenModel,
      layout: .coreData(CoreDataCreation(keepsHistory: true)))
    let (walk, place, photo) = (temporary("Walk", 1), temporary("Place", 2), temporary("Photo", 3))
    let stops = (4..<7).map { temporary("Stop", UInt64($0)) }
    let people = (8..<11).map { temporary("Person", UInt64($0)) }
    let first = try expectSameStatements(
      SaveRequest(
        inserted: stops.map { RowChange(id: $0, toOne: ["walk": walk]) }
          + people.map { RowChange(id: $0, values: ["name": "P"]) }
          + [walk, place, photo].map { RowChange(id: $0) },
        linked: [
          ObjectLink("friends", from: people[0], to: people[1]),
          ObjectLink("photos", from: place, to: photo),
        ] + people.map { ObjectLink("guides", from: walk, to: $0) }), in: store)
    let ids = first.permanentIDs
    func permanent(_ id: ObjectID) throws -> ObjectID { try #require(ids[id]) }
    let shown = try store.explain(
      SaveRequest(
        linked: try stops.reversed().map {
          ObjectLink("stops", from: try permanent(walk), to: try permanent($0))
        }))
    #expect(shown.contains { $0.hasPrefix(#"UPDATE "ZSTOP" SET "Z_FOK_WALK" = "#) })
    #expect(shown.contains { $0.hasPrefix(#"INSERT INTO "ACHANGE""#) })
    #expect(
      shown.contains { $0.hasPrefix("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 16002") })
    let guides = try people.reversed().map {
      ObjectLink("guides", from: try permanent(walk), to: try permanent($0))
    }
    _ = try expectSameStatements(
      SaveRequest(
        updated: [
          RowChange(
            id: try permanent(stops[0]), values: ["title": "Gate"], toOne: ["walk": nil])
        ], linked: guides, unlinked: guides), in: store)
    _ = try expectSameStatements(
      SaveRequest(
        deleted: try (people + stops + [photo, place, walk]).map {
          RowDeletion(id: try permanent($0))
        }),
      in: store)
  }

  @Test func `explaining a save writes no external file`() throws {
    let fixture = try Fixture("garden", model: Fixture.garden)
    let store = try fixture.open(.init(makesBackup: false))
    let bytes = Data(repeating: 7, count: ExternalFiles.threshold + 2)
    let before = try fixture.database.files
    let stored = try #require(store.model.entity(named: "Sample")?.attribute(named: "picture"))
      .encode(.data(bytes))
    let request = SaveRequest(inserted: [
      RowChange(id: temporary("Sample", 1), values: ["picture": stored])
    ])
    #expect(try store.explain(request).contains { $0.contains("x'02") })
    #expect(
      try fixture.database.files.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == before
    )
  }

  @Test func `statements after the limit are counted`() throws {
    let library = try Library()
    let request = SaveRequest(inserted: (0..<1_250).map { RowChange(id: temporary("Author", $0)) })
    let shown = try library.queue.writeWithoutTransaction {
      try library.writer.rehearse(request, on: Connection($0), limit: 3).statements
    }
    #expect(shown.count == 4)
    #expect(shown.last == "… and 1,247 more")
    #expect(try library.column("SELECT count(*) FROM author") == ["0"])
  }

  @Test(arguments: StoreAtRest.allCases.filter { $0 != .hotJournal })
  func `explaining leaves the database and its log as they are`(_ rest: StoreAtRest) throws {
    let database = try rest.make()
    let before = try FolderSnapshot(database.folder).files
    let text = String(repeating: "x", count: 9_000)
    do {
      let store = try database.open()
      let request = SaveRequest(
        inserted: (1..<500).map { number in
          RowChange(
            id: temporary("t", number), values: ["a": .string(text)]
          )
        })
      #expect(try store.explain(request).count == 499)
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == rest.rowCount)
    }
    let after = try FolderSnapshot(database.folder).files
    #expect(after["test.sqlite"] == before["test.sqlite"])
    #expect(after["test.sqlite-wal"] == before["test.sqlite-wal"])
    if before["test.sqlite-wal"] == nil, rest != .indexAlone {
      #expect(after["test.sqlite-shm"] == nil)
    }
  }

  @Test func `a read-only or locked store throws the error of a save`() throws {
    let database = try StoreAtRest.rollbackJournal.make()
    let request = SaveRequest(inserted: [RowChange(id: temporary("t", 1), values: ["a": 1])])
    let readOnly = try database.open(.init(isReadOnly: true))
    #expect(#expect(throws: StoreError.self) { try readOnly.explain(request) }?.reason == .readOnly)

    let other = try database.connect()
    try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let store = try database.open(.init(busyTimeout: 0))
    #expect(#expect(throws: StoreError.self) { try store.explain(request) }?.reason == .locked)
    try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try store.explain(request).count == 1)
  }

  @Test func `a violated foreign key throws the error of a save`() throws {
    let library = try Library()
    let request = SaveRequest(inserted: [
      RowChange(id: temporary("Book", 1), values: ["author_id": 500])
    ])
    let explained = #expect(throws: StoreError.self) { try library.explain(request) }
    let saved = #expect(throws: StoreError.self) { try library.save(request) }
    #expect(explained == saved)
    #expect(explained?.detail == "author refers to Author 500, which does not exist")
  }
}
