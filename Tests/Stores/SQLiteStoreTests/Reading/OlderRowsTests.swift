import ObjectModel
import TestSupport
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct `Rows in pages that are older than a column` {
  @Test(arguments: [
    ("INTEGER DEFAULT 7", true), ("INTEGER DEFAULT -7", true), ("REAL DEFAULT 1", true),
    ("REAL DEFAULT -2.50", true), ("DEFAULT 1.5", true), ("BOOLEAN DEFAULT TRUE", true),
    ("INTEGER DEFAULT false", true), ("TEXT DEFAULT NULL", true), ("TEXT", true),
    ("INTEGER DEFAULT 1.0", false), ("DEFAULT 1.0", false), ("TEXT DEFAULT 5", false),
    ("TEXT DEFAULT 'x'", false), ("TEXT DEFAULT ''", true), ("INTEGER DEFAULT ''", true),
    ("INTEGER DEFAULT '5'", false), ("INTEGER DEFAULT 0x10", false),
    ("INTEGER DEFAULT -9223372036854775808", false), ("REAL DEFAULT 1e3", false),
    ("ANY DEFAULT 3", true), ("REAL DEFAULT 0.1234567890123", true),
  ])
  func `have its default value, or are left to SQLite`(column: String, isRead: Bool) throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO person(name) VALUES ('b'), ('a');
      ALTER TABLE person ADD COLUMN added \(column);
      INSERT INTO person(name) VALUES ('c');
      """)
    let store = try database.open()
    try store.read(doing: "testing") { connection throws(StoreError) in
      let scope = try QueryScope(entityName: "person", layout: store.reader.layout)
      let opened = try PageScan.open(
        scope, selected: [scope.column("added")], where: nil, on: connection)
      guard case .success(let pages) = opened else {
        Issue.record("The pages cannot be opened.")
        return
      }
      let expected = try connection.rows("SELECT added FROM person", doing: "testing")
      let run = FetchRun(connection: connection, threads: 1)
      switch pages.read(run, making: { _, _ in AddedValues() }) {
      case .rows(let rows): #expect(isRead && rows.values == expected.map { $0[0] })
      case .unreadable: #expect(!isRead)
      case .notWanted: Issue.record("All rows are wanted.")
      }
    }
  }
}

/// Takes the values of a column.
private final class AddedValues: RowReceiver, OrderedRows {
  private(set) var values: [Value] = []

  override func receive(_ row: ReceivedRow) -> Bool {
    values.append(row.field(0).value)
    return true
  }

  func append(_ others: AddedValues) { values += others.values }
}
