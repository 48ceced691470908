import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@Suite(
  .needsRealStores)
struct RealHistoryTests {
  @Test(arguments: [
    "photos.sqlite", "knowledge.db", "library-history.sqlite", "cart-swiftdata.sqlite",
  ])
  func `every change in real stores has known properties`(_ name: String) throws {
    let copy = try StoreCopy(name)
    let transactions = try copy.store.history()
    let changes = transactions.flatMap(\.changes)
    let queue = try copy.database.connect()
    try queue.read { (database: Database) throws in
      #expect(
        try Int64.fetchAll(database, sql: "SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK")
          == transactions.map(\.number))
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT ZCHANGETYPE, ZENTITYPK, (SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = ZENTITY)
            AS name,
            ZCOLUMNS FROM ACHANGE ORDER BY ZTRANSACTIONID, Z_PK
          """)
      #expect(rows.map { $0["ZENTITYPK"] as Int64 } == changes.map(\.key))
      #expect(rows.map { $0["name"] as String } == changes.map(\.entityName))
      let kinds: [HistoryTransaction.Change.Kind] = [.insert, .update, .delete]
      #expect(rows.map { kinds[$0["ZCHANGETYPE"] as Int] } == changes.map(\.kind))
      for (row, change) in zip(rows, changes) {
        let bits = ((row["ZCOLUMNS"] as Data?) ?? Data()).reduce(0) { $0 + $1.nonzeroBitCount }
        // A to-one has up to three bits.
        #expect((0...bits).contains(change.changedProperties.count))
        #expect(change.changedProperties.isEmpty == (bits == 0))
      }
    }
    try queue.close()
    #expect(changes.allSatisfy { $0.unknownPropertyCount == 0 && $0.objectID != nil })
  }

  @Test func `Photos has authors, changed properties and tombstones`() throws {
    let copy = try StoreCopy("photos.sqlite")
    let transactions = try copy.store.history()
    let last = try #require(transactions.last)
    #expect(last.bundle == "com.apple.photolibraryd")
    #expect(last.process == "photolibraryd")
    #expect(last.author == "[0,1,0]")
    #expect(last.changes.map(\.entityName) == ["Suggestion"])
    #expect(last.changes[0].changedProperties == ["featuredState", "state"])
    let person = transactions.flatMap(\.changes).first {
      $0.entityName == "Person" && $0.key == 11 && $0.kind == .delete
    }
    #expect(
      person?.tombstone == [
        "cloudDeleteState": .integer(0),
        "personUUID": .string("9BA44428-CB62-492E-9919-B03B91FFCA93"),
      ])
    let date = try #require(transactions[100].date)
    #expect(try copy.store.history(since: date).first?.number == transactions[100].number)
  }

  @Test func `the list of macOS 10_13 orders the tombstone columns`() throws {
    let copy = try StoreCopy("knowledge.db")
    let deletions = try copy.store.history().flatMap(\.changes).filter {
      $0.kind == .delete && $0.entityName == "Event"
    }
    #expect(deletions.count == 507)
    for deletion in deletions {
      #expect(deletion.tombstone["shouldSync"] == .bool(false))
      #expect(deletion.tombstone["uuid"]?.description.count == 36)
    }
  }
}
