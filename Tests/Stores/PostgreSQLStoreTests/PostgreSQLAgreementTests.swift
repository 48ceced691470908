import Foundation
import ObjectModel
import PostgreSQLStore
import TestSupport
import Testing

/// What the server answers of a fetch is what evaluation here gives, for every row.
@Suite(.enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
struct PostgreSQLAgreementTests {
  /// Rows with ties, NULLs and borders of the types.
  static let tables = #"""
    CREATE TABLE maker (id serial PRIMARY KEY, name text, founded date);
    CREATE TABLE thing (
      id serial PRIMARY KEY, flag boolean, small smallint, number integer, big bigint, price numeric,
      money numeric(12,3),
      share real, ratio double precision, name text, code varchar(8) COLLATE "C", word text COLLATE "en-x-icu",
      padded char(4), day date, moment timestamptz, local timestamp, uid uuid, bytes bytea, labels text[],
      maker_id integer REFERENCES maker(id));
    INSERT INTO maker (name, founded) VALUES ('Zoë', '1999-12-31'), ('zoe', NULL), (NULL, '2024-05-01'), ('', '2024-05-01');
    """#

  private static let texts = [
    "", "a", "A", "é", "É", "e\u{301}", "Straße", "STRASSE", "12", "x%_*?", "日本", "👩‍👩‍👧", "abc", "ABC",
    "ab",
    "\u{FFFF}", "-", "a b ",
  ]
  private static let dates = [
    "2024-05-01", "1999-12-31", "0001-01-01", "9999-12-31", "infinity", "-infinity",
    "0044-03-15 BC",
    "2024-05-01 13:45:00.25", "12024-01-01",
  ]

  static let columns = [
    "flag", "small", "number", "big", "price", "money", "share", "ratio", "name", "code", "word",
    "padded",
    "day", "moment", "local", "uid", "bytes", "labels", "maker_id",
  ]

  private struct Rows: StoredRows {
    let rows: [ObjectID: RowSnapshot]
    let objectIDs: [ObjectID]
    let store: PostgreSQLStore
    var model: ManagedObjectModel { store.model }
    func row(of id: ObjectID) -> RowSnapshot? { rows[id] }
    func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
      -> [ObjectID: [ObjectID]]
    { try store.destinations(of: relationship, from: ids) }
  }

  struct Maker {
    var random: SeededGenerator

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &random) < percent
    }

    /// A value as it is written in a statement.
    mutating func literal(_ name: String) -> String {
      if chance(15) { return "NULL" }
      switch name {
      case "flag": return pick(["true", "false"])
      case "small": return pick(["0", "1", "-1", "32767", "-32768"])
      case "number": return pick(["0", "1", "-1", "2147483647", "5"])
      case "big": return pick(["0", "9007199254740993", "9223372036854775807", "-5", "5"])
      case "money": return pick(["9.99", "'NaN'", "0.1", "12", "-1e8", "5", "0.001"])
      case "price": return pick(["9.99", "9.990", "'NaN'", "0.1", "12", "-1e20", "5"])
      case "share": return pick(["0.1", "0.5", "'NaN'", "'Infinity'", "-0.0", "5", "16777217"])
      case "ratio": return pick(["0.1", "0.5", "'NaN'", "'-Infinity'", "1e300", "5", "0"])
      case "day", "moment", "local": return "'\(pick(PostgreSQLAgreementTests.dates))'"
      case "uid":
        return pick([
          "'6f9619ff-8b86-d011-b42d-00c04fc964ff'", "'00000000-0000-0000-0000-000000000001'",
        ])
      case "bytes": return pick([#"'\x0102'"#, #"'\x'"#])
      case "labels": return pick(["'{a,b}'", "'{}'"])
      case "maker_id": return pick(["1", "2", "3", "4"])
      case "padded": return pick(["'ab'", "'a'", "''", "'zzzz'"])
      default: return "'\(pick(PostgreSQLAgreementTests.texts))'"
      }
    }

    /// Statements that insert rows.
    mutating func rows(_ count: Int, _ columns: [String]) -> String {
      (0..<count).map { _ in
        let values = columns.map { literal($0) }.joined(separator: ", ")
        return "INSERT INTO thing (\(columns.joined(separator: ", "))) VALUES (\(values));\n"
      }.joined()
    }

    mutating func constant() -> Value {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: .null
      case 1: .bool(chance(50))
      case 2, 3:
        .date(
          Date(timeIntervalSince1970: pick([1_714_521_600, 946_684_799, 1_714_571_100.25, 0.1])))
      case 4: .decimal(pick([Decimal(string: "9.99") ?? 0, 5, 0, Decimal(string: "0.1") ?? 0]))
      case 5: .uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID())
      case 6: .double(pick([0.1, 0.5, 5, -0.25, 1e300, 9_007_199_254_740_992, .infinity]))
      case 7, 8: .integer(pick([0, 1, -1, 5, 9_007_199_254_740_993, .max, 32_768, 16_777_217]))
      default: .string(pick(PostgreSQLAgreementTests.texts))
      }
    }

    mutating func path(_ names: [String]) -> [String] {
      chance(20) ? ["maker", pick(["name", "founded", "id"])] : [pick(names)]
    }

    mutating func comparison(_ names: [String]) -> FetchPredicate.Comparison {
      let order: FetchPredicate.Operator = pick([
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      ])
      let options: FetchPredicate.Options = pick([[], [], [], .c, .cd, .n, .l])
      let left = FetchPredicate.Expression.keyPath(path(names))
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        return .init(
          left, pick([.contains, .beginsWith, .endsWith, .like]),
          .constant(.string(pick(PostgreSQLAgreementTests.texts))), options: options)
      case 2:
        let list = (0..<Int.random(in: 0...4, using: &random)).map { _ in
          FetchPredicate.Expression.constant(constant())
        }
        return .init(left, .in, .list(list), options: options)
      case 3:
        return .init(
          left, .between, .list([.constant(constant()), .constant(constant())]), options: options)
      case 4: return .init(.keyPath(["maker"]), pick([.equal, .notEqual]), .constant(.null))
      case 5: return .init(left, order, .keyPath(path(names)), options: options)
      default: return .init(left, order, .constant(constant()), options: options)
      }
    }

    mutating func node(_ names: [String], depth: Int) -> FetchPredicate.Node {
      guard depth > 0, chance(55) else { return .comparison(comparison(names)) }
      let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        node(names, depth: depth - 1)
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .and(parts)
      case 1: return .or(parts)
      case 2: return .constant(chance(50))
      default: return .not(node(names, depth: depth - 1))
      }
    }
  }

  /// `CARDFILE_FETCHES` sets how many.
  @Test func `random predicates and orders`() throws {
    let server = try #require(TestServer.shared)
    var maker = Maker(random: SeededGenerator(seed: 40))
    let columns = Self.columns
    let store = try PostgreSQLStore(
      address: server.makeDatabase(Self.tables + maker.rows(120, columns)))
    var snapshots: [ObjectID: RowSnapshot] = [:]
    for entity in store.model.entities {
      let ids = try store.fetch(FetchPlan(entityName: entity.name), control: nil).ids
      for case let row? in try store.rows(of: Array(ids)) { snapshots[row.id] = row }
    }
    let rows = Rows(rows: snapshots, objectIDs: snapshots.keys.sorted(), store: store)
    let count = ProcessInfo.processInfo.environment["CARDFILE_FETCHES"].flatMap(Int.init) ?? 400
    var (answered, tried) = (0, 0)
    for number in 0..<count {
      var plan = FetchPlan(entityName: "thing")
      let node = maker.node(columns + ["id"], depth: 2)
      // A predicate that compares what can never be equal is refused before.
      guard let predicate = try? FetchPredicate(node).validated(forEntity: "thing", in: store.model)
      else { continue }
      plan.predicate = maker.chance(85) ? predicate : nil
      for _ in 0..<maker.pick([0, 1, 2, 3]) {
        plan.sortDescriptors.append(
          FetchSortDescriptor(
            maker.path(columns).joined(separator: "."), ascending: maker.chance(50),
            comparison: maker.pick([.binary, .binary, .caseInsensitive, .localized])))
      }
      if maker.chance(20), let first = plan.sortDescriptors.first {
        plan.sectionKey = SectionKey(first.keyPath)
      }
      if maker.chance(30) {
        (plan.limit, plan.offset, plan.isFromEnd) = (7, maker.pick([0, 3]), maker.chance(50))
      }
      let expected = try plan.evaluated(over: rows)
      let evaluation = try store.evaluation(of: plan)
      tried += 1
      if evaluation.evaluatedRowCount == 0 { answered += 1 }
      let words =
        "\(number): \(plan.predicate.map { "\($0.predicate)" } ?? "all") by \(plan.sortDescriptors)"
      #expect(Array(evaluation.fetched.ids) == Array(expected.ids), "\(words)")
      #expect(evaluation.fetched.sections == expected.sections, "\(words)")
      #expect(try store.count(plan, control: nil) == expected.ids.count, "\(words)")
    }
    // Most are too odd for a server; but not all.
    #expect(answered * 6 > tried, "\(answered) of \(tried)")
  }
}
