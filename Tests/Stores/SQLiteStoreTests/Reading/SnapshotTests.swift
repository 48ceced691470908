import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct `Snapshots and destinations` {
  private let library: Library

  init() throws { library = try Library() }

  @Test func `contain the stored values in the order of the attributes`() throws {
    try library.execute(
      """
      INSERT INTO author (id, name, age, score, born, misc, token, mentor_id)
      VALUES (1, 'Ada', 'x', 2, '1815-12-10', 7, x'0102', 1)
      """)
    let snapshot = try #require(try library.snapshot(library.id("Author", 1)))
    #expect(
      snapshot.values == [
        1, "Ada", .null, "x", .double(2), "1815-12-10", .null, 7, .null, .null, .null,
        .data(Data([1, 2])), .null, .null, 1,
      ])
    #expect(snapshot.toOne == [library.id("Author", 1)])
    #expect(snapshot.cutLengths.isEmpty)
  }

  @Test func `the version changes with any value and any storage class`() throws {
    try library.execute("INSERT INTO author (id, misc) VALUES (1, 1)")
    var versions: Set<UInt64> = []
    for literal in [
      "1", "1.0", "'1'", "x'31'", "NULL", "'1 '", "zeroblob(70000)", "zeroblob(70001)",
    ] {
      try library.execute("UPDATE author SET misc = \(literal)")
      versions.insert(try #require(try library.snapshot(library.id("Author", 1))).version)
    }
    #expect(versions.count == 8)
  }

  @Test func `long values are truncated between characters, and read whole on demand`() throws {
    let text = String(repeating: "é", count: 40_000)
    try library.queue.writeWithoutTransaction {
      try $0.execute(
        sql: "INSERT INTO author (id, name, misc) VALUES (1, ?, zeroblob(100000))",
        arguments: ["x" + text])
    }
    let id = library.id("Author", 1)
    let snapshot = try #require(try library.snapshot(id))
    #expect(snapshot.cutLengths == [1: 80_001, 7: 100_000])
    #expect(snapshot.values[1] == .string("x" + text.prefix(32_767)))
    #expect(snapshot.values[7] == .data(Data(count: 65_536)))
    let (whole, all) = try library.queue.writeWithoutTransaction { database in
      (
        try library.reader.value(of: "misc", for: id, on: Connection(database)),
        try library.reader.snapshots(
          of: [id], isWhole: true, on: Connection(database))
      )
    }
    #expect(whole == .data(Data(count: 100_000)))
    #expect(all[id]?.version == snapshot.version)
    #expect(all[id]?.values[1] == .string("x" + text))
  }

  @Test func `objects that do not exist are omitted, and thousands are read in one call`() throws {
    try library.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO author (id, name) SELECT i, 'n' || i FROM n
      """)
    let ids = (1...3001).map { library.id("Author", $0) } + [library.tag("none")]
    let snapshots = try library.queue.writeWithoutTransaction {
      try library.reader.snapshots(of: ids, on: Connection($0))
    }
    #expect(snapshots.count == 3000)
    #expect(snapshots[library.id("Author", 2999)]?.values[1] == "n2999")
  }

  @Test func `destinations are grouped by source, ordered, and only those that exist`() throws {
    try library.execute(
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO author (id, mentor_id) VALUES (1, 2), (2, 77), (3, NULL);
      INSERT INTO book (id, author_id) VALUES (12, 1), (10, 1), (11, 3), (13, NULL);
      INSERT INTO tag VALUES ('r', 'red'), ('g', 'green');
      INSERT INTO author_tag VALUES (1, 'r'), (1, 'g'), (3, 'gone');
      """)
    let authors = (1...3).map { library.id("Author", $0) }
    func destinations(_ name: String) throws -> [ObjectID: [ObjectID]] {
      try library.queue.writeWithoutTransaction {
        try library.reader.destinations(of: name, from: authors, on: Connection($0))
      }
    }
    #expect(try destinations("mentor") == [authors[0]: [authors[1]]])
    #expect(
      try destinations("books") == [
        authors[0]: [library.id("Book", 10), library.id("Book", 12)],
        authors[2]: [library.id("Book", 11)],
      ])
    #expect(try destinations("tags") == [authors[0]: [library.tag("g"), library.tag("r")]])
    #expect(throws: StoreError.self) { try destinations("nothing") }
  }

  @Test func `a view without a key is read by row numbers`() throws {
    try library.execute(
      """
      INSERT INTO book (id, title) VALUES (1, 'b'), (2, 'a'), (3, 'c');
      CREATE VIEW titles AS SELECT title, title || '!' AS loud FROM book ORDER BY title DESC;
      """)
    var layout = library.layout
    layout.model = ManagedObjectModel(
      entities: layout.model.entities + [
        EntityDescription(
          name: "titles", attributes: [.init("title", .string), .init("loud", .string)],
          readOnlyReason: "titles is a view")
      ])
    layout.tables["titles"] = EntityTable(name: "titles", key: .none, columns: ["title", "loud"])
    let reader = StoreReader(layout: layout, storeIdentifier: Library.storeIdentifier)
    let values = try library.queue.writeWithoutTransaction { database in
      let ids = try reader.fetch(
        FetchPlan(
          entityName: "titles",
          predicate: try FetchPredicate(format: "title != 'b'")
            .validated(forEntity: "titles", in: layout.model),
          sortDescriptors: [.init("title")]), control: nil, on: Connection(database)
      ).ids
      let snapshots = try reader.snapshots(of: Array(ids), on: Connection(database))
      return ids.compactMap { snapshots[$0]?.values }
    }
    #expect(values == [["a", "a!"], ["c", "c!"]])
  }
}
