import Foundation
import Testing

@testable import ObjectModel

/// What is compared must be of one kind: literals are converted, anything else is refused.
struct PredicateKindTests {
  /// Expressions of each kind, for objects of `Person`.
  private static let expressions: [(kind: String, texts: [String])] = [
    (
      "number",
      [
        "age", "friend.age", "height", "balance", "isMember", "5", "1.5", "TRUE", "age + 1", "-age",
        "age & 1", "abs(age)", "length(name)", "name.length", "dvds.@count", "dvds[SIZE]",
        "dvds.@sum.year", "@sum.dvds.year", "dvds.@avg.year", "dvds.@max.year", "max(dvds.year)",
        "sum({1, 2})", "born - born", "now() - born", "CAST(name, 'integer')", "random()",
        "TERNARY(age > 1, age, NULL)", "{1, 2}[0]", "dvds[FIRST].year", "noindex:(age)",
        "SUBQUERY(dvds, $x, TRUEPREDICATE).@count", "dvds.@distinctUnionOfObjects.year.@count",
      ]
    ),
    (
      "text",
      [
        "name", "friend.name", "'x'", "uppercase(name)", "canonical(name)", "dvds.@max.title",
        "min(dvds.title)", "CAST(age, 'NSString')", "TERNARY(age > 1, name, 'x')", "{'a', 'b'}[0]",
        "dvds[LAST].title", "lowercase(entity)", "CAST('http://a/b', 'NSURL')",
      ]
    ),
    (
      "date",
      [
        "born", "friend.born", "now()", "born + 86400", "born - 86400", "86400 + born",
        "friendOf.@max.born", "max(friendOf.born)", "CAST(age, 'NSDate')", "CAST(0, 'NSDate')",
        "TERNARY(age > 1, born, '2000-01-01')", "friendOf[FIRST].born", "'2000-01-01' + 60",
      ]
    ),
    ("bytes", ["photo", "token", "CAST('AAEC', 'NSData')", "CAST(name, 'NSUUID')"]),
    ("object", ["SELF", "friend", "friend.friend", "SELF.objectID", "friendOf[FIRST]"]),
    ("list", ["{1, 2}", "{'a'}"]),
  ]

  private static let comparisons = ["==", "!=", "<", "<=", ">", ">="]

  private func error(in format: String) -> FetchPredicateError? {
    do {
      _ = try FetchPredicate(format: format).validated(for: Fixtures.person, in: Fixtures.model)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a text is a literal, which is converted if it can be.
  private func isConverted(_ text: String) -> Bool {
    text.hasPrefix("'") && !text.contains("+") || Double(text) != nil || text == "TRUE"
      || text.hasPrefix("TERNARY")
  }

  @Test func `each operator refuses each pair of kinds that can never be equal`() {
    var refused = 0
    for left in Self.expressions {
      for right in Self.expressions where left.kind != right.kind {
        for (a, b) in left.texts.flatMap({ a in right.texts.map { (a, $0) } })
        where !isConverted(a) && !isConverted(b) {
          for sign in Self.comparisons {
            let format = "NOT (\(a) \(sign) \(b))"
            #expect(error(in: format)?.caret.contains("^") == true, "\(format)")
            refused += 1
          }
          if left.kind != "list", right.kind != "list" {
            #expect(error(in: "\(a) IN {\(b)}") != nil, "\(a) IN {\(b)}")
            #expect(error(in: "\(a) BETWEEN {\(b), \(b)}") != nil, "\(a) BETWEEN {\(b)}")
          }
        }
      }
    }
    #expect(refused > 1_000)
  }

  @Test func `each operator takes each pair of expressions of one kind`() {
    for (kind, texts) in Self.expressions where kind != "list" {
      for (a, b) in texts.flatMap({ a in texts.map { (a, $0) } }) {
        let signs = kind == "object" ? ["==", "!="] : Self.comparisons
        for sign in signs {
          let error = self.error(in: "\(a) \(sign) \(b)")
          #expect(error == nil, "\(error?.description ?? "")\n\(error?.caret ?? "")")
        }
      }
    }
  }

  @Test func `operators for text take text only`() {
    for (kind, texts) in Self.expressions {
      for a in texts where !isConverted(a) {
        for sign in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"] {
          let isTaken = kind == "text" || sign == "CONTAINS" && a == "{'a'}"
          #expect((error(in: "\(a) \(sign) 'x'") == nil) == isTaken, "\(a) \(sign) 'x'")
        }
      }
    }
  }

  @Test(arguments: [
    ("friendOf.@max.born > '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("max(friendOf.born) > '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("now() > '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("CAST(age, 'NSDate') > '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("born + 86400 > '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("born - 86400 > '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("'2000-01-01' < born + 86400", "CAST(-31622400.0, \"NSDate\")"),
    ("TERNARY(age > 1, born, NULL) == '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("now() - '2000-01-01' > 5", "CAST(-31622400.0, \"NSDate\")"),
    ("friendOf[FIRST].born == '2000-01-01'", "CAST(-31622400.0, \"NSDate\")"),
    ("'2000-01-01' IN {born, friend.born}", "CAST(-31622400.0, \"NSDate\")"),
    ("(TERNARY(age > 1, friend, SELF)).age == '31'", "31"),
    ("(TERNARY(age > 1, name, 'x')).length BETWEEN {'1', age}", "{1, age}"),
    ("age + 1 == '31'", "31"), ("dvds.@sum.year == '14.5'", "14.5"), ("'31' == age", "31"),
    ("length(name) == '3'", "3"), ("dvds.@count IN {'1', 2}", "{1, 2}"), ("'5' < 6", "5"),
    ("age + '2' > 5", "age + 2"), ("uppercase(name) == 5", "\"5\""),
    ("friend == 'x-coredata://s/Person/p1'", "CAST(\"x-coredata://s/Person/p1\""),
    ("SELF IN {'x-coredata://s/Person/p1'}", "CAST(\"x-coredata://s/Person/p1\""),
    ("friend.objectID != 'x-coredata://s/Person/p1'", "friend != CAST("),
    ("entity.name == 'Person'", "entity == \"Person\""),
    ("@max.friendOf.born > '2000-01-01'", "friendOf.@max.born > CAST(-31622400.0"),
  ])
  func `a literal is converted to the kind of what it is compared with`(
    format: String, part: String
  ) throws {
    let valid = try FetchPredicate(format: format).validated(
      for: Fixtures.person, in: Fixtures.model)
    #expect(valid.predicate.description.contains(part), "\(valid.predicate)")
    #expect(try FetchPredicate(format: valid.predicate.description) == valid.predicate)
  }

  @Test(arguments: [
    ("friendOf.@max.born > 'soon'", "'soon'"), ("now() > 5", "5"), ("friend IN {1, 2}", "friend"),
    ("born + 86400 > 'x'", "'x'"), ("age + 1 == 'x'", "'x'"), ("dvds.@sum > 1", "@sum"),
    ("dvds.@max == 1", "@max"), ("dvds.@sum.title > 1", "@sum"), ("sum(dvds) > 1", "dvds"),
    ("sum(dvds.title) > 1", "dvds.title"), ("age IN {1, 'x'}", "'x'"), ("{1, 'x'}[0] == 1", "'x'"),
    ("5 IN {1, 'x'}", "'x'"), ("max(1, 'x') > 0", "'x'"), ("sqrt(name) > 1", "name"),
    ("uppercase(age) == 'A'", "age"), ("length(age) > 1", "age"), ("name + 1 == 2", "name"),
    ("born * 2 > 1", "born"), ("born + born > 1", "born"), ("5 - born > 1", "born"),
    ("height & 1 == 1", "height"), ("1.5 | 1 == 1", "1.5"), ("CAST(photo, 'NSDate') > 1", "photo"),
    ("CAST(friend, 'NSString') == 'x'", "friend"), ("friend < friend", "friend"),
    ("SELF == dvds[FIRST]", "dvds[FIRST]"), ("entity == 'Persn'", "'Persn'"),
    ("friend == 'x-coredata://s/DVD/p1'", "'x-coredata://s/DVD/p1'"),
    ("friend == 'x-coredata://s/Car/p1'", "'x-coredata://s/Car/p1'"), ("age IN 5", "5"),
    ("age IN name", "age"), ("TERNARY(age > 1, 'a', 5) == 5", "'a'"), ("$x == 1", "$x"),
    ("name[0] == 'x'", "name"), ("dvds['a'].year == 1", "'a'"), ("name == 5 + 1", "5 + 1"),
    ("dvds[FIRST].owner.dvds.@count == 1", "owner.dvds.@count"),
    ("dvds.owner.dvds.@count == 1", "dvds.owner.dvds.@count"), ("photo == 'abc'", "'abc'"),
  ])
  func `what cannot be compared is refused where it stands`(format: String, part: String) throws {
    let error = try #require(self.error(in: format), "\(format)")
    let marked = Array(format)[error.range]
    #expect(String(marked) == part, "\(error.description)\n\(error.caret)")
  }

  // MARK: Composites

  private static let places = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Shop",
      attributes: ["home.city", "home.zip", "work.city", "work.zip"].map { name in
        AttributeDescription(
          name, .string,
          details: AttributeDetails(compositeName: String(name.prefix { $0 != "." })))
      } + [AttributeDescription("name", .string)])
  ])

  @Test(arguments: [
    ("home.city == 'Oslo'", "`home.city` == \"Oslo\""),
    ("home == NULL", "`home.city` == NULL AND `home.zip` == NULL"),
    ("home != NULL", "`home.city` != NULL OR `home.zip` != NULL"),
    ("home == work", "`home.city` == `work.city` AND `home.zip` == `work.zip`"),
    ("home.city.length > 3", "`home.city`.length > 3"),
  ])
  func `composites are compared by their attributes`(format: String, meaning: String) throws {
    let valid = try FetchPredicate(format: format).validated(forEntity: "Shop", in: Self.places)
    #expect(valid.predicate.description == meaning)
    let shop = Card(1, ["home.city": "Oslo", "home.zip": .null, "work.city": "Oslo"])
    #expect(try valid.matches(shop) == (format != "home == NULL"))
  }

  @Test(arguments: ["home == 'x'", "home > work", "home.cty == 'x'", "home CONTAINS 'x'"])
  func `anything else with a composite is refused`(format: String) throws {
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: format).validated(forEntity: "Shop", in: Self.places)
    }
  }

  // MARK: MATCHES

  @Test(arguments: [
    ("text MATCHES 'a*'", String(repeating: "a", count: 1_000_000)),
    ("NOT text MATCHES '(a|b)*'", String(repeating: "a", count: 1_000_000)),
    ("'a' MATCHES text", "("),
  ])
  func `a regular expression that gives up is an error`(format: String, text: String) throws {
    let card = Card(1, ["text": .string(text)])
    let predicate = try FetchPredicate(format: format)
    let error = #expect(throws: FetchPredicateError.self) { try predicate.matches(card) }
    #expect(error?.description.isEmpty == false)
  }

  @Test(arguments: ["x*", "a{3}", "[^b]+", "a.a"])
  func `a regular expression that does not match is no error`(pattern: String) throws {
    let card = Card(1, ["text": "bbb"])
    #expect(try !FetchPredicate(format: "text MATCHES %@", pattern).matches(card))
  }
}
