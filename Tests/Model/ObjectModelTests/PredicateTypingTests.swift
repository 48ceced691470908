import Testing

@testable import ObjectModel

/// What a person types into `/`: the recognised form, and errors that show how it is written.
struct PredicateTypingTests {
  private static let predicates = [
    "name == 'x'", "name = 'x'", "name='x'", "name=", "name ==", "NAME CONTAINS foo",
    "name contains foo",
    "name contains[cd] 'x'", "name beginswith 'x'", "name endswith x", "name like 'x*'",
    "name matches '.*'",
    "name in {'a'}", "name between {1, 2}", "name != x", "name <> x", "name!='x'", "age>3",
    "age >= 3",
    "age => 3", "age =< 3", "age<3", "age > 1990-05-01", "name > ", "(age > 3)", "((age > 3))",
    "(age) > 3",
    "( age + 1 ) * 2 > 3", "not age > 3", "NOT (age > 3)", "!(age > 3)", "! age = 3",
    "any pets.title = 'x'",
    "ALL pets.title = 'x'", "none pets.age > 3", "some pets.age > 3", "pets.@count > 0",
    "pets.@sum.age > 3", "@sum.pets.age > 3", "@count.pets = 2", "pets[0].title = 'x'",
    "pets[FIRST].title == 'x'", "boss.name = 'x'", "boss.nam == 'x'", "boss . name = 1",
    "boss = NULL",
    "SELF = 1", "self in {'x'}", "entity == 'Car'", "entity.name = 'Car'", "objectID = 'x'",
    "length(name) > 3", "now() > born", "sum(age) > 3", "CAST(age, 'NSString') = '3'",
    "TERNARY(age > 3, 1, 2) = 1", "SUBQUERY(pets, $x, $x.age > 3).@count > 0", "noindex:(age) > 3",
    "age + 1 > 3", "age-30 > 5", "age*2=10", "age & 1 = 1", "age % 2 == 0", "age << 1 > 3",
    "TRUEPREDICATE", "falsepredicate", "name startswith 'x'", "name startswith x", "name IS NULL",
    "name is not null", "name is 'x'", "name not in {'x'}", "age NOT BETWEEN {1, 2}",
    "name ilike 'x'",
    "name not like 'x'", "name regexp 'x'", "name =~ 'x'", "age ≥ 3", "age ≠ 3", "age IN (1, 2)",
    "age in [1,2]", "age between 1 and 5", "name contians 'x'", "name starts with 'x'",
    "`odd name` = 1", "odd name = 1", "#name = 1", "name == \"un", "name.length > 3",
    "name !contains 'x'",
    "name == NULL and age > 3", "name equals 'x'", "age + > 3", "(age + ) > 3", "age % > 3",
    "sum(age > 3", "(age > 3", "any (age > 3",
  ]

  private static let words = [
    "", " ", "love", "Tom && Jerry", "I <3 you", "http://x/?a=b", "key=value", "key = 'value'",
    "<3",
    "lost in translation", "some like it hot", "ac/dc", "don't stop", "50% off", "\"to be or\" not",
    "rock & roll", "this and that", "name of the rose", "not in the mood", "(500) days", "!name",
    "age + 1", "age - 5", "sum(age)", "shout(age) > 3", "5 < age", "nmae == 'x'",
    "sum of all fears",
    "all quiet", "any given sunday", "none of the above", "name", "name age", "name, age = 3",
    "name and age", "name && age = 3", "name || age > 3", "name: x = 3", "name 3 > 2",
    "self made man",
    "self", "entity", "the name = x", "'name' = 'x'", "\"name\" = 'x'", "$x = 1", "%@ = 1",
    "NULL == name",
    "no country for old men", "true = flag", "name is nice", "title = x", "name (live) = x", "boss",
    "boss.name", "pets[0]", "name.", "name!", "age?", "a = b", "1 = 1", "= 3", "-- 3", "{1} = age",
    "name has it", "x", "ages > 3", "my age > 3", "length = 3", "now", "count me in", "max power",
    "name include", "not a name", "not", "any", "(", ")", "()", "(name)", "name)", "é = è", "👩‍👩‍👧",
    "日本 = x",
    "name\tof", "age + )", "age % of", "sum(age", "C++ > C", "e=mc2", "R.E.M.", "50 cent < 3",
    "foo:bar", "@home = x", "#1 = x",
  ]

  private static let card = EntityDescription(
    name: "Card",
    attributes: ["name", "odd name", "age", "born"].map { AttributeDescription($0, .string) },
    relationships: [
      RelationshipDescription("pets", to: "Card", isToMany: true),
      RelationshipDescription("boss", to: "Card"),
    ])

  @Test(arguments: predicates) func `a predicate is recognised`(text: String) {
    #expect(TypedPredicate.form(of: text, for: Self.card) == .predicate)
  }

  @Test(arguments: words) func `words are recognised`(text: String) {
    #expect(TypedPredicate.form(of: text, for: Self.card) == .words)
  }

  // MARK: Errors

  private func error(in text: String) -> FetchPredicateError? {
    do {
      _ = try TypedPredicate(text, as: .predicate, for: Fixtures.person, in: Fixtures.model)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("age IN (1,2)", "age IN {1,2}"), ("age IN [1, 2]", "age IN {1, 2}"),
    ("name IN ('x')", "name IN {'x'}"),
    ("age BETWEEN (1, 2)", "age BETWEEN {1, 2}"), ("age BETWEEN 1 AND 2", "age BETWEEN {1, 2}"),
    ("age % 2 == 0", "modulus:by:(age, 2) == 0"),
    ("1 + age % 2 == 0", "1 + modulus:by:(age, 2) == 0"),
    ("name == Bob", "name == 'Bob'"), ("name contains foo", "name contains 'foo'"),
    ("name == Bob Smith", "name == 'Bob Smith'"), ("name startswith 'B'", "name BEGINSWITH 'B'"),
    ("name starts with 'B'", "name BEGINSWITH 'B'"), ("name ilike 'b'", "name LIKE[c] 'b'"),
    ("name IS NULL", "name == NULL"), ("name is not null", "name != null"),
    ("name NOT IN {'x'}", "NOT name IN {'x'}"),
    ("age NOT BETWEEN {1, 2}", "NOT age BETWEEN {1, 2}"),
    ("name contians 'x'", "name CONTAINS 'x'"), ("age ≥ 3", "age >= 3"),
    ("name =~ 'x'", "name MATCHES 'x'"),
    ("friend.nam == 'x'", "friend.name == 'x'"),
    ("nmae == 'x' and age > 1", "name == 'x' and age > 1"),
    ("odd nam == 'x' ", nil), ("ANY dvds.titel == 'x'", "ANY dvds.title == 'x'"),
    (
      "SUBQUERY(dvds, $x, $x.titel == 'x').@count > 1",
      "SUBQUERY(dvds, $x, $x.title == 'x').@count > 1"
    ),
    ("friend.`odd nam` == 'x'", "friend.`odd name` == 'x'"),
    ("oddname == 'x'", "`odd name` == 'x'"),
    ("entity == 'Persn'", "entity == 'Person'"), ("SELF.nmae == 'x'", "SELF.name == 'x'"),
    ("name == 'nmae' AND nmae == 'x'", "name == 'nmae' AND name == 'x'"),
  ])
  func `Tab writes the text as it should be, and that is valid or has a later error`(
    text: String, mended: String?
  ) throws {
    let error = try #require(self.error(in: text))
    guard let mended else { return }
    let suggestion = try #require(error.suggestions.first, "\(error)")
    var characters = Array(text)
    characters.replaceSubrange(error.range, with: Array(suggestion))
    #expect(String(characters) == mended)
    #expect(self.error(in: mended) == nil)
  }

  @Test(arguments: [
    ("name == '日本' AND nmae == 1", "name == '日本' AND nmae == 1\n                   ^^^^"),
    ("name == '👩‍👩‍👧' AND nmae == 1", "name == '👩‍👩‍👧' AND nmae == 1\n                 ^^^^"),
    ("`größ日` == 1", "`größ日` == 1\n^^^^^^^^"), ("name == 'e\u{301}' AND x == 1", nil),
    ("name == '\u{1}\u{202E}' AND nmae == 1", "name == '␁�' AND nmae == 1\n                 ^^^^"),
  ])
  func `carets count columns`(text: String, caret: String?) throws {
    let error = try #require(self.error(in: text))
    if let caret { #expect(error.caret == caret) }
  }

  @Test(arguments: [
    String(repeating: "friend.", count: 60) + "name == 'x'",
    "SUBQUERY(dvds, $x, TRUEPREDICATE).@count > 0 AND "
      + (0..<8).reduce("age > 1") { inner, level in
        "SUBQUERY(friendOf, $v\(level), \(inner)).@count > 0"
      },
    "ANY " + String(repeating: "friendOf.", count: 9) + "name == 'x'",
  ])
  func `what SQLite cannot join or nest is refused with a caret`(text: String) throws {
    let error = try #require(self.error(in: text))
    #expect(error.caret.contains("^"))
  }
}
