import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct HistoryWriterTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 1_000.25)
  private static let changes = [
    HistoryChange(entityName: "Folder", key: 7, kind: .insert),
    HistoryChange(
      entityName: "Note", key: 2, kind: .update(properties: ["Zoom"], orders: ["folder"])),
    HistoryChange(
      entityName: "Note", key: 1, kind: .delete(["the title", 1.5, 2.5, 1])),
  ]

  /// Writes changes and fetches rows.
  private func rows(
    _ query: String, after sql: String, layout: StoreLayout, contextName: String? = nil
  ) throws -> [String] {
    let queue = try DatabaseQueue()
    return try queue.writeWithoutTransaction { database in
      try database.execute(sql: HistoryFixture.statements + sql)
      let writer = try #require(HistoryWriter(layout: layout))
      let statements = try SaveStatements(Connection(database), doing: "saving")
      let keys = KeyAllocator(statements)
      try writer.write(
        Self.changes, contextName: contextName, at: Self.date, with: statements, keys: keys)
      try keys.save()
      return try Row.fetchAll(database, sql: query).map { row in
        row.databaseValues.map { "\($0)" }.joined(separator: "|")
      }
    }
  }

  @Test func `a save writes a transaction and its changes as Core Data does`() throws {
    let layout = try HistoryFixture.layout()
    let sql = HistoryFixture.strings + HistoryFixture.rows
    #expect(
      try rows(
        "SELECT * FROM ATRANSACTION WHERE Z_PK > 2", after: sql, layout: layout,
        contextName: "import")
        == ["3|16002|NULL|NULL|4|3|4|1000.25|NULL|NULL|NULL|NULL|NULL"])
    #expect(
      try rows("SELECT * FROM ATRANSACTIONSTRING WHERE Z_PK > 3", after: sql, layout: layout)
        == ["4|16003|NULL|\"cardfile\""])
    #expect(
      try rows(
        """
        SELECT Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, hex(ZCOLUMNS),
          ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE WHERE Z_PK > 4
        """, after: sql, layout: layout)
        == [
          "5|16001|NULL|0|1|7|3|\"\"|NULL|NULL",
          "6|16001|NULL|1|3|2|3|\"28\"|NULL|NULL",
          "7|16001|NULL|2|3|1|3|\"\"|1|\"the title\"",
        ])
    #expect(
      try rows(
        "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000", after: sql,
        layout: layout)
        == [
          "16001|\"CHANGE\"|0|7", "16002|\"TRANSACTION\"|0|3", "16003|\"TRANSACTIONSTRING\"|0|4",
        ])
  }

  @Test func `the old form has strings in the transaction`() throws {
    #expect(
      try rows(
        "SELECT * FROM ATRANSACTION", after: HistoryFixture.oldForm,
        layout: HistoryFixture.layout(hasStrings: false))
        == ["3|16002|NULL|1000.25|NULL|\"cardfile\"|NULL|\"cardfile\"|NULL"])
  }

  @Test func `keys follow the last row if Z_MAX is too low or missing`() throws {
    let sql =
      HistoryFixture.strings + HistoryFixture.rows
      + "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16001;"
      + "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16002;"
    let layout = try HistoryFixture.layout()
    #expect(
      try rows("SELECT Z_PK FROM ACHANGE WHERE Z_PK > 4", after: sql, layout: layout)
        == ["5", "6", "7"])
    #expect(
      try rows("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000", after: sql, layout: layout)
        == [
          "16001|\"CHANGE\"|0|7", "16002|\"TRANSACTION\"|0|3", "16003|\"TRANSACTIONSTRING\"|0|4",
        ])
  }

  @Test func `an error is thrown if no keys are left`() throws {
    #expect(throws: StoreError.self) {
      try rows(
        "SELECT 1",
        after: HistoryFixture.strings
          + "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 16001;",
        layout: HistoryFixture.layout())
    }
  }

  @Test func `a store without persistent history has no writer`() throws {
    var layout = try HistoryFixture.layout()
    layout.coreData?.history = nil
    #expect(HistoryWriter(layout: layout) == nil)
  }
}
