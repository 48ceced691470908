import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// Rows sorted here are in the order in which SQLite sorts them.
@Suite struct `An order without SQLite's sort` {
  /// How many random databases are tried, with 240 fetches each, some of the first or last rows;
  /// `CARDFILE_ORDERS` changes it.
  static let databases: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CARDFILE_ORDERS"].flatMap { UInt64($0) } ?? 8)

  @Test(arguments: databases)
  func `is the order of the statement, and has its sections`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let plain = try Library()
    try generator.fill(plain, authors: 80)
    // Hostile texts and fractions of seconds; then many rows with equal values, so that further
    // descriptors and keys decide.
    try plain.execute(
      """
      \(Generator.hostileTexts)
      UPDATE author SET born = '2024-05-01 13:45:00.' || id, seen = id / 7.0 WHERE id % 5 = 2;
      INSERT INTO author (name, nick, age, born, seen, misc)
        SELECT name, nick, age, born, seen, misc FROM author;
      """)
    let names = Library.authorAttributes.map(\.name)
    var ownCounts = [0, 0]
    for library in [plain, try CoreDataLibrary.make(from: plain)] {
      for _ in 0..<120 {
        let descriptors = generator.sortDescriptors(0...3, of: names)
        var plan = FetchPlan(entityName: "Author", sortDescriptors: descriptors)
        if let first = descriptors.first, generator.chance(50) {
          plan.sectionKey = SectionKey(
            first.keyPath, generator.pick(SectionKey.Transform.allCases))
        }
        if generator.chance(30) {
          plan.predicate = try? FetchPredicate(generator.node(depth: 1))
            .validated(forEntity: "Author", in: library.layout.model)
        }
        if generator.chance(50) {
          plan.limit = Int.random(in: 0...90, using: &generator.random)
          plan.offset = generator.chance(30) ? Int.random(in: 0...90, using: &generator.random) : 0
          plan.isFromEnd = generator.chance(40)
        }
        if try compare(plan, library) { ownCounts[plan.limit == nil ? 0 : 1] += 1 }
      }
    }
    #expect(ownCounts.allSatisfy { $0 > 50 }, "\(ownCounts)")
  }

  @Test func `is used with text of any bytes, and where an index led to the rows`() throws {
    let library = try Library()
    for text in ["x'61ff'", "x'6100'", "x'610062'", "x'61'", "x''", "x'ff'", "x'00'", "x'c3a9'"] {
      try library.execute(
        """
        INSERT INTO author (id, nick, age) VALUES
        (abs(random() / 4096), CAST(\(text) AS TEXT), 5 - length(\(text))),
        (abs(random() / 4096), \(text), length(\(text)))
        """)
    }
    for comparison in [FetchSortDescriptor.Comparison.binary, .localized] {
      for ascending in [true, false] {
        var plan = FetchPlan(
          entityName: "Author",
          sortDescriptors: [.init("nick", ascending: ascending, comparison: comparison)])
        for isFromEnd in [nil, false, true] {
          plan.limit = isFromEnd == nil ? nil : 5
          plan.isFromEnd = isFromEnd ?? false
          plan.predicate = nil
          #expect(try compare(plan, library))
          plan.predicate = try FetchPredicate(format: "age > 0")
            .validated(forEntity: "Author", in: library.layout.model)
          #expect(try compare(plan, library))
        }
      }
    }
  }

  @Test func `is not used for text in UTF-16, which SQLite sorts by its bytes`() throws {
    let library = try Library(encoding: "UTF-16le")
    let query = try FetchQuery(
      FetchPlan(entityName: "Author", sortDescriptors: [.init("nick")]),
      compiler: library.reader.compiler)
    try library.queue.writeWithoutTransaction { database in
      let order = try Self.order(query, library, on: Connection(database))
      #expect(order == nil)
    }
  }

  @Test func `is not used for long values`() throws {
    let library = try Library()
    try library.execute("INSERT INTO author (nick) VALUES (printf('%20000d', 7)), ('x')")
    var plan = FetchPlan(entityName: "Author", sortDescriptors: [.init("nick")])
    #expect(try !compare(plan, library))
    // First rows may have longer ones.
    plan.limit = 2
    #expect(try compare(plan, library))
    try library.execute("INSERT INTO author (nick) VALUES (printf('%9000000d', 7))")
    #expect(try !compare(plan, library))
  }

  @Test(arguments: [nil, 1]) func `is used for very many columns`(limit: Int?) throws {
    let library = try Library()
    try library.execute("INSERT INTO author (nick) VALUES ('y'), ('x')")
    var plan = FetchPlan(
      entityName: "Author", sortDescriptors: Array(repeating: .init("nick"), count: 196))
    plan.limit = limit
    #expect(try compare(plan, library))
  }

  @Test func `keeps its numbers when one no longer fits the small type`() {
    let numbers: [Int64] = [0, 7, 255, 256, 1, -1, .max, .min]
    for count in 0...numbers.count {
      var buffer = WideningBuffer<UInt8, Int64>()
      for number in numbers.prefix(count) { buffer.append(number) }
      #expect(buffer.count == count)
      for index in 0..<count { #expect(buffer[index] == numbers[index]) }
    }
  }

  @Test func `places integers beside doubles exactly`() throws {
    let library = try Library()
    let numbers = [
      "9223372036854775807", "9223372036854775806", "9223372036854775807.0", "9007199254740993",
      "9007199254740992.0", "9007199254740991", "-9223372036854775808", "-9223372036854775807",
      "-9223372036854775808.0", "0", "-0.0", "0.0", "1e-320", "-1e-320", "9e999", "-9e999", "0.5",
    ]
    for number in numbers + numbers.reversed() {
      try library.execute("INSERT INTO author (misc) VALUES (\(number))")
    }
    for ascending in [true, false] {
      var plan = FetchPlan(
        entityName: "Author", sortDescriptors: [.init("misc", ascending: ascending)])
      #expect(try compare(plan, library))
      for limit in 1...numbers.count * 2 {
        plan.limit = limit
        #expect(try compare(plan, library))
      }
      plan.limit = nil
      // 9223372036854775808 and its double are equal, and have sections of their own.
      plan.sectionKey = SectionKey("misc")
      #expect(try !compare(plan, library))
    }
  }

  @Test func `is given up when the values differ too much for the memory`() throws {
    let library = try Library()
    try library.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 33000)
      INSERT INTO author (nick) SELECT printf('%800d', i * 7919 % 33000) FROM n
      """)
    let plan = FetchPlan(entityName: "Author", sortDescriptors: [.init("nick", ascending: false)])
    try library.queue.writeWithoutTransaction { database in
      let connection = try Connection(database)
      let query = try FetchQuery(plan, compiler: library.reader.compiler)
      let order = try #require(try Self.order(query, library, on: connection))
      #expect(try order.fetch(.statement(because: .file), FetchRun(connection: connection)) == nil)
      let found = try library.reader.fetch(plan, control: nil, on: connection)
      #expect(
        found == (try library.reader.fetchInOrder(query, FetchRun(connection: connection))))
    }
  }

  /// How the rows are sorted without SQLite's sort; nil if SQLite sorts them.
  private static func order(_ query: FetchQuery, _ library: Library, on connection: Connection)
    throws -> OwnOrder?
  {
    let method = try FetchMethod(
      query, QueryPlan(query.sql, on: connection), keys: nil, leastRowCount: nil,
      compiler: library.reader.compiler, on: connection)
    guard case .own(let order, _) = method else { return nil }
    return order
  }

  /// Compares both ways; whether SQLite's sort was not needed.
  private func compare(_ plan: FetchPlan, _ library: Library) throws -> Bool {
    try library.queue.writeWithoutTransaction { database in
      let connection = try Connection(database)
      let reader = library.reader
      let query = try FetchQuery(plan, compiler: reader.compiler)
      let run = FetchRun(connection: connection)
      let order = try Self.order(query, library, on: connection)
      let own = try Self.result { () throws(StoreError) in
        try order?.fetch(.statement(because: .file), run)
      }
      guard let own else { return false }
      let expected = try Self.result { () throws(StoreError) in
        try reader.fetchInOrder(query, run)
      }
      let difference = zip(own, expected ?? []).first { $0 != $1 }
      #expect(difference == nil && own.count == expected?.count, "\(plan.sortDescriptors)")
      return true
    }
  }

  /// The IDs and sections, or the detail of the error; nil if the fetch was given up.
  private static func result(_ body: () throws(StoreError) -> FetchedIDs?) throws -> [String]? {
    do {
      guard let found = try body() else { return nil }
      return found.ids.map(\.uriRepresentation) + found.sections.map { "\($0.name): \($0.count)" }
    } catch {
      return [error.detail]
    }
  }
}
