import Foundation
import GRDB
import GRDBSQLite
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct StatementCacheTests {
  private let database: TemporaryDatabase
  private let connection: PooledConnection

  init() throws {
    database = try TemporaryDatabase(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)", name: "statements")
    connection = PooledConnection(try database.connect())
  }

  /// The values of a statement's first column.
  private func values(_ sql: SQL) throws -> [Value] {
    try connection.use { connection in
      let statement = try Statement(sql, on: connection, doing: "testing")
      var values: [Value] = []
      while try statement.step() { values.append(statement.value(0)) }
      return values
    }
  }

  /// The handle by which SQLite knows a statement.
  private func handle(_ sql: SQL) throws -> UInt {
    try connection.use {
      UInt(bitPattern: try Statement(sql, on: $0, doing: "testing").handleForStatus)
    }
  }

  private let all: SQL = "SELECT t.a FROM t ORDER BY t.a"

  @Test func `a statement that was run before is not prepared again`() throws {
    #expect(try handle(all) == handle(all))
    #expect(try handle("SELECT 1") != handle(all))
    #expect(connection.statements.count == 2)
  }

  @Test func `a kept statement takes new values and forgets the old ones`() throws {
    func double(_ value: Value) -> SQL { "SELECT \(value) || ''" }
    #expect(try values(double("a")) == ["a"])
    #expect(try values(double("b")) == ["b"])
    #expect(try values("SELECT \(Value.integer(1)) || ''") == ["1"])
    #expect(connection.statements.count == 1)
    let unbound = try connection.use { connection in
      let kept = try #require(connection.statements.take("SELECT ? || ''"))
      defer { connection.statements.giveBack(kept, text: "SELECT ? || ''") }
      sqlite3_step(kept)
      return sqlite3_column_type(kept, 0)
    }
    #expect(unbound == SQLITE_NULL)
  }

  @Test func `a statement in use is not handed out twice`() throws {
    try connection.use { connection in
      let outer = try Statement(all, on: connection, doing: "testing")
      var pairs: [[Value]] = []
      while try outer.step() {
        let inner = try Statement(all, on: connection, doing: "testing")
        while try inner.step() { pairs.append([outer.value(0), inner.value(0)]) }
      }
      #expect(pairs == (1...3).flatMap { a in (1...3).map { [.integer(a), .integer($0)] } })
    }
    #expect(connection.statements.count == 1)
  }

  @Test func `the least recently used statement makes room for a new one`() throws {
    let first = try handle(all)
    for number in 0..<100 {
      _ = try values("SELECT \(number: number)")
      #expect(try handle(all) == first)
    }
    #expect(connection.statements.count == StatementCache.usualCapacity)
    for number in 0..<StatementCache.usualCapacity { _ = try values("SELECT \(number: number)") }
    #expect(connection.statements.take(all.text) == nil)
  }

  @Test func `a long statement is not kept`() throws {
    let terms = (0..<Int64(2000)).map { SQL.value(.integer($0)) }
    let long: SQL = "SELECT t.a FROM t WHERE t.a IN (\(terms + terms))"
    #expect(long.text.utf8.count > StatementCache.longestText)
    #expect(try values(long) == [1, 2, 3])
    #expect(connection.statements.count == 0)
  }

  @Test func `a PRAGMA takes effect each time it is run`() throws {
    for isOn in [true, false, true] {
      _ = try values("PRAGMA recursive_triggers = \(number: isOn ? 1 : 0)")
      #expect(try values("PRAGMA recursive_triggers") == [.integer(isOn ? 1 : 0)])
    }
    #expect(connection.statements.count == 0)
  }

  @Test(arguments: ["schema_version", "page_count"])
  func `what a kept PRAGMA reads from the header of the file is new each time`(_ name: String)
    throws
  {
    let pragma: SQL = name == "page_count" ? "PRAGMA page_count" : "PRAGMA schema_version"
    let before = try values(pragma)
    #expect(connection.statements.count == 1)
    try database.run("CREATE TABLE more (a)")
    #expect(try values(pragma) != before)
  }

  @Test func `a kept statement follows a change of the schema`() throws {
    #expect(try values(all) == [1, 2, 3])
    try database.connect().writeWithoutTransaction {
      try $0.execute(
        sql:
          "DROP TABLE t; CREATE TABLE t (b, a); INSERT INTO t VALUES (7, 8); CREATE INDEX i ON t(a)"
      )
    }
    #expect(try values(all) == [8])
    try database.connect().writeWithoutTransaction { try $0.execute(sql: "DROP TABLE t") }
    #expect(throws: StoreError.self) { try values(all) }
    #expect(throws: StoreError.self) { try values(all) }
  }

  @Test func `a statement that was not stepped to its end holds no lock`() throws {
    try connection.use {
      let statement = try Statement(all, on: $0, doing: "testing")
      #expect(try statement.step())
    }
    try database.connect().writeWithoutTransaction { try $0.execute(sql: "DELETE FROM t") }
    #expect(try values(all).isEmpty)
  }

  @Test func `closing a connection finalizes its statements`() throws {
    _ = try values(all)
    connection.close()
    #expect(connection.statements.count == 0)
    // SQLite refuses to close a connection that has a statement.
    #expect(throws: (any Error).self) { try connection.use { _ in } }
  }

  @Test func `a kept statement counts its steps from zero`() throws {
    _ = try values("SELECT t.a FROM t")
    try connection.use { connection in
      let statement = try Statement("SELECT t.a FROM t", on: connection, doing: "testing")
      let handle = statement.handleForStatus
      #expect(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0) > 0)
      let progress = try #require(StatementWatch(FetchControl(), on: connection))
      progress.follow(statement, total: 3)
      #expect(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0) == 0)
      progress.end()
    }
  }

  @Test func `the first rows of an order are the same when the statement is run again`() throws {
    let library = try Library()
    var generator = Generator(seed: 1)
    try generator.fill(library, authors: 60)
    let plan = FetchPlan(
      entityName: "Author", sortDescriptors: [.init("name", comparison: .localized)], limit: 5)
    let pooled = PooledConnection(library.queue)
    let runs = try (0..<3).map { _ in
      try pooled.use { try library.reader.fetch(plan, control: nil, on: $0).ids.withKeys(\.self) }
    }
    #expect(runs[0]?.count == 5)
    #expect(runs[1] == runs[0] && runs[2] == runs[0])
  }
}
