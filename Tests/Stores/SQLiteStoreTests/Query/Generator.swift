import Foundation
import GRDB
import ObjectModel
import TestSupport

@testable import SQLQueries
@testable import SQLiteStore

/// Generates rows, values, predicates and orders whose results are likely to differ between memory
/// and SQL.
struct Generator {
  typealias Predicate = FetchPredicate
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let texts = [
    "", "a", "A", "b", "é", "É", "e\u{301}", "E", "Straße", "STRASSE", "strasse", "12", "5", "5.0",
    "0", "1", "abc", "ABC", "abd", "x%_*?", "ac/dc", "Zoë", "日本", "👩‍👩‍👧", "ﬁn", "fin", "İ", "ı", "Æ",
    "ß", "9.99", "a10", "a9", "2024-05-01", "2024-05-01 13:45:00", "2023-12-31T23:59:59Z", "junk",
    "6F9619FF-8B86-D011-B42D-00C04FC964FF", "https://example.org/a", "\u{FFFF}", "-",
  ]

  static let numbers: [Value] = [
    .integer(0), .integer(1), .integer(-1), .integer(5), .integer(12), .integer(2),
    .integer(9_007_199_254_740_993), .integer(.max), .integer(.min), .double(0.5), .double(5),
    .double(9.99), .double(1e300), .double(-0.25), .double(9_007_199_254_740_992),
  ]

  static let bytes: [Value] = [
    .data(Data()), .data(Data([1, 2, 3])), .data(Data(repeating: 7, count: 16)),
  ]

  /// Updates that give some authors text that is not valid UTF-8 or contains zeros.
  static let hostileTexts = """
    UPDATE author SET name = CAST(x'61ff62' AS TEXT), nick = CAST(x'e9' AS TEXT) WHERE id % 11 = 3;
    UPDATE author SET name = CAST(x'610062' AS TEXT), nick = 'a' || char(0) WHERE id % 13 = 5;
    """

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func stored() -> Value {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: .null
    case 2...4: pick(Self.numbers)
    case 5: pick(Self.bytes)
    default: .string(pick(Self.texts))
    }
  }

  /// Usually a value of the attribute's type, else any stored value.
  mutating func stored(for attribute: AttributeDescription) -> Value {
    if chance(25) { return stored() }
    switch attribute.encoding {
    case .native:
      return attribute.type == .string ? .string(pick(Self.texts)) : pick(Self.numbers)
    case .isoText:
      return .string(
        pick(["2024-05-01", "2024-05-01 13:45:00", "2024-04-30", "1999-01-01T00:00:00Z"]))
    case .unixSeconds:
      return pick([.integer(1_714_521_600), .double(1_714_571_100.25), .integer(0)])
    case .booleanInteger: return .integer(Int64.random(in: 0...2, using: &random))
    case .decimalText: return .string(pick(["9.99", "9.990", "0.1", "12", "1e2"]))
    case .uuidData:
      return .data(Data(repeating: UInt8.random(in: 0...2, using: &random), count: 16))
    case .uuidText: return .string(pick(["6f9619ff-8b86-d011-b42d-00c04fc964ff", Self.texts[37]]))
    case .urlText: return .string("https://example.org/\(pick(["a", "B"]))")
    default: return pick(Self.numbers)
    }
  }

  mutating func constant() -> Value {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: .null
    case 1: .bool(chance(50))
    case 2: .date(Date(timeIntervalSince1970: pick([1_714_521_600, 0, 5, 1_714_571_100])))
    case 3: .decimal(pick([Decimal(string: "9.99") ?? 0, 5, 0]))
    case 4: .uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID())
    case 5: .data(Data(repeating: 1, count: 16))
    case 6: .url(URL(fileURLWithPath: "/a"))
    case 7...9: pick(Self.numbers)
    default: .string(pick(Self.texts))
    }
  }

  mutating func scalarPath() -> Predicate.Expression {
    let attribute = pick(Library.authorAttributes).name
    return .keyPath(
      pick([
        [attribute], [attribute], [attribute], ["mentor", attribute],
        ["mentor", "mentor", attribute],
      ]))
  }

  mutating func collectionPath() -> [String] {
    pick([
      ["books", "title"], ["books", "pages"], ["tags", "label"], ["tags", "key"],
      ["pupils", "name"],
      ["pupils", "age"], ["mentor", "books", "title"], ["books", "author", "name"],
      ["pupils", "born"], ["pupils", "mentor", "score"],
    ])
  }

  mutating func calculated() -> Predicate.Expression {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .keyPath([pick(["books", "tags", "pupils"]), "@count"])
    case 1: .keyPath(["books", pick(["@sum", "@min", "@max", "@avg"]), "pages"])
    case 2:
      .keyPath([
        "pupils", pick(["@sum", "@min", "@max", "@avg", "@distinctUnionOfObjects"]), "age",
      ])
    case 3: .keyPath(["mentor", "books", "@count"])
    case 4:
      .function(
        pick(["add:to:", "multiply:by:", "from:subtract:", "divide:by:"]),
        [scalarPath(), .constant(constant())])
    case 5:
      .function(
        pick(["uppercase:", "lowercase:", "length:", "abs:", "floor:", "sqrt:"]), [scalarPath()])
    case 6: .cast(scalarPath(), pick(["string", "integer", "double", "date", "bool"]))
    default: .ternary(node(depth: 1), scalarPath(), .constant(constant()))
    }
  }

  mutating func options() -> Predicate.Options { pick([[], [], [], .c, .d, .cd, .cd, .n, .l]) }

  mutating func order() -> Predicate.Operator {
    pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  /// Sort descriptors for attributes of an author, or of its mentor.
  ///
  /// - Parameters:
  ///   - counts: How many.
  ///   - names: The names of the attributes.
  mutating func sortDescriptors(_ counts: ClosedRange<Int>, of names: [String])
    -> [FetchSortDescriptor]
  {
    (0..<Int.random(in: counts, using: &random)).map { _ in
      let name = pick(names)
      return FetchSortDescriptor(
        pick([name, name, "mentor.\(name)"]), ascending: chance(50),
        comparison: pick([.binary, .caseInsensitive, .localized, .localized(numeric: true)]))
    }
  }

  mutating func comparison() -> Predicate.Comparison {
    let textual: Predicate.Operator = pick([.contains, .beginsWith, .endsWith, .like, .contains])
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3: return .init(scalarPath(), order(), .constant(constant()), options: options())
    case 4: return .init(.constant(constant()), order(), scalarPath(), options: options())
    case 5: return .init(scalarPath(), order(), scalarPath(), options: options())
    case 6, 7:
      return .init(scalarPath(), textual, .constant(.string(pick(Self.texts))), options: options())
    case 8:
      let list = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Predicate.Expression.constant(constant())
      }
      return .init(scalarPath(), .in, .list(list), options: options())
    case 9:
      return .init(
        scalarPath(), .between, .list([.constant(constant()), .constant(constant())]),
        options: options())
    case 10, 11:
      return .init(
        .keyPath(collectionPath()), chance(50) ? order() : textual, .constant(constant()),
        options: options(), modifier: chance(50) ? .any : .all)
    case 12: return .init(calculated(), order(), .constant(constant()), options: options())
    case 13: return objects()
    case 14:
      let inner: Predicate.Node = .comparison(
        .init(
          .variable("x", [pick(["title", "pages"])]), order(),
          chance(50) ? scalarPath() : .constant(constant())))
      return .init(
        .function(
          "valueForKeyPath:",
          [.subquery(.keyPath(["books"]), variable: "x", inner), .keyPath(["@count"])]),
        order(), .constant(.integer(Int64.random(in: 0...2, using: &random))))
    default:
      return .init(.constant(constant()), .in, .keyPath(collectionPath()), options: options())
    }
  }

  private mutating func objects() -> Predicate.Comparison {
    let id = ObjectID(
      storeIdentifier: Library.storeIdentifier, entityName: "Author",
      key: .integer(Int64.random(in: 1...12, using: &random)))
    let other = ObjectID(
      storeIdentifier: Library.storeIdentifier, entityName: "Author",
      key: .integer(Int64.random(in: 1...12, using: &random)))
    let object: Predicate.Expression = pick([
      .selfObject, .keyPath(["mentor"]), .keyPath(["mentor", "mentor"]),
    ])
    let operation: Predicate.Operator = pick([.equal, .notEqual])
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .init(object, .in, .list([.object(id), .object(other)]))
    case 1: return .init(object, operation, .constant(.null))
    case 2: return .init(object, operation, .keyPath(["mentor"]))
    case 3: return .init(.keyPath(["pupils"]), operation, .object(id), modifier: .any)
    case 4: return .init(.keyPath(["books", "author"]), operation, .object(id), modifier: .all)
    default: return .init(object, operation, .object(id))
    }
  }

  mutating func node(depth: Int) -> Predicate.Node {
    guard depth > 0, chance(55) else { return .comparison(comparison()) }
    let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in node(depth: depth - 1) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .and(parts)
    case 1: return .or(parts)
    case 2: return .constant(chance(50))
    default: return .not(node(depth: depth - 1))
    }
  }

  /// Inserts rows into the library.
  mutating func fill(_ library: Library, authors: Int) throws {
    try library.queue.writeWithoutTransaction { database in
      let connection = try Connection(database)
      func insert(_ table: String, _ values: [Value]) throws {
        let sql: SQL = "INSERT OR IGNORE INTO \(name: table) VALUES (\(values))"
        _ = try Statement(sql, on: connection, doing: "testing").step()
      }
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      for tag in ["red", "Grün", "blue", "12"] {
        try insert("tag", [.string(tag), .string(tag + "!")])
      }
      for key in 1...Int64(authors) {
        var values: [Value] = [.integer(key)]
        for attribute in Library.authorAttributes.dropFirst().dropLast() {
          values.append(stored(for: attribute))
        }
        values.append(
          chance(30) ? .null : .integer(Int64.random(in: 1...Int64(authors), using: &random)))
        try insert("author", values)
        for tag in ["red", "Grün", "blue", "12"] where chance(30) {
          try insert("author_tag", [.integer(key), .string(tag)])
        }
      }
      for key in 1...Int64(authors * 2) {
        try insert(
          "book",
          [
            .integer(key), stored(), stored(),
            chance(20) ? .null : .integer(Int64.random(in: 1...Int64(authors), using: &random)),
          ])
      }
    }
  }
}

extension Generator {
  /// Fills a library with authors with hostile texts, each of whom is there twice.
  mutating func fillWithTies(_ library: Library) throws {
    try fill(library, authors: 60)
    try library.execute(
      """
      \(Generator.hostileTexts)
      CREATE INDEX by_nick ON author(nick);
      INSERT INTO author (name, nick, age, born, seen, misc)
        SELECT name, nick, age, born, seen, misc FROM author;
      """)
  }

  /// A fetch of authors in a random order, often with sections or a predicate.
  mutating func orderedPlan(by names: [String], in library: Library) -> FetchPlan {
    let descriptors = sortDescriptors(0...3, of: names)
    var plan = FetchPlan(entityName: "Author", sortDescriptors: descriptors)
    if let first = descriptors.first, chance(40) {
      plan.sectionKey = SectionKey(first.keyPath, pick([.value, .initial, .year]))
    }
    if chance(30) {
      plan.predicate = try? FetchPredicate(node(depth: 1))
        .validated(forEntity: "Author", in: library.layout.model)
    }
    return plan
  }
}
