import Foundation
import GRDB
import ObjectModel
import Synchronization
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// Two readers that read a half of a table each, at the same time.
@Suite struct `Two readers of one state` {
  /// How many commits another connection makes meanwhile; `CARDFILE_COMMITS` changes it.
  static let commits =
    ProcessInfo.processInfo.environment["CARDFILE_COMMITS"].flatMap { Int($0) } ?? 300

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `find what one reader finds`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let library = try Library()
    try generator.fill(library, authors: 90)
    let file = try TemporaryDatabase()
    try library.execute("VACUUM INTO '\(file.path)'")
    // So many pages that several threads read them.
    try file.connect().writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA page_size = 512; VACUUM")
    }
    let pool = Self.pool(file)
    let names = Library.authorAttributes.map(\.name)
    var methods: [String: Int] = [:]
    for _ in 0..<120 {
      var plan = FetchPlan(entityName: "Author")
      if generator.chance(80) {
        plan.sortDescriptors = (0..<Int.random(in: 1...2, using: &generator.random)).map { _ in
          FetchSortDescriptor(
            generator.pick(names), ascending: generator.chance(50),
            comparison: generator.pick([.binary, .localized]))
        }
        if generator.chance(40) { plan.sectionKey = SectionKey(plan.sortDescriptors[0].keyPath) }
      }
      if generator.chance(50) { plan.limit = Int.random(in: 0...20, using: &generator.random) }
      if generator.chance(20) { plan.offset = Int.random(in: 0...20, using: &generator.random) }
      if generator.chance(40) {
        plan.predicate = try? FetchPredicate(generator.node(depth: 1))
          .validated(forEntity: "Author", in: library.layout.model)
      }
      try pool.read(doing: "testing") { connection throws(StoreError) in
        let query = try FetchQuery(plan, compiler: library.reader.compiler)
        let expected = try library.reader.fetchInOrder(query, FetchRun(connection: connection))
        let found = try library.reader.fetch(
          plan, control: nil, on: connection, besides: pool, leastRowCount: 1)
        #expect(Array(found.ids) == Array(expected.ids), "\(query.sql.text)")
        #expect(found.sections == expected.sections, "\(query.sql.text)")
        methods[try Self.method(of: query, library, connection), default: 0] += 1
      }
    }
    #expect(
      Set(methods.keys).isSuperset(of: [
        "statement", "keys of pages", "first of pages", "all of pages", "all of halves",
      ]))
  }

  private static func method(of query: FetchQuery, _ library: Library, _ connection: Connection)
    throws(StoreError) -> String
  {
    let keys = try KeyRange(of: library.layout.tables["Author"], on: connection)
    let method = try FetchMethod(
      query, QueryPlan(query.sql, on: connection), keys: keys, leastRowCount: 1,
      compiler: library.reader.compiler, on: connection)
    return switch method {
    case .statement, .own(_, .statement): "statement"
    case .own(let order, .pages): "\(kind(order)) of pages"
    case .own(let order, .halves): "\(kind(order)) of halves"
    }
  }

  private static func kind(_ order: OwnOrder) -> String {
    order.isByKey ? "keys" : order.findsFirstRows ? "first" : "all"
  }

  @Test(arguments: ["DELETE", "WAL", "WAL, used by others"])
  func `are not two if somebody commits before the second one begins`(mode: String) throws {
    let isUsed = mode != "WAL"
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = \(mode.prefix { $0 != "," }); CREATE TABLE t(id INTEGER PRIMARY KEY)")
    let writer = isUsed ? try database.connect() : nil
    try writer?.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (NULL)") }
    let pool = Self.pool(database)
    try pool.read(doing: "testing") { connection throws(StoreError) in
      #expect(try Self.count(connection) == (isUsed ? 1 : 0))
      let both = try pool.together(connection, nil) { () throws(StoreError) in
        try Self.count(connection)
      } second: { other throws(StoreError) in
        try Self.count(other)
      }
      #expect(both?.0 == both?.1 && both != nil)
    }
    // Without a write-ahead log nobody can commit while somebody reads.
    guard mode == "WAL, used by others" else { return }
    try pool.read(doing: "testing") { connection throws(StoreError) in
      #expect(try Self.count(connection) == 1)
      try? writer?.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (NULL)") }
      let both = try pool.together(connection, nil) {
      } second: { _ in
      }
      #expect(both == nil)
    }
  }

  @Test func `end with the first one if that has found enough`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t(id INTEGER PRIMARY KEY)")
    let pool = Self.pool(database)
    let hasBegun = DispatchSemaphore(value: 0)
    try pool.read(doing: "testing") { connection throws(StoreError) in
      _ = try Self.count(connection)
      let both = try pool.together(connection, nil) { () throws(StoreError) in
        hasBegun.wait()
        return try Self.count(connection)
      } second: { other throws(StoreError) in
        hasBegun.signal()
        // It has no end but the interrupt.
        return try Self.number(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
          other)
      } unless: {
        true
      }
      #expect(both?.0 == 0)
      #expect(both != nil && both?.1 == nil)
    }
    #expect(try pool.read(doing: "testing") { try? Self.count($0) } == 0)
  }

  @Test func `are one if the other thread has not begun`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t(id INTEGER PRIMARY KEY)")
    try Self.pool(database).read(doing: "testing") { connection throws(StoreError) in
      var runs = 0
      let read = SecondRead(connection) { _ in runs += 1 }
      #expect(read.takeBack())
      read.start()
      #expect(read.wait { false } == nil)
      #expect(runs == 0)
      let hasBegun = DispatchSemaphore(value: 0)
      let other = SecondRead(connection) { _ in hasBegun.signal() }
      other.start()
      hasBegun.wait()
      #expect(!other.takeBack())
      #expect(other.wait { false } != nil)
    }
  }

  @Test func `have the priority of the thread that reads, and change no other`() throws {
    let database = try TemporaryDatabase("CREATE TABLE t(id INTEGER PRIMARY KEY)")
    let pool = Self.pool(database)
    @Sendable func isSecondLowered() throws -> Bool? {
      try pool.read(doing: "testing") { connection throws(StoreError) in
        let read = SecondRead(connection) { _ in ThreadPriority.isLowered }
        read.start()
        return read.wait { false }
      }
    }
    let wasLowered = ThreadPriority.isLowered
    let found = Mutex<[Bool?]>([])
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      defer { isDone.signal() }
      ThreadPriority.lower()
      for _ in 0..<3 {
        let isLowered = try? isSecondLowered()
        found.withLock { $0.append(isLowered) }
      }
    }.start()
    isDone.wait()
    #expect(found.withLock { $0 } == [true, true, true])
    #expect(ThreadPriority.isLowered == wasLowered)
    for _ in 0..<20 { #expect(try isSecondLowered() == wasLowered) }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `never mix two states while somebody commits`(mode: String) throws {
    let library = try Library()
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = \(mode); PRAGMA synchronous = OFF;
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 2 FROM n WHERE i < 6000)
      INSERT INTO author SELECT i, 'name ' || i % 7, i % 5 FROM n;
      """)
    let count = 3001
    let pool = Self.pool(database)
    let writer = try database.connect(busyTimeout: 10)
    let isDone = Atomic(false)
    let failure = Mutex<(any Error)?>(nil)
    let thread = Thread {
      do {
        // One row moves to and fro between the halves: each state has one row more.
        for commit in 0..<Self.commits {
          try writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = OFF; BEGIN IMMEDIATE")
            try database.execute(sql: "DELETE FROM author WHERE id IN (1000, 5000)")
            try database.execute(
              sql: "INSERT INTO author VALUES (\(commit % 2 == 0 ? 1000 : 5000), 'x', 9)")
            try database.execute(sql: "COMMIT")
          }
        }
      } catch { failure.withLock { $0 = error } }
      isDone.store(true, ordering: .releasing)
    }
    try writer.writeWithoutTransaction {
      try $0.execute(sql: "INSERT INTO author VALUES (5000, 'x', 9)")
    }
    thread.start()
    var plans = [FetchPlan(entityName: "Author"), FetchPlan(entityName: "Author")]
    plans[1].sortDescriptors = [.init("name", comparison: .localized), .init("age")]
    var reads = 0
    func read() throws -> Bool {
      reads += 1
      return try pool.read(doing: "testing") { connection throws(StoreError) in
        let found = try library.reader.fetch(
          plans[reads % 2], control: nil, on: connection, besides: pool, leastRowCount: 1)
        #expect(found.ids.count == count + 1)
        let moving: SQL = "SELECT total(id) FROM author WHERE id IN (1000, 5000)"
        let both = try pool.together(connection, nil) { () throws(StoreError) in
          try Self.number(moving, connection)
        } second: { other throws(StoreError) in
          try Self.number(moving, other)
        }
        #expect(both?.0 == both?.1)
        return both != nil
      }
    }
    while !isDone.load(ordering: .acquiring) { _ = try read() }
    #expect(try read())
    try failure.withLock { if let error = $0 { throw error } }
  }

  private static func pool(_ database: TemporaryDatabase) -> ConnectionPool {
    ConnectionPool(
      settings: ConnectionSettings(
        path: database.path, copyPath: nil, subject: database.path, lockWait: LockWait(timeout: 10)),
      readers: [], usesWAL: true)
  }

  private static func count(_ connection: Connection) throws(StoreError) -> Int64 {
    try number("SELECT count(*) FROM t", connection)
  }

  private static func number(_ sql: SQL, _ connection: Connection) throws(StoreError) -> Int64 {
    let statement = try Statement(sql, on: connection, doing: "testing")
    _ = try statement.step()
    return statement.integer(0)
  }
}
