import Foundation
import Testing

@testable import ObjectModel

struct TypedPredicateTests {
  private let model = Fixtures.model

  private func typed(
    _ text: String, as form: TypedPredicate.Form = .predicate
  ) throws(FetchPredicateError) -> TypedPredicate {
    try TypedPredicate(text, as: form, for: Fixtures.person, in: model)
  }

  // MARK: Recognising

  @Test(arguments: [
    ("name == 'x'", true), ("age>3", true), ("name contains[cd] x", true), ("name like 'x*'", true),
    ("x in {1}", true), ("TRUEPREDICATE", true),
    ("name = \"un", true), ("ac/dc", false), ("lost in translation", false),
    ("some like it hot", false), ("love", false), ("<3", false), ("", false),
    ("don't stop", false), ("50% off", false), ("\"to be or\" not", false), ("rock & roll", false),
    ("this and that", false),
    ("Tom && Jerry", false), ("I <3 you", false), ("http://x/?a=b", false), ("key=value", false),
    ("name contains foo", true), ("NAME CONTAINS foo", true), ("name of the rose", false),
    ("`odd name` = 1", true), ("#name = 1", true), ("not (name = 'x')", true), ("!name", false),
    ("SELF = 1", true), ("any age.x > 3", true), ("not in the mood", false), ("(500) days", false),
    ("age + 1 > 3", true), ("age + 1", false), ("age.@count > 3", true), ("age >", true),
    ("sum(age) > 3", true), ("sum(age)", false), ("shout(age) > 3", false),
    ("5 < age", false), ("nmae == 'x'", false), ("falsepredicate", true),
  ])
  func `a predicate begins with a name of the entity, and an operator follows`(
    text: String, isPredicate: Bool
  ) {
    let entity = EntityDescription(
      name: "Card",
      attributes: ["name", "odd name", "age"].map { AttributeDescription($0, .string) },
      relationships: [RelationshipDescription("x", to: "Card")])
    #expect(TypedPredicate.form(of: text, for: entity) == (isPredicate ? .predicate : .words))
  }

  // MARK: Reading

  @Test func `dates need no quotes, and errors have their range in the typed text`() throws {
    let text = "born > 1950-01-01 and nmae == 1950-01-01 and age > 1"
    #expect(
      try typed("born > 2001-01-01").predicate.predicate.description
        == "born > CAST(0.0, \"NSDate\")")
    let error = #expect(throws: FetchPredicateError.self) { try typed(text) }
    #expect(error?.text == text)
    #expect(error?.range == 22..<26)
    #expect(error?.suggestions == ["name"])
  }

  @Test(arguments: [
    ("born > 2001-01-01", "born > CAST(0.0, \"NSDate\")"),
    ("NOT (born > 2001-01-01)", "NOT (born > CAST(0.0, \"NSDate\"))"),
    ("born!=2001-01-01", "born != CAST(0.0, \"NSDate\")"),
    ("born <= 2001-01-01T00:00:10Z", "born <= CAST(10.0, \"NSDate\")"),
    ("born <= 2001-01-01 00:01", "born <= CAST(60.0, \"NSDate\")"),
    ("born <= 2001-01-01 00:01:01.5 and age > 1", "born <= CAST(61.5, \"NSDate\") AND age > 1"),
    ("born < 2001-01-01T01:00+01:00", "born < CAST(0.0, \"NSDate\")"),
    (
      "born IN {2001-01-01,2001-01-02}",
      "born IN {CAST(0.0, \"NSDate\"), CAST(86400.0, \"NSDate\")}"
    ),
    (
      "born BETWEEN { 2001-01-01 , 2001-01-02 }",
      "born BETWEEN {CAST(0.0, \"NSDate\"), CAST(86400.0, \"NSDate\")}"
    ),
    ("born != 2001-01-01", "born != CAST(0.0, \"NSDate\")"),
    ("2001-01-01 < born", "CAST(0.0, \"NSDate\") < born"),
    ("born > 2001-01-01 + 86400", "born > CAST(0.0, \"NSDate\") + 86400"),
    ("name == 2001-01-01", "name == \"2001-01-01\""),
    ("age == 2001 - 01 - 01", "age == 2001 - 1 - 1"),
    ("name == '2001-01-01' or age == 1", "name == \"2001-01-01\" OR age == 1"),
  ])
  func `a date needs no quotes`(text: String, meaning: String) throws {
    #expect(try typed(text).predicate.predicate.description == meaning)
  }

  @Test(arguments: [
    ("born > 1990-5-1", 7..<15), ("NOT born == 1990-13-01", 12..<22), ("born > 1990-05", 7..<14),
    ("born != 1990-02-30", 8..<18), ("born > 1990", 7..<11), ("born > 1990-05-01-", 18..<18),
    ("born > 01.05.1990", 7..<17), ("born > 1990/05/01", 7..<17), ("age > 1990-05-01", 6..<16),
    ("born > 1990-05-01T25:00Z", 7..<24), ("born != 12024-01-01", 8..<19),
  ])
  func `what is no date is refused where it stands`(text: String, range: Range<Int>) {
    let error = #expect(throws: FetchPredicateError.self) { try typed(text) }
    #expect(error?.range == range, "\(error?.description ?? "")\n\(error?.caret ?? "")")
  }

  @Test func `words are searched for in text attributes`() throws {
    let words = try typed("Motör", as: .words)
    #expect(try words.predicate.matches(Card(1, ["name": "motorhead"])))
    #expect(try !words.predicate.matches(Card(1, ["name": "ace"])))
  }

  // MARK: Validating once

  @Test func `a validated predicate is not validated again, nor is its conjunction`() throws {
    let typed = try typed("age > '3'").predicate
    let request = typed.predicate
    #expect(try request.validated(for: Fixtures.person, in: model).validation === typed.validation)
    let scope = try FetchPredicate(format: "name != NULL").validated(
      for: Fixtures.person, in: model)
    let both = FetchPredicate.all([scope.predicate, request])
    #expect(try both.validated(for: Fixtures.person, in: model).validation === scope.validation)
    #expect(both.description == "name != NULL AND age > 3")
  }

  @Test func `a predicate is validated again for another entity, and with a part that was not`()
    throws
  {
    let person = try typed("age > 3").predicate.predicate
    #expect(throws: FetchPredicateError.self) { try person.validated(forEntity: "DVD", in: model) }
    #expect(throws: FetchPredicateError.self) {
      try person.validated(forEntity: "Nobody", in: model)
    }
    let both = FetchPredicate.all([person, try FetchPredicate(format: "nmae == 1")])
    #expect(throws: FetchPredicateError.self) {
      try both.validated(for: Fixtures.person, in: model)
    }
  }

  // MARK: Ranges

  @Test(arguments: [
    ("born > '2001-01-01' AND born BEGINSWITH 'x'", 24..<28),
    ("name == 'a' OR age == 'a'", 22..<25),
    ("ANY dvds.title == 'x' AND dvds.title == 'y'", 26..<36),
    ("name == 'NSDate' OR name == CAST('NSDate', 'NSString') OR age == 'NSDate'", 65..<73),
    ("age == - age AND born == 0", 25..<26),
    ("born IN {'2001-01-01', 'x'} AND name == 'x'", 23..<26),
    ("friend.name == 'x' AND friend == 'x'", 23..<29),
    ("TERNARY(name == 'x', 'x', NULL) == 'x' OR age == 'x'", 49..<52),
    ("SUBQUERY(dvds, $x, $x.title == 'x' AND $x.titel == 1).@count > 1", 42..<47),
  ])
  func `an error is at the very occurrence`(format: String, range: Range<Int>) {
    let error = #expect(throws: FetchPredicateError.self) { try typed(format) }
    #expect(error?.range == range, "\(error?.caret ?? "")")
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `every key and literal has its range`(seed: UInt64) throws {
    var maker = PredicateMaker(seed)
    let predicate = try FetchPredicate(format: FetchPredicate(maker.node(3)).description)
    var counts: [FetchPredicate.Expression: Int] = [:]
    predicate.node.forEachExpression { expression in
      switch expression {
      case .constant, .object, .keyPath, .variable, .selfObject:
        counts[expression, default: 0] += 1
      default: break
      }
    }
    let ranges = try #require(predicate.source).ranges.filter { !$0.value.isEmpty && $0.key.isLeaf }
    #expect(ranges.mapValues(\.count) == counts, "\(predicate)")
    for own in ranges.values {
      #expect(zip(own, own.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
  }
}
