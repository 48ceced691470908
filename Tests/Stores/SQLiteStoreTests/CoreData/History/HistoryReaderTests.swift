import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct HistoryReaderTests {
  /// Reads all of persistent history of an in-memory database.
  private func history(
    _ sql: String, layout: StoreLayout, since date: Date? = nil
  ) throws -> [HistoryTransaction] {
    let queue = try DatabaseQueue()
    return try queue.writeWithoutTransaction { database in
      try database.execute(sql: HistoryFixture.statements + sql)
      let connection = try Connection(database)
      var reader = try #require(
        HistoryReader(layout: layout, storeIdentifier: "STORE", connection: connection))
      var transactions: [HistoryTransaction] = []
      var position: HistoryReader.Position? = HistoryReader.Position()
      while let start = position {
        let page = try reader.page(after: start, since: date)
        transactions += page.transactions
        position = page.next
      }
      return transactions
    }
  }

  @Test func `transactions have author, bundle, process and changes`() throws {
    let found = try history(
      HistoryFixture.strings + HistoryFixture.rows, layout: HistoryFixture.layout())
    #expect(found.map(\.number) == [1, 2])
    #expect(found.map(\.bundle) == ["com.example.app", "inline"])
    #expect(found.map(\.process) == ["app", "app"])
    #expect(found.map(\.author) == [nil, "import"])
    #expect(found.map(\.contextName) == ["import", nil])
    #expect(found[0].date == Date(timeIntervalSinceReferenceDate: 100.5))
    #expect(found[0].changes.map(\.entityName) == ["Folder", "Note"])
    #expect(found[0].changes.map(\.kind) == [.insert, .update])
    #expect(found[0].changes[1].changedProperties == ["folder", "Zoom", "zoom", "links"])
    #expect(found[0].changes[1].unknownPropertyCount == 1)
    #expect(
      found[0].changes[1].objectID
        == ObjectID(storeIdentifier: "STORE", entityName: "Note", key: .integer(2)))
    #expect(found[1].changes[0].tombstone == ["done": .string("first"), "title": .integer(1)])
    #expect(found[1].changes[1].kind == .unknown(7))
    #expect(found[1].changes[1].entityName == "entity 42")
    #expect(found[1].changes[1].objectID == nil)
  }

  @Test func `the list in the user info orders the tombstone columns`() throws {
    let found = try history(
      HistoryFixture.strings + HistoryFixture.rows,
      layout: HistoryFixture.layout(listsTombstones: true))
    #expect(found[1].changes[0].tombstone == ["title": .string("first"), "done": .bool(true)])
  }

  @Test func `transactions can be read from a given time`() throws {
    let sql = HistoryFixture.strings + HistoryFixture.rows
    let layout = try HistoryFixture.layout()
    #expect(
      try history(sql, layout: layout, since: Date(timeIntervalSinceReferenceDate: 200))
        .map(\.number) == [2])
    #expect(
      try history(sql, layout: layout, since: Date(timeIntervalSinceReferenceDate: 201)).isEmpty)
  }

  @Test func `the old form without ATRANSACTIONSTRING is read`() throws {
    let found = try history(
      HistoryFixture.oldForm
        + "INSERT INTO ATRANSACTION VALUES (5,16002,NULL,7.25,NULL,'b',NULL,'p',NULL);",
      layout: HistoryFixture.layout(hasStrings: false))
    #expect(found.map(\.bundle) == ["b"])
    #expect(found.map(\.process) == ["p"])
    #expect(found[0].changes.isEmpty)
  }

  @Test func `a transaction longer than a page is read in parts`() throws {
    let count = HistoryReader.pageLength * 2 + 7
    let found = try history(
      HistoryFixture.strings
        + """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES
          (-3,16002,1),(1,16002,1),(9,16002,2);
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          SELECT i, 16001, 0, 1, i, 1 FROM n;
        """,
      layout: HistoryFixture.layout())
    #expect(found.map(\.number) == [-3, 1, 1, 1, 9])
    #expect(found.map(\.isContinuation) == [false, false, true, true, false])
    #expect(found.flatMap(\.changes).map(\.key) == Array(1...Int64(count)))
  }

  @Test func `values of unexpected types are tolerated in every column`() throws {
    let found = try history(
      HistoryFixture.strings
        + """
        INSERT INTO ATRANSACTION VALUES
          (-9223372036854775808,0,0,'x',x'00',1.5,NULL,'soon',x'00',1,2.5,x'FF',NULL);
        INSERT INTO ATRANSACTION VALUES (9223372036854775807,0,0,0,0,0,0,9e999,0,0,0,0,0);
        INSERT INTO ACHANGE VALUES
          (9223372036854775807,0,0,'insert','one',NULL,9223372036854775807,'text',NULL,NULL);
        """,
      layout: HistoryFixture.layout())
    #expect(found.map(\.number) == [.min, .max])
    #expect(found[0].date == nil)
    #expect(found[1].changes.map(\.kind) == [.unknown(-1)])
  }
}
