import Foundation
import GRDB
import ObjectModel
import TestSupport
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// Rows that are read from the pages of a table; `make pages` tests page_scan.c by itself.
@Suite struct `Pages instead of a statement` {
  /// Conditions that need no statement.
  static let conditions = [
    "age == 5", "age != 5", "5 < age", "age <= 2.5", "age >= 9007199254740993", "age > 1e18",
    "age BETWEEN {1, 2.5}", "age == NULL", "NOT age < 3", "age != NULL AND score < 3",
    "score == 7", "score > -1e300", "misc == 'x'", "misc > 3", "misc <= '5'", "misc != 5",
    "name CONTAINS[cd] 'É'", "name CONTAINS 'e'", "name CONTAINS[c] 'ZZ'", "name BEGINSWITH 'e'",
    "name BEGINSWITH 'é'", "name BEGINSWITH[cd] 'E'", "name ENDSWITH[c] 'Z'",
    "name LIKE[cd] '*e?*'",
    "name CONTAINS ''", "name == 'zoe'", "name ==[cd] 'ZOÉ'", "name > 'm'", "name <[c] 'M'",
    "name IN {'zoe', 'Zoe', NULL}", "name IN[cd] {'zoe', 'ana'}", "name IN {}",
    "age IN {1, 2.0, 7}",
    "CAST(age, 'NSString') CONTAINS '7'", "CAST(born, 'NSString') CONTAINS '2024'",
    "CAST(score, 'NSString') CONTAINS '.5'", "CAST(code, 'NSString') CONTAINS[cd] 'ab'",
    "CAST(seen, 'NSString') CONTAINS '20'", "born > CAST('2024-02-03', 'NSDate')",
    "born == CAST('2024-01-01', 'NSDate')", "seen <= CAST('2001-01-01', 'NSDate')", "TRUEPREDICATE",
    "price == 7", "price < 2.5", "flag == true", "flag != false", "link CONTAINS[cd] 'EX'",
    "ANY {1} == 1 OR age == 3", "age == score", "age != misc", "name == nick", "misc == name",
    "born == born", "mentor.name CONTAINS[cd] 'e'", "NOT mentor.name CONTAINS[cd] 'e'",
    "mentor.age == 5", "mentor.age < 3 OR name == 'zoe'", "mentor.mentor.nick BEGINSWITH[c] 'e'",
    "CAST(mentor.age, 'NSString') CONTAINS '7'", "mentor.age != 5", "mentor.name == NULL",
  ]

  @Test func `find the rows that the condition finds in SQL`() throws {
    let library = try Library()
    var generator = Generator(seed: 77)
    try generator.fill(library, authors: 400)
    try library.execute(
      """
      \(Generator.hostileTexts)
      UPDATE author SET name = 'Zoé' WHERE id % 11 = 3;
      UPDATE author SET age = 9007199254740993, misc = 9007199254740992.0 WHERE id % 13 = 2;
      UPDATE author SET born = '2024-02-0' || (id % 9) WHERE id % 3 = 1;
      """)
    let database = try TemporaryDatabase()
    try library.execute("VACUUM INTO '\(database.path)'")
    try database.run("PRAGMA page_size = 512; VACUUM")
    var counts: [Int] = []
    for condition in Self.conditions {
      guard let predicate = try? FetchPredicate(format: condition) else {
        Issue.record("\(condition) is no predicate")
        continue
      }
      guard
        let valid = try? predicate.validated(forEntity: "Author", in: library.layout.model)
      else { continue }
      for sortKey in ["id", "nick"] {
        let plan = FetchPlan(
          entityName: "Author", predicate: valid, sortDescriptors: [FetchSortDescriptor(sortKey)])
        guard
          let found = try Self.compare(
            plan, library.reader, on: Self.pool(database), "\(condition)")
        else { continue }
        counts.append(found)
      }
    }
    #expect(counts.count > 80 && counts.count { $0 > 0 } > 60, "\(counts)")
  }

  /// Pieces of texts that fold to each other, or that are near to it; some are no UTF-8.
  private static let pieces =
    [
      "a", "e", "f", "i", "k", "s", "t", "z", "A", "F", "K", "S", "Z", " ", "7", "=", "\0", "é",
      "É",
      "ç", "e\u{301}", "\u{301}", "\u{323}", "ß", "ẞ", "ﬀ", "ﬃ", "ſ", "\u{212A}", "æ", "ı", "İ",
      "≠",
      "ǅ", "ŉ", "ё", "Ж", "ж", "σ", "ς", "が", "明", "’", "😀", "\u{1D165}", "ḗ", "Ａ",
    ].map { Array($0.utf8) } + [[0xC3], [0xFF], [0xE2, 0x84], [0x80]]

  @Test func `find needles in random texts as SQL does`() throws {
    var random = SeededGenerator(seed: 12)
    var counts: [Int] = []
    for index in 0..<30 {
      let database = try TemporaryDatabase(Self.randomTexts(index, &random))
      let store = try database.open()
      for _ in 0..<20 {
        let needle =
          random.chance(oneIn: 3)
          ? random.pick(["7", "77", "-7", "07-1", "fe", "ffi", "ss"])
          : String(decoding: Self.text(1...random.pick([1, 3, 6]), &random), as: UTF8.self)
        let search = "CONTAINS\(random.pick(["", "[c]", "[d]", "[cd]", "[cd]"])) %@"
        let format = random.pick([
          "name \(search)", "name \(search) OR notes \(search)", "NOT misc \(search)",
          "(name \(search) OR misc \(search)) AND (notes \(search) OR id > 7)",
          "name \(search) OR age > 7 OR CAST(age, 'NSString') \(search) OR notes CONTAINS[cd] 's'",
          "CAST(born, 'NSString') \(search) OR CAST(misc, 'NSString') \(search)",
        ])
        let count = format.components(separatedBy: "%@").count - 1
        guard
          let predicate = try? FetchPredicate(
            format: format, argumentArray: Array(repeating: needle, count: count)),
          let valid = try? predicate.validated(forEntity: "t", in: store.model)
        else {
          Issue.record("\(format) is no predicate")
          continue
        }
        let plan = FetchPlan(
          entityName: "t", predicate: valid, sortDescriptors: [FetchSortDescriptor("id")])
        if let count = try Self.compare(
          plan, store.reader, on: store.pool, "\(index): \(format) \(needle.debugDescription)")
        {
          counts.append(count)
        }
      }
    }
    #expect(counts.count > 500 && counts.count { $0 > 0 } > 300)
  }

  @Test func `find a table that has been moved since the last fetch`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE first (a); INSERT INTO first VALUES (zeroblob(50000));
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t(name) SELECT 'name ' || i FROM n;
      """)
    let store = try database.open()
    let plan = FetchPlan(
      entityName: "t",
      predicate: try FetchPredicate(format: "name CONTAINS '7'")
        .validated(forEntity: "t", in: store.model),
      sortDescriptors: [FetchSortDescriptor("name")])
    let count = try #require(try Self.compare(plan, store.reader, on: store.pool, "before"))
    for change in [
      "DROP TABLE first; VACUUM", "PRAGMA page_size = 512; VACUUM",
      "ALTER TABLE t DROP COLUMN name; ALTER TABLE t ADD COLUMN name TEXT; "
        + "UPDATE t SET name = 'name ' || id",
    ] {
      try database.run(change)
      #expect(try Self.compare(plan, store.reader, on: store.pool, "\(change)") == count)
    }
  }

  private static func text(_ lengths: ClosedRange<Int>, _ random: inout SeededGenerator) -> [UInt8]
  {
    (0..<Int.random(in: lengths, using: &random)).flatMap { _ in random.pick(pieces) }
  }

  /// Statements that fill a table with texts, some longer than a page.
  private static func randomTexts(_ index: Int, _ random: inout SeededGenerator) -> String {
    let mode = index % 2 == 0 ? "DELETE" : "WAL"
    let rows = (0..<200).map { _ in
      let long = random.chance(oneIn: 9) ? 0...900 : 0...12
      let texts = [text(0...4, &random), text(0...9, &random), text(long, &random)].map { bytes in
        "CAST(x'\(bytes.map { String(format: "%02x", $0) }.joined())' AS TEXT)"
      }
      let age = Int64.random(in: -9...Int64.max, using: &random) >> Int64(random.next() % 63)
      let misc = random.pick([texts[1], "7.5", "NULL", "x'61ff'", "-77"])
      let born = random.pick(["'2007-07-17'", "NULL", "'2007-07-17 17:07:00'", "77"])
      return "(\(texts[0]), \(age), \(misc), \(born), \(texts[2]))"
    }
    return """
      PRAGMA page_size = \(512 << (index % 4)); PRAGMA journal_mode = \(mode);
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, misc, born DATE, notes TEXT);
      INSERT INTO t(name, age, misc, born, notes) VALUES \(rows.joined(separator: ","));
      """
  }

  /// Compares a fetch from pages with that of a statement.
  ///
  /// - Returns: The number of objects; nil if pages are not read.
  private static func compare(
    _ plan: FetchPlan, _ reader: StoreReader, on pool: ConnectionPool, _ comment: Comment
  ) throws -> Int? {
    try pool.read(doing: "testing") { connection throws(StoreError) in
      let query = try FetchQuery(plan, compiler: reader.compiler)
      let method = try FetchMethod(
        query, QueryPlan(query.search, on: connection),
        keys: KeyRange(of: reader.layout.tables[plan.entityName], on: connection), leastRowCount: 1,
        compiler: reader.compiler, on: connection)
      // An index finds some of them.
      guard case .own(let order, .pages(let pages)) = method else { return nil }
      let run = FetchRun(connection: connection)
      let expected = try reader.fetchInOrder(query, run)
      for threads in [1, 3] {
        let run = FetchRun(connection: connection, threads: threads)
        #expect(try order.fetch(.pages(pages), run) == expected, comment)
      }
      return expected.ids.count
    }
  }

  @Test func `are explained, or why they are not read`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE city (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE person (
        id INTEGER PRIMARY KEY, name TEXT, age INTEGER, twice AS (age * 2),
        city_id INTEGER REFERENCES city(id));
      CREATE INDEX by_age ON person(age);
      CREATE TABLE tag (name TEXT PRIMARY KEY, rank INTEGER) WITHOUT ROWID;
      INSERT INTO person(name, age) VALUES ('a', 1), ('b', 2);
      """)
    let store = try database.open()
    func method(_ entity: String, _ key: String, _ condition: String? = nil) throws -> String {
      let predicate = try condition.map {
        try FetchPredicate(format: $0).validated(forEntity: entity, in: store.model)
      }
      var plan = FetchPlan(
        entityName: entity, predicate: predicate, sortDescriptors: [FetchSortDescriptor(key)])
      plan.limit = 10
      return try store.explanation(of: plan).method
    }
    #expect(
      try method("person", "name")
        == "Cardfile keeps the first rows, from the pages of the table.")
    #expect(try method("person", "name", "name CONTAINS[cd] 'x'").contains("from the pages"))
    #expect(try method("person", "name", "city.title CONTAINS 'x'").contains("from the pages"))
    #expect(try method("person", "name", "age == 2").hasSuffix(": an index finds them."))
    #expect(try method("person", "name", "age + 1 == 2").hasSuffix(": the condition needs SQL."))
    #expect(
      try method("person", "twice").hasSuffix(": a value is not in their records."))
    #expect(
      try method("person", "city.title").hasSuffix(": a value is not in their records."))
    #expect(
      try method("tag", "rank").hasSuffix(": they have no integer keys of their own."))
  }

  @Test func `are read while others have opened the database and written nothing`() throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO person(name) VALUES ('b'), ('a');
      """)
    let other = try database.connect()
    #expect(try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM person") } == 2)
    let plan = FetchPlan(entityName: "person", sortDescriptors: [FetchSortDescriptor("name")])
    let store = try database.open()
    func read() throws -> [ObjectKey] {
      #expect(try store.explanation(of: plan).method.contains("from the pages"))
      return try store.fetch(plan, control: nil).ids.map(\.key)
    }
    #expect(try read() == [.integer(2), .integer(1)])
    // The same connection reads the log as it grows, and after it begins anew.
    for (number, mode) in ["PASSIVE", "PASSIVE", "TRUNCATE", "PASSIVE"].enumerated() {
      try other.write { try $0.execute(sql: "INSERT INTO person(name) VALUES ('c\(number)')") }
      #expect(try read() == ([2, 1] + (3...number + 3)).map { .integer(Int64($0)) })
      try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
    }
    try other.close()
  }

  @Test(arguments: [nil, "name CONTAINS[cd] '77'"])
  func `tell how much of them has been read`(condition: String?) throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      INSERT INTO person SELECT i, 'name ' || i * 7 % 1000 FROM n;
      """)
    let store = try database.open()
    let predicate = try condition.map {
      try FetchPredicate(format: $0).validated(forEntity: "person", in: store.model)
    }
    let plan = FetchPlan(
      entityName: "person", predicate: predicate, sortDescriptors: [FetchSortDescriptor("name")])
    #expect(try store.explanation(of: plan).method.contains("from the pages"))
    let control = FetchControl()
    _ = try store.fetch(plan, control: control)
    #expect(control.total == 200_000)
    #expect((100_000...200_000).contains(control.completed), "\(control.completed)")
  }

  @Test(arguments: [("Cat", 2, true), ("Dog", 3, false)])
  func `are read for an entity to which many rows of a table belong`(
    _ entity: (name: String, number: Int, isLarge: Bool)
  ) throws {
    let database = try TemporaryDatabase()
    let name = AttributeDescription("name", .string)
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", attributes: [name]),
      EntityDescription(name: "Cat", superentityName: "Animal", attributes: [name]),
      EntityDescription(name: "Dog", superentityName: "Animal", attributes: [name]),
    ])
    _ = try SQLiteStore.create(
      path: database.path, model: model, layout: .coreData(CoreDataCreation()))
    try database.run(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      INSERT INTO ZANIMAL(Z_PK, Z_ENT, Z_OPT, ZNAME)
      SELECT i, iif(i % 100 = 0, 3, iif(i % 3 = 0, 2, 1)), 1, 'n' || i * 7 % 41 FROM n
      """)
    let store = try database.open()
    for condition in [nil, "name CONTAINS[cd] '2'"] {
      let predicate = try condition.map {
        try FetchPredicate(format: $0).validated(forEntity: entity.name, in: store.model)
      }
      let plan = FetchPlan(
        entityName: entity.name, predicate: predicate,
        sortDescriptors: [FetchSortDescriptor("name")])
      let method = try store.explanation(of: plan).method
      #expect(method.contains(entity.isLarge ? "from the pages" : "an index finds them"))
      let expected = try database.connect().read {
        try Int64.fetchAll(
          $0,
          sql: """
            SELECT Z_PK FROM ZANIMAL WHERE Z_ENT = \(entity.number)
            AND \(condition == nil ? "1" : "ZNAME LIKE '%2%'") ORDER BY ZNAME, Z_PK
            """)
      }
      let ids = try store.fetch(plan, control: nil).ids
      #expect(
        ids.map { $0.uriRepresentation.split(separator: "/").last } == expected.map { "p\($0)" })
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `are left to SQLite if the file is damaged`(mode: String) throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA page_size = 512; PRAGMA journal_mode = \(mode);
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, notes TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO person SELECT i, 'name ' || (i * 7 % 100), printf('%.*c', i % 700, 'x') FROM n;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
    let plan = FetchPlan(
      entityName: "person", sortDescriptors: [FetchSortDescriptor("name", comparison: .localized)])
    let store = try database.open()
    let reader = store.reader
    #expect(try store.fetch(plan, control: nil).ids.count == 3000)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: database.path))
    var generator = Generator(seed: 5)
    var outcomes: [Bool: Int] = [:]
    for _ in 0..<60 {
      var damaged = bytes
      // Not the first pages, without which there is no table.
      let place = Int.random(in: 4 * 512..<bytes.count, using: &generator.random)
      damaged[place / 512 * 512 + Int.random(in: 0..<20, using: &generator.random)] = UInt8.random(
        in: 0...255, using: &generator.random)
      try damaged.write(to: URL(fileURLWithPath: database.path))
      // SQLite reports some damage of a page once only, when it first reads it.
      func read(_ fetch: (FetchQuery, Connection) throws(StoreError) -> FetchedIDs) throws
        -> FetchedIDs?
      {
        let store = try database.open()
        return try? store.read(doing: "testing") { connection throws(StoreError) in
          try fetch(FetchQuery(plan, compiler: store.reader.compiler), connection)
        }
      }
      let found = try read { query, connection throws(StoreError) in
        let method = try FetchMethod(
          query, QueryPlan(query.search, on: connection), keys: nil, leastRowCount: nil,
          compiler: reader.compiler, on: connection)
        let run = FetchRun(connection: connection, threads: 2)
        guard case .own(let order, let source) = method,
          let found = try order.fetch(source, run)
        else { return try reader.fetchInOrder(query, run) }
        return found
      }
      let expected = try read { query, connection throws(StoreError) in
        try reader.fetchInOrder(query, FetchRun(connection: connection))
      }
      #expect(found == expected)
      outcomes[expected == nil, default: 0] += 1
    }
    #expect(outcomes.count == 2, "\(outcomes)")
  }

  private static func pool(_ database: TemporaryDatabase) -> ConnectionPool {
    ConnectionPool(
      settings: ConnectionSettings(
        path: database.path, copyPath: nil, subject: database.path, lockWait: LockWait(timeout: 10)),
      readers: [], usesWAL: true)
  }
}
