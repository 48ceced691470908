import Foundation
import ObjectModel
import Testing

struct PredicateMeaningTests {
  @Test(arguments: [
    "name == 'Ann Éclair'", "name ==[cd] 'ANN ECLAIR'", "name != 'x'", "name CONTAINS 'Écl'",
    "name contains[cd] \"ecl\"", "name BEGINSWITH 'Ann'", "name ENDSWITH[d] 'Eclair'",
    "NOT name CONTAINS ''", "NOT name BEGINSWITH[cd] ''", "NOT name ENDSWITH ''", "NOT '' IN name",
    "NOT name CONTAINS[d] '\\u0301'", "NOT '' CONTAINS ''", "'' LIKE ''", "NOT name LIKE ''",
    "'' MATCHES ''", "NOT name MATCHES ''", "NOT '' MATCHES 'a'", "'' LIKE '*'",
    "name LIKE 'A*?clair'", "name LIKE[c] 'ann*'", "name LIKE '*'", "name MATCHES 'A.*r'",
    "name MATCHES[cd] 'ann\\s\\w+'", "NOT name MATCHES 'Ann'", "name IN {'x', 'Ann Éclair'}",
    "name IN 'I am Ann Éclair!'", "'Ann' IN name", "NOT name IN {}",
    "age == 30", "age = 30.0", "age <> 31", "age >= 30 AND age <= 30", "age => 30 && age =< 30",
    "age BETWEEN {30, 31}",
    "NOT (age BETWEEN {31, 99})", "age IN {1, 30.0}", "age > 29.5", "'30' != age",
    "NOT age == '30'", "NOT age < 'x'", "NOT age > 'x'",
    "age == 0x1E", "age == 0b11110", "age == 0o36", "age == 3e1", "age == --30", "age == -(-30)",
    "isMember == TRUE", "isMember == YES", "isMember == 1", "isMember != false", "isMember != NO",
    "nothing == NULL", "nothing = nil", "NOT nothing != NULL", "nothing != 5", "NOT nothing == 5",
    "NOT nothing < 5", "NOT nothing >= 5",
    "NOT nothing <= NULL", "NOT nothing IN {NULL, 5}", "NOT nothing BETWEEN {1, 2}",
    "NOT nothing CONTAINS ''", "missing == NULL",
    "NOT (NOT age == 30)", "!(age == 31)", "age == 31 OR name == 'Ann Éclair'",
    "NOT age == 31 AND age == 30",
    "TRUEPREDICATE", "NOT FALSEPREDICATE", "age == 1 AND age == 2 OR age == 30", "balance == 12.5",
    "balance == CAST('12.5', 'NSDecimalNumber')",
    "born == CAST(-978307200, 'NSDate')", "born < CAST('1970-01-02', 'NSDate')", "NOT born == 0",
    "NOT born > 'a'", "born < now()",
    "friend.name == 'Bob'", "friend.age == NULL", "friend.friend == NULL",
    "friend.friend.name == nil", "friend != NULL", "friend == friend",
    "SELF != friend", "SELF == SELF", "SELF.age == 30", "friend IN {friend}", "SELF IN {SELF}",
    "friend == CAST('x-coredata://s/Card/p2', 'NSManagedObjectID')",
    "ANY dvds.title == 'Alien'", "SOME dvds.year > 1980", "NONE dvds.year > 1990",
    "ALL dvds.year > 1970", "NOT ALL dvds.year > 1980",
    "NOT ANY friend.dvds.title == NULL", "ALL friend.dvds.title == 'x'",
    "NONE friend.dvds.title != 'x'", "NOT ANY friend.friend.dvds.title != 'x'",
    "ANY dvds.title IN {'Brazil'}", "'Alien' IN dvds.title", "dvds.title CONTAINS 'Brazil'",
    "dvds.@count == 2", "friend.dvds.@count == 0",
    "dvds.@sum.year == 3964", "dvds.@max.year == 1985", "dvds.@min.year = 1979",
    "dvds.@avg.year == 1982", "friend.dvds.@sum.year == 0",
    "friend.dvds.@max.year == NULL", "dvds.year.@max == 1985",
    "dvds.@distinctUnionOfObjects.year.@count == 2",
    "SUBQUERY(dvds, $x, $x.year > 1980).@count == 1",
    "SUBQUERY(dvds, $x, $x.year > SELF.age).@count == 2",
    "SUBQUERY(dvds, $x, ANY SUBQUERY(dvds, $y, $y != $x).year == 1979).@count == 1",
    "SUBQUERY(dvds, $x, TRUEPREDICATE).@max.year == 1985",
    "ANY SUBQUERY(dvds, $x, $x.year > 1980).title == 'Brazil'",
    "dvds[0].title == 'Alien'", "dvds[LAST].year == 1985", "dvds[FIRST] != dvds[LAST]",
    "dvds[SIZE] == 2", "dvds[9] == NULL", "dvds[-1] == NULL",
    "{1, 2, 3}[1] == 2", "{1, 2} == {1, 2}", "{1, 2} != {2, 1}",
    "age + 1 == 31", "age - 1 * 2 == 28", "(age - 1) * 2 == 58", "2 ** 3 ** 2 == 64",
    "2 ** (3 ** 2) == 512",
    "age / 4 == 7", "age / 4.0 == 7.5", "age / 0 == NULL", "1 / 2 == 0", "-7 / 2 == -3",
    "7 / -2 == -3", "5 / 2 == 2", "5.0 / 2 == 2.5", "balance / 2 == 6.25",
    "-9223372036854775808 / -1 > 9.2e18", "1 + 7 / 2 * 2 == 7",
    "6 & 3 == 2", "6 | 3 == 7", "6 ^ 3 == 5", "1 << 4 == 16", "16 >> 2 == 4", "1 | 2 ^ 3 & 5 == 3",
    "1 << 2 + 1 == 8", "age & 31 == age", "isMember | 2 == 3", "noindex:(age) == 30",
    "distinct:(dvds).@count == 2", "entity == 'Card'", "friend.entity == 'Card'",
    "name.length == 10", "'👩‍👩‍👧'.length == 8", "ANY dvds.title.length == 6",
    "10 - 3 - 2 == 5", "9223372036854775807 + 1 > 9.2e18", "nothing + 1 == NULL",
    "name + 1 == NULL", "modulus:by:(7, 3) == 1", "modulus:by:(7, 0) == NULL",
    "-9223372036854775808 < 0", "abs(-9223372036854775808) > 0",
    "born + 86400 == CAST('1970-01-02', 'NSDate')", "born - born == 0",
    "sum({1, 2, 3}) == 6", "sum(1, 2, 3.5) == 6.5", "count(dvds) == 2", "min(3, 1, 2) == 1",
    "max({3, NULL}) == 3", "average({1, 2}) == 1.5",
    "median({5, 1, 3}) == 3", "mode({1, 2, 2}) == 2", "stddev({2, 4}) == 1", "sqrt(9) == 3",
    "sqrt(-1) == NULL", "log(100) == 2", "ln(1) == 0",
    "exp(0) == 1", "floor(1.5) == 1", "ceiling(1.5) == 2", "trunc(-1.5) == -1", "abs(-2) == 2",
    "uppercase('aß') == 'ASS'", "lowercase(name) BEGINSWITH 'ann'",
    "canonical(name) == 'ann eclair'", "length(name) == 10", "bitwiseAnd:with:(6, 3) == 2",
    "bitwiseOr:with:(6, 3) == 7", "bitwiseXor:with:(6, 3) == 5",
    "leftshift:by:(1, 4) == 16", "rightshift:by:(16, 200) == 0", "onesComplement(0) == -1",
    "add:to:(1, 2) == 3", "from:subtract:(5, 2) == 3", "multiply:by:(2, 3) == 6",
    "divide:by:(1, 4) == 0", "divide:by:(1, 4.0) == 0.25", "raise:toPower:(2, 10) == 1024",
    "random() < 1",
    "castObject:toType:(age, 'NSString') == '30'", "FUNCTION(age, 'sqrt:') > 5",
    "FUNCTION(7, 'modulus:by:', 4) == 3", "CAST('12', 'NSNumber') == 12",
    "CAST(age, 'NSString') == '30'", "CAST(1.9, 'integer') == 1", "CAST(name, 'NSDate') == NULL",
    "TERNARY(age > 18, 'adult', 'child') == 'adult'", "name <[l] 'annf'", "name <[c] 'ANNF'",
    "name ==[n] 'Ann Éclair'", "'a' < 'b'", "'Z' < 'a'",
    "#name == 'Ann Éclair'", "`name` != NULL", "'\\u00e9' == 'é'", "'\\ud83d\\ude00' == '😀'",
    "'a\\tb' != 'atb'", "'it\\'s' == \"it's\"", "'\\d' == '\\\\d'",
    "'é' != 'e\u{301}'", "'é' ==[d] 'e\u{301}'", "'a*b' LIKE 'a\\*b'", "NOT 'axb' LIKE 'a\\*b'",
    "'語ax' LIKE '??x'", "NOT '語ax' LIKE '*???x'",
  ])
  func `a predicate is true for the test object`(format: String) throws {
    #expect(try FetchPredicate(format: format).matches(Fixtures.ann()))
  }

  @Test
  func `with null every operator is false, except != with a value and == with null`() throws {
    let others: [Value] = [1, "x", true, 0.5, .date(.now), .data(Data())]
    for operation in FetchPredicate.Operator.allCases {
      for other in others {
        let isTrue = operation == .notEqual
        #expect(try FetchPredicate.holds(operation, .null, other, options: []) == isTrue)
        #expect(try FetchPredicate.holds(operation, other, .null, options: []) == isTrue)
      }
      let isTrue = operation == .equal
      #expect(try FetchPredicate.holds(operation, .null, .null, options: []) == isTrue)
    }
  }

  @Test func `of two comparable values exactly one of less, equal and greater is true`() throws {
    for a in ValueOrderTests.values {
      for b in ValueOrderTests.values {
        let held = try [FetchPredicate.Operator.less, .equal, .greater].filter {
          try FetchPredicate.holds($0, a, b, options: [])
        }
        #expect(held.count <= 1)
        #expect(
          try FetchPredicate.holds(.notEqual, a, b, options: [])
            != FetchPredicate.holds(.equal, a, b, options: []))
        if !held.isEmpty, !a.isNull {
          let expected = Value.compare(a, b)
          #expect(held == [expected < 0 ? .less : expected > 0 ? .greater : .equal], "\(a) \(b)")
        }
        let isLessOrEqual = try FetchPredicate.holds(.lessOrEqual, a, b, options: [])
        #expect(isLessOrEqual == (!a.isNull && (held == [.less] || held == [.equal])))
      }
    }
  }

  @Test func `format arguments can be values, key paths, lists and objects`() throws {
    let ann = Fixtures.ann()
    let predicate = try FetchPredicate(
      format:
        "%K == %@ AND %K.@count == %d AND age IN %@ AND %K < %f AND friend == %@ AND name != %@",
      "name", "Ann Éclair", "dvds", 2,
      [1, 30], "height", 2.5, ObjectID(storeIdentifier: "s", entityName: "Card", key: .integer(2)),
      String?.none)
    #expect(try predicate.matches(ann))
    #expect(try FetchPredicate(format: "name == '%@'").matches(ann) == false)
  }

  @Test func `variables are replaced by values given later`() throws {
    let ann = Fixtures.ann()
    let predicate = try FetchPredicate(format: "age == $age AND $friend.name == 'Bob'")
    let friend = ann.operand(forKey: "friend")
    #expect(try predicate.matches(ann, variables: ["age": .value(30), "friend": friend]))
    #expect(throws: FetchPredicateError.self) { try predicate.matches(ann) }
    let given = predicate.withSubstitutionVariables(["age": 31])
    #expect(given.description == "age == 31 AND $friend.name == \"Bob\"")
  }

  @Test func `predicates are built in code with operators and methods`() throws {
    let built =
      PropertyKey("age") > 3 && PropertyKey("name").contains("x", .cd)
      || !(PropertyKey("friend.name") == "Bob")
    #expect(
      built.description == "age > 3 AND name CONTAINS[cd] \"x\" OR NOT (friend.name == \"Bob\")")
    #expect((PropertyKey("dvds.title").any == "x").description == "ANY dvds.title == \"x\"")
    #expect((PropertyKey("dvds").count >= 2).description == "dvds.@count >= 2")
    #expect(PropertyKey("age").isBetween(1, 2.5).description == "age BETWEEN {1, 2.5}")
    #expect(PropertyKey("age").isIn([1, 2]).description == "age IN {1, 2}")
    #expect((PropertyKey("a") < PropertyKey("`b c`.d")).description == "a < `b c`.d")
    #expect(PropertyKey("a").isNull.description == "a == NULL")
    #expect(FetchPredicate.all([]) == .true && FetchPredicate.any([]) == .false)
  }

  @Test func `the key paths that a predicate reads are collected`() throws {
    let predicate = try FetchPredicate(
      format:
        "dvds.@sum.year > 1 AND SUBQUERY(friend.dvds, $x, $x.title == SELF.name AND $x.owner.age > 1).@count > 0 AND dvds[0].title == `odd.name`"
    )
    #expect(
      predicate.keyPaths == [
        "dvds.year", "friend.dvds", "friend.dvds.title", "name", "friend.dvds.owner.age", "dvds",
        "dvds.title", "`odd.name`",
      ])
  }

  @Test func `a word search matches if every word is in some text attribute`() throws {
    let entity = EntityDescription(
      name: "Card",
      attributes: [.init("name", .string), .init("note", .string), .init("age", .integer64)])
    let card = Card(1, ["name": "Motörhead", "note": "Ace of Spades", "age": 30])
    for text in ["motor ace", "\"ace of\" HEAD", "", "  ", "\"ace of"] {
      #expect(try FetchPredicate.words(text, in: entity).matches(card), "\(text)")
    }
    for text in ["motor king", "30", "\"of ace\""] {
      #expect(try !FetchPredicate.words(text, in: entity).matches(card), "\(text)")
    }
    #expect(try !FetchPredicate.words("ace", in: entity, attributes: ["name"]).matches(card))
    #expect(FetchPredicate.words("x", in: entity, attributes: []) == .false)
  }
}
