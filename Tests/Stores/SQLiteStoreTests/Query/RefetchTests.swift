import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// Fetches that put only the changed rows in their new places give what a whole fetch gives.
struct RefetchTests {
  /// How many random databases are tried, with 8 fetches of 12 rounds each; `CARDFILE_REFETCHES`
  /// changes it.
  static let databases: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CARDFILE_REFETCHES"].flatMap { UInt64($0) } ?? 6)

  @Test(arguments: databases)
  func `after any changes the results are those of a whole fetch`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let plain = try Library()
    try generator.fill(plain, authors: 300)
    try plain.execute(Generator.hostileTexts)
    let names = Library.authorAttributes.map(\.name)
    var mergedCount = 0
    for (library, table) in [
      (plain, Table.plain), (try CoreDataLibrary.make(from: plain), Table.coreData),
    ] {
      for _ in 0..<8 {
        let plan = try Self.plan(&generator, names, library)
        var last: TrackedFetch?
        for _ in 0..<12 {
          for _ in 0..<generator.pick([0, 1, 1, 2, 5]) {
            try Self.change(library, table, &generator)
          }
          let (found, isMerged) = try Self.refetch(plan, since: last, library)
          let expected = try Self.whole(plan, library)
          let difference = zip(Self.texts(found.results), Self.texts(expected)).first { $0 != $1 }
          #expect(
            difference == nil && found.results.ids.count == expected.ids.count,
            "\(plan.sortDescriptors) \(String(describing: plan.sectionKey))")
          if isMerged { mergedCount += 1 }
          last = found
        }
      }
    }
    #expect(mergedCount > 60)
  }

  @Test func `only the rows that changed are sorted`() throws {
    let library = try Self.numbered(5_000)
    var plan = FetchPlan(
      entityName: "Author", sortDescriptors: [.init("name", comparison: .localized)])
    plan.sectionKey = SectionKey("name", .initial)
    var last = try Self.refetch(plan, since: nil, library).found
    for change in [
      "UPDATE author SET name = 'aaa' WHERE id = 4000",
      "UPDATE author SET name = NULL WHERE id = 1",
      "DELETE FROM author WHERE id IN (1, 2, 2500, 5000)",
      "INSERT INTO author (id, name) VALUES (2500, 'Ünique'), (6000, 'zz'), (2, '#')",
      "UPDATE author SET name = 'q' || name WHERE id BETWEEN 100 AND 900", "SELECT 1",
      "UPDATE author SET age = 7",
    ] {
      try library.execute(change)
      let (found, isMerged) = try Self.refetch(plan, since: last, library)
      #expect(isMerged, "\(change)")
      #expect(Self.texts(found.results) == Self.texts(try Self.whole(plan, library)), "\(change)")
      last = found
    }
  }

  @Test func `very many changes, another plan and a limit need a whole fetch`() throws {
    let library = try Self.numbered(5_000)
    var plan = FetchPlan(entityName: "Author", sortDescriptors: [.init("name")])
    let first = try Self.refetch(plan, since: nil, library).found
    try library.execute("UPDATE author SET name = 'x' || name")
    let (found, isMerged) = try Self.refetch(plan, since: first, library)
    #expect(!isMerged)
    #expect(Self.texts(found.results) == Self.texts(try Self.whole(plan, library)))
    plan.sortDescriptors = [.init("name", ascending: false)]
    #expect(try !Self.refetch(plan, since: found, library).isMerged)
    plan.limit = 10
    #expect(try Self.refetch(plan, since: nil, library).found.fingerprint == nil)
  }

  @Test func `keys that are too far apart need a whole fetch`() throws {
    let library = try Self.numbered(10)
    try library.execute("INSERT INTO author (id, name) VALUES (\(Int64.max), 'a'), (-7, 'b')")
    let plan = FetchPlan(entityName: "Author", sortDescriptors: [.init("name")])
    let (found, _) = try Self.refetch(plan, since: nil, library)
    #expect(found.fingerprint == nil)
    #expect(Self.texts(found.results) == Self.texts(try Self.whole(plan, library)))
  }

  @Test func `a list in the order of the keys, and one as of now, have no fingerprint`() throws {
    let library = try Self.numbered(10)
    var plan = FetchPlan(entityName: "Author")
    #expect(try Self.refetch(plan, since: nil, library).found.fingerprint == nil)
    plan.sortDescriptors = [.init("name")]
    plan.predicate = try FetchPredicate(format: "born < now()")
      .validated(forEntity: "Author", in: library.layout.model)
    #expect(try Self.refetch(plan, since: nil, library).found.fingerprint == nil)
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `what was fetched is tracked if nobody has committed since`(_ journal: String) throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = \(journal);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (2, 'b');
      """)
    let store = try database.open()
    let plan = FetchPlan(entityName: "t", sortDescriptors: [.init("a")])
    let first = try store.refetch(plan, since: nil, keepingIn: nil, control: nil)
    let tracked = try #require(try store.track(first, control: nil))
    #expect(tracked.results == first.results && tracked.fingerprint != nil)
    try database.run("INSERT INTO t VALUES (3, 'a')")
    #expect(try store.track(first, control: nil) == nil)
    let second = try store.refetch(plan, since: tracked, keepingIn: nil, control: nil)
    #expect(second.isIncremental)
    #expect(second.results == (try store.fetch(plan, control: nil)))
    #expect(second.results.ids.count == 3)
  }

  // MARK: Changes

  /// The names of the authors' table and columns.
  private struct Table {
    let name, key: String
    /// The column of the entity; nil if the table has one entity.
    let entity: String?
    let column: @Sendable (String) -> String

    static let plain = Table(name: "author", key: "id", entity: nil, column: { $0 })
    static let coreData = Table(
      name: "ZAUTHOR", key: "Z_PK", entity: "Z_ENT", column: { "Z\($0.uppercased())" })
  }

  /// Changes, inserts or deletes a random author.
  private static func change(_ library: Library, _ table: Table, _ generator: inout Generator)
    throws
  {
    let attribute = generator.pick(Library.authorAttributes.filter { $0.name != "id" })
    let column = table.column(attribute.name)
    let value = generator.stored(for: attribute)
    let key = Int64.random(in: 1...340, using: &generator.random)
    let kind = Int.random(in: 0..<5, using: &generator.random)
    try library.queue.writeWithoutTransaction { database in
      let row: SQL = "WHERE \(name: table.key) = \(key)"
      let statement: SQL
      switch kind {
      case 0: statement = "DELETE FROM \(name: table.name) \(row)"
      case 1:
        let entity = table.entity.map { [SQL](arrayLiteral: "\(name: $0)") } ?? []
        let number = Int64.random(in: 1...3, using: &generator.random)
        let columns = ["\(name: table.key)", "\(name: column)"] + entity
        let values = [.integer(key), value] + entity.map { _ in Value.integer(number) }
        statement = "INSERT OR REPLACE INTO \(name: table.name) (\(columns)) VALUES (\(values))"
      default: statement = "UPDATE \(name: table.name) SET \(name: column) = \(value) \(row)"
      }
      _ = try Statement(statement, on: Connection(database), doing: "testing").step()
    }
  }

  private static func plan(_ generator: inout Generator, _ names: [String], _ library: Library)
    throws -> FetchPlan
  {
    let descriptors = generator.sortDescriptors(1...3, of: names)
    var plan = FetchPlan(entityName: "Author", sortDescriptors: descriptors)
    if generator.chance(60) {
      plan.sectionKey = SectionKey(
        descriptors[0].keyPath, generator.pick(SectionKey.Transform.allCases))
      if plan.sectionKey?.transform == .initial {
        plan.sortDescriptors[0].comparison = .localized
      }
    }
    if generator.chance(40) {
      plan.predicate = try? FetchPredicate(generator.node(depth: 1))
        .validated(forEntity: "Author", in: library.layout.model)
    }
    return plan
  }

  private static func numbered(_ count: Int) throws -> Library {
    let library = try Library()
    try library.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO author (id, name) SELECT i, printf('%c%d', 97 + i * 7919 % 26, i * 31 % 977) FROM n
      """)
    return library
  }

  // MARK: Fetching

  /// Fetches again; whether only the changed rows were sorted.
  private static func refetch(
    _ plan: FetchPlan, since last: TrackedFetch?, _ library: Library
  ) throws -> (found: TrackedFetch, isMerged: Bool) {
    try library.queue.writeWithoutTransaction { database in
      let connection = try Connection(database)
      var found = try library.reader.refetch(
        plan, since: last, control: nil, on: connection, besides: nil)
      if found.fingerprint == nil {
        found.fingerprint = try library.reader.fingerprint(
          of: plan, control: nil, on: connection, besides: nil)
      }
      return (found, found.isIncremental)
    }
  }

  private static func whole(_ plan: FetchPlan, _ library: Library) throws -> FetchedIDs {
    try library.queue.writeWithoutTransaction { database in
      try library.reader.fetch(plan, control: nil, on: Connection(database))
    }
  }

  private static func texts(_ fetched: FetchedIDs) -> [String] {
    fetched.ids.map(\.uriRepresentation) + fetched.sections.map { "\($0.name): \($0.count)" }
  }
}
