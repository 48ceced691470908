import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import RESTStore

struct ODataFilterTests {
  let model: ODataModel

  init() throws { model = try ODataSample.model() }

  private static let book = ObjectID(
    storeIdentifier: "S", entityName: "Book", key: .integer(1))
  private static let author = ObjectID(
    storeIdentifier: "S", entityName: "Author", key: .integer(2))

  private func answer(_ predicate: FetchPredicate, of entity: String) throws -> ODataFilter.Answer {
    let filter = ODataFilter(model, entityName: entity) { id in
      id.entityName == "Book" ? [.string("A'1"), .integer(7)] : [.integer(5)]
    }
    return filter.answer(to: try predicate.validated(forEntity: entity, in: model.model).predicate)
  }

  @Test(arguments: [
    ("Person", "Name == \"O'Neil\"", "Name eq 'O''Neil'"),
    ("Person", "Name != \"a\" AND Age > 5", "Name ne 'a' and Age gt 5"),
    ("Person", "Age == NULL", "Age eq null"),
    ("Person", "Age < NULL", "false"),
    ("Person", "5 < Age OR NOT Active == YES", "Age gt 5 or not (Active eq true)"),
    ("Person", "NOT Age > 5", "not (Age ne null and Age gt 5)"),
    ("Person", "Age BETWEEN {5, 10}", "Age ge 5 and Age le 10"),
    ("Person", "Age IN {5, 10, NULL}", "Age eq 5 or Age eq 10"),
    ("Person", "Age > 1 AND (Age IN {5, 10})", "Age gt 1 and (Age eq 5 or Age eq 10)"),
    ("Person", "Name BEGINSWITH \"A\"", "startswith(Name,'A')"),
    ("Person", "NOT Name CONTAINS \"A\"", "not (Name ne null and contains(Name,'A'))"),
    ("Person", "Name LIKE \"*x\"", "endswith(Name,'x')"),
    ("Person", "Name CONTAINS \"\"", "false"),
    ("Person", "Home.Place.City == \"Ulm\"", "Home/Place/City eq 'Ulm'"),
    ("Person", "Mentor.Name == \"Ada\"", "Mentor/Name eq 'Ada'"),
    ("Person", "Mentor == NULL", "Mentor eq null"),
    ("Person", "Score > 0.1", "Score gt 0.1"),
    ("Person", "Fee == 9.99", "Fee eq 9.99"),
    ("Person", "Born >= \"2024-05-01\"", "Born ge 2024-05-01"),
    ("Person", "Born < \"2024-05-01T12:00:00Z\"", "Born le 2024-05-01"),
    ("Person", "Seen > \"2024-05-01T12:00:00.25Z\"", "Seen gt 2024-05-01T12:00:00.250000Z"),
    ("Book", "Genre == \"Poem\"", "Genre eq Library.Model.Genre'Poem'"),
    ("Book", "Genre == \"None\"", "false"),
    ("Book", "ANY Tags.Label == \"x\"", "Tags/any(x:x/Label eq 'x')"),
    ("Book", "ALL Tags.Label BEGINSWITH \"x\"", "Tags/all(x:startswith(x/Label,'x'))"),
    ("Book", "\"x\" IN Tags.Label", "Tags/any(x:x/Label eq 'x')"),
    ("Book", "Tags.@count > 2", "Tags/$count gt 2"),
    ("Book", "Author == NULL", "AuthorID eq null"),
    (
      "Author", "ANY Books.Tags.Label == \"x\"",
      "Books/any(x:x/Tags/any(x1:x1/Label eq 'x'))"
    ),
    (
      "Author", "SUBQUERY(Books, $b, $b.Pages > 5 AND $b.Title == Name).@count > 0",
      "Books/any(x:x/Pages gt 5 and x/Title eq $it/Name)"
    ),
    (
      "Author", "SUBQUERY(Books, $b, $b.Title CONTAINS \"a\").@count == 0",
      "not (Books/any(x:x/Title ne null and contains(x/Title,'a')))"
    ),
    ("Author", "TRUEPREDICATE", "true"),
  ]) func `what OData can say is sent`(entity: String, format: String, text: String) throws {
    let answer = try answer(FetchPredicate(format: format), of: entity)
    #expect(answer == ODataFilter.Answer(text: text))
  }

  @Test(arguments: [
    ("Person", "Name == [d] \"a\"", nil),
    ("Person", "Name MATCHES \"a+\"", nil),
    ("Person", "Name < \"a\"", nil),
    ("Person", "Name LIKE \"a*b\"", nil),
    ("Person", "Name CONTAINS[c] \"é\"", nil),
    ("Person", "NOT Name CONTAINS[c] \"b\"", nil),
    ("Person", "Age + 1 > 5", nil),
    ("Person", "Ratio > 0.5", nil),
    ("Person", "Mails CONTAINS \"a\"", nil),
    ("Book", "Scan == NULL", nil),
    ("Person", "Name CONTAINS[c] \"Bob\"", "contains(tolower(Name),'bob')"),
    ("Person", "Name ==[c] \"k\"", "tolower(Name) eq 'k' or contains(Name,'\u{212A}')"),
    (
      "Person", "Written == \"2024-05-01T12:00:00Z\"",
      "Written ge 2024-05-01T11:59:59.999998Z and Written le 2024-05-01T12:00:00.000002Z"
    ),
    ("Person", "Pause == \"PT1H\"", "Pause eq duration'PT1H'"),
    ("Person", "Age > 5 AND Name MATCHES \"a+\"", "Age gt 5"),
    ("Person", "Age > 5 OR Name MATCHES \"a+\"", nil),
  ]) func `what it cannot say is left to us, and more is asked for`(
    entity: String, format: String, text: String?
  ) throws {
    let answer = try answer(FetchPredicate(format: format), of: entity)
    #expect(answer.text == text)
    #expect(answer.rest.count == 1)
  }

  @Test func `objects are compared by their keys`() throws {
    let isBook = PropertyKey("Books").any == Self.book
    #expect(
      try answer(isBook, of: "Author").text
        == "Books/any(x:x/Shelf eq 'A''1' and x/Number eq 7)")
    #expect(try answer(PropertyKey("Author") == Self.author, of: "Book").text == "AuthorID eq 5")
    #expect(
      try answer(PropertyKey("Author") != Self.author, of: "Book").text == "not (AuthorID eq 5)")
  }

  @Test func `signs that fold to letters of ASCII are all known`() {
    let known = Set(ODataTextCondition.foldedToASCII.map(\.sign))
    for code in UInt32(0x80)...0x2FFFF {
      guard let scalar = UnicodeScalar(code) else { continue }
      let folded = TextFolding.fold(String(scalar), .case)
      if folded.utf8.contains(where: { $0 < 0x80 }) { #expect(known.contains(String(scalar))) }
    }
  }

  @Test func `filters that are too long for an address are left to us`() throws {
    let names = (0..<500).map { Value.string("name number \($0)") }
    let long = FetchPredicate(
      .comparison(.init(.keyPath(["Name"]), .in, .list(names.map { .constant($0) }))))
    let answer = try answer(long && PropertyKey("Age") > 5, of: "Person")
    #expect(answer.text == "Age gt 5" && answer.rest.count == 1)
  }

  @Test func `every filter is of OData's grammar`() throws {
    var maker = RandomPredicates(seed: 39)
    var sent = 0
    var exact = 0
    while sent < 2000 {
      let (entity, node) = maker.predicate()
      guard let answer = try? answer(FetchPredicate(node), of: entity) else { continue }
      guard let text = answer.text else { continue }
      sent += 1
      if answer.isExact { exact += 1 }
      #expect(
        ODataGrammar().accepts(ODataText.encoded(text), as: "boolCommonExpr"),
        "\(FetchPredicate(node)) → \(text)")
    }
    #expect(exact > 1000)
  }
}

/// Makes predicates on the library of ``ODataSample``, many of them odd.
struct RandomPredicates {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let attributes: [String: [String]] = [
    "Person": [
      "ID", "Name", "Age", "Born", "Seen", "Written", "Active", "Score", "Ratio", "Fee", "Guid",
      "Pause", "Wakes", "Mails", "Home.Street", "Home.Place.City",
    ],
    "Author": ["ID", "Name", "Pen", "Home.Place.Zip"],
    "Book": ["Shelf", "Number", "Title", "Pages", "Genre", "AuthorID", "Scan"],
    "Tag": ["Label"],
  ]
  private static let paths: [String: [[String]]] = [
    "Person": [["Mentor", "Name"], ["Mentor", "Mentor", "Age"], ["Mentor", "Books", "Title"]],
    "Author": [
      ["Books", "Title"], ["Books", "Tags", "Label"], ["Pupils", "Name"], ["Books", "Pages"],
    ],
    "Book": [["Author", "Name"], ["Tags", "Label"], ["Author", "Books", "Pages"]],
    "Tag": [["Books", "Title"], ["Books", "Author", "Name"], ["Books", "Number"]],
  ]
  private static let values: [Value] = [
    .null, .integer(0), .integer(5), .integer(-7), .integer(.max), .double(0.5), .double(0.1),
    .double(1e300), .double(-1e-9), .decimal(Decimal(999) / 100), .bool(true), .bool(false),
    .date(Date(timeIntervalSince1970: 1_714_521_600)),
    .date(Date(timeIntervalSince1970: 1_714_571_100.123)),
    .date(Date(timeIntervalSince1970: -62_000_000_000)), .data(Data([1, 255, 62])),
    .uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID()),
    .string(""), .string("a"), .string("O'Neil's"), .string("a&b=c+d%20#?/"), .string("naïve"),
    .string("日本 \n\t\"x\""), .string("PT1H30M"), .string("-P6DT23H59M59.9S"), .string("13:45:00"),
    .string("Poem"), .string("smith"), .string("*x*"), .string("x*"), .string("(a) or true"),
    .string("2024-05-01"), .string("5"), .string("6F9619FF-8B86-D011-B42D-00C04FC964FF"),
  ]

  mutating func predicate() -> (entity: String, FetchPredicate.Node) {
    let entity = random.pick(["Person", "Author", "Book", "Tag"])
    return (entity, node(entity, depth: 3))
  }

  private mutating func node(_ entity: String, depth: Int) -> FetchPredicate.Node {
    guard depth > 0, random.chance(oneIn: 2) else { return .comparison(comparison(entity)) }
    let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      node(entity, depth: depth - 1)
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .and(parts)
    case 1: return .or(parts)
    default: return .not(node(entity, depth: depth - 1))
    }
  }

  private mutating func comparison(_ entity: String) -> FetchPredicate.Comparison {
    let operation = random.pick(FetchPredicate.Operator.allCases)
    let options: FetchPredicate.Options = random.pick([[], [], [], .c, .cd])
    let value = random.pick(Self.values)
    let right: FetchPredicate.Expression =
      [.in, .between].contains(operation)
      ? .list([.constant(value), .constant(random.pick(Self.values))]) : .constant(value)
    let simple = random.pick(Self.attributes[entity] ?? [])
    switch Int.random(in: 0..<8, using: &random) {
    case 0...4: return .init(.keyPath([simple]), operation, right, options: options)
    case 5:
      return .init(
        .keyPath([simple]), operation, .keyPath([random.pick(Self.attributes[entity] ?? [])]))
    case 6:
      let path = random.pick(Self.paths[entity] ?? [])
      return .init(
        .keyPath(path), operation, right, options: options,
        modifier: random.pick([.any, .all, .direct]))
    default:
      guard let path = Self.paths[entity]?.first(where: { $0.count == 2 }),
        ["Books", "Tags"].contains(path[0])
      else { return .init(.keyPath([simple]), .equal, .constant(value)) }
      let inner: FetchPredicate.Node = .comparison(
        .init(.variable("v", [path[1]]), operation, right, options: options))
      return .init(
        .function(
          "valueForKeyPath:",
          [.subquery(.keyPath([path[0]]), variable: "v", inner), .keyPath(["@count"])]),
        random.pick([.greater, .equal]), .constant(.integer(0)))
    }
  }
}
