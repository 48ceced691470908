import Foundation
import TestSupport
import Testing

@testable import ObjectModel

struct PredicateTextTests {
  /// The error of parsing a format; nil if it is valid.
  private func error(in format: String) -> FetchPredicateError? {
    do {
      _ = try FetchPredicate(format: format)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a typed and a built predicate are the same`() throws {
    // sample
    let typed = try FetchPredicate(format: "surname CONTAINS[cd] %@ AND age > %d", "jón", 30)
    let built = PropertyKey("surname").contains("jón", .cd) && PropertyKey("age") > 30
    // end of sample
    #expect(typed == built)
    #expect(built.description == #"surname CONTAINS[cd] "jón" AND age > 30"#)
  }

  @Test(arguments: [
    ("", "The predicate is empty: expected a comparison such as name == \"x\".", "\n^"),
    (
      "name",
      "The comparison after “name” is missing: expected an operator such as == or CONTAINS.",
      "name\n    ^"
    ),
    ("name == ", "The predicate is incomplete: expected a key or a value.", "name == \n        ^"),
    ("name == 'x", "The closing quote is missing: expected '.", "name == 'x\n        ^^"),
    ("name == “x”", "““” is a typographic quote: expected ' or \".", "name == “x”\n        ^"),
    (
      "a == 1 AND", "The predicate is incomplete: expected a key or a value.",
      "a == 1 AND\n          ^"
    ),
    (
      "a == 1 b == 2", "“b” is not expected here: expected AND, OR or the end.",
      "a == 1 b == 2\n       ^"
    ),
    ("(a == 1", "The parenthesis is not finished: expected “)”.", "(a == 1\n       ^"),
    (
      "a BETWEEN {1}", "BETWEEN takes two bounds, not 1: expected {low, high}.",
      "a BETWEEN {1}\n          ^^^"
    ),
    ("a ==[x] 1", "“x” is not an option: expected c, d, n or l.", "a ==[x] 1\n     ^"),
    ("sqr(a) == 1", "The function “sqr” is unknown; did you mean “sqrt”?", "sqr(a) == 1\n^^^"),
    ("sqrt(a, 1) == 1", "sqrt takes 1 argument, not 2.", "sqrt(a, 1) == 1\n^^^^"),
    ("a == 12x", "“12x” is not a number.", "a == 12x\n     ^^^"),
    (
      "AND == 1",
      "“AND” is a keyword: expected a key or a value (a key of that name is written #AND).",
      "AND == 1\n^^^"
    ),
    ("a == %@", "The argument for %@ is missing.", "a == %@\n     ^^"),
    ("👩‍👩‍👧 == 1", "“👩” is not expected here.", "👩‍👩‍👧 == 1\n^"),
    (
      "(a == 1) > 2", "“(a == 1)” is a condition, not a value: expected a value.",
      "(a == 1) > 2\n^^^^^^^^"
    ),
    (
      "CAST('x', 'NSDate') == a", "“x” cannot be cast to NSDate.",
      "CAST('x', 'NSDate') == a\n     ^^^"
    ),
    (
      "CAST(a, 'NSDat') == a", "The type “NSDat” is unknown",
      "CAST(a, 'NSDat') == a\n        ^^^^^^^"
    ),
    (
      "distanceToLocation:fromLocation:(a, b) < 5",
      "distanceToLocation:fromLocation: is not supported: attributes cannot contain locations.",
      "distanceToLocation"
    ),
  ])
  func `a syntax error has a message and a range in the text`(
    format: String, sentence: String, caret: String
  ) {
    let error = error(in: format)
    #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "none")")
    let shown = error?.caret ?? "none"
    #expect(shown.hasPrefix(caret), "\n\(shown)")
  }

  @Test func `missing, surplus and unsuitable arguments are refused`() {
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: "a == %@ AND b == %@", 1)
    }
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: "a == %@", 1, 2) }
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: "a == %d", "x") }
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: "%K == 1", 5) }
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: "%K == 1", "a..b") }
  }

  @Test(arguments: [
    "(", "NOT ", "-", "!", "{", "sqrt(", "a[", "1 ** ", "TERNARY(", "1 + ", "a.", "((a) + ",
    "SUBQUERY(a, $x, ",
  ])
  func `deep nesting and very long texts are refused`(part: String) {
    let text = String(repeating: part, count: 60_000 / part.utf8.count)
    let error = error(in: text)
    #expect(error != nil)
    #expect(
      self.error(in: String(repeating: part, count: 100_000))?.message.contains("too long") == true)
  }

  @Test func `a long OR chain is accepted, a long chain of operators refused`() throws {
    let text = (0..<3_000).map { "age == \($0)" }.joined(separator: " OR ")
    #expect(try FetchPredicate(format: text).description == text)
    #expect(
      error(in: (0..<500).map { "\($0)" }.joined(separator: " + ") + " == 1")?.message.contains(
        "too deeply") == true)
  }

  @Test(arguments: [
    "#any == 1", "#AND.OR == 1", "`odd name`.`a``b` == 1", "a.`b.c` == 1", "NONE a.b == 1",
    "NOT (ALL a.b == 1)", "(a == 1 OR b == 2) AND c == 3",
    "(a == 1 AND b == 2) AND c == 3", "a == 1 AND b == 2 OR c == 3", "1 - (2 - 3) == 4",
    "(1 + 2) * 3 == 9", "2 ** (3 ** 2) == 64", "2 ** 3 ** 2 == 64", "a & (b | c) ^ d == 1 << a + 1",
    "a == CAST(0.1, \"NSDate\")", "a == CAST(\"1.10\", \"NSDecimalNumber\")",
    "a == CAST(\"AAEC\", \"NSData\")",
    "SUBQUERY(a, $x, $x.b == 1).@count == 1", "SUBQUERY(a, $x, $x.b == 1).@max.c == 1",
    "(a + b)[0].c == 1", "a[#first] == 1", "a[FIRST] == 1",
    "TERNARY(a == 1 OR b == 1, 1, 2) == CAST(a, \"NSString\")",
    "a == \"\\\"\\\\\\n\\u0007\u{301}😀\"", "a == -9223372036854775808", "a == 1e999", "a == -0.0",
    "größe == 1", "$x.y == $`odd one`", "a ==[cdnl] b", "a == NULL AND b == TRUE AND SELF == c",
    "a IN {}", "now() == a", "a.@distinctUnionOfObjects.b.@count == 1",
    "a == CAST(\"x-coredata://s/E/p1\", \"NSManagedObjectID\")",
  ])
  func `a printed predicate parses back to an equal one`(format: String) throws {
    let predicate = try FetchPredicate(format: format)
    let again = try FetchPredicate(format: predicate.description)
    #expect(again == predicate, "\(predicate.description)")
    #expect(again.description == predicate.description)
  }

  @Test(arguments: 0..<40)
  func `a random predicate, printed, parses back to an equal one`(seed: UInt64) throws {
    var maker = PredicateMaker(seed)
    for _ in 0..<50 {
      let predicate = FetchPredicate(maker.node(4))
      let text = predicate.description
      let again = try FetchPredicate(format: text)
      #expect(again == predicate, "\(text)\n\(again)")
    }
  }

  @Test(arguments: 0..<20)
  func `random text never crashes the parser, and errors have a range in the text`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "name", "AND", "or", "NOT", "ANY", "(", ")", "{", "}", "[", "]", ",", ".", "==", "<", "+",
      "-", "**", "/", "'x'", "\"", "'", "\\", "\\u12", "1", "0x", "1e", "%@", "%K",
      "%", "$x", "$", "#", "@count", "@", "`", "`a`", "SUBQUERY(", "CAST(", "TERNARY(", "FUNCTION(",
      "sum(", "IN", "BETWEEN", "LIKE", "MATCHES", "NULL", "SELF", "é", "👩‍👩‍👧",
      "\u{301}", "\r\n", "\u{0}", "“", "..", "1.5.2", ":", "add:to:(", " ", "FIRST",
    ]
    for _ in 0..<1_000 {
      let isTokens = generator.chance(oneIn: 2)
      let count = Int.random(in: 0...12, using: &generator)
      let text =
        isTokens
        ? (0..<count).map { _ in generator.pick(parts) }.joined(
          separator: generator.chance(oneIn: 2) ? " " : "")
        : String(
          decoding: (0..<count * 3).map { _ in UInt8.random(in: 0...255, using: &generator) },
          as: UTF8.self)
      do {
        let predicate = try FetchPredicate(
          format: text, argumentArray: text.contains("%@") ? [1] : [])
        #expect(try FetchPredicate(format: predicate.description) == predicate, "\(text)")
        _ = try? predicate.matches(Card(1))
        _ = try? predicate.validated(for: Fixtures.person, in: Fixtures.model)
      } catch {
        #expect(
          error.range.lowerBound >= 0
            && error.range.upperBound <= max(text.count, error.range.lowerBound), "\(text)")
        #expect(error.range.lowerBound <= text.count)
        #expect(error.caret.contains("^"))
      }
    }
  }

  @Test(arguments: [
    ("a.b", ["a", "b"]), ("`a.b`.c", ["a.b", "c"]), ("`a``b`", ["a`b"]),
    ("Unit Price", ["Unit Price"]), ("é", ["é"]),
  ])
  func `a key path is split into names and joined again`(text: String, components: [String]) {
    #expect(KeyPathText.components(of: text) == components)
    #expect(KeyPathText.components(of: KeyPathText.text(components)) == components)
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "`a", "`a`b", "a`b`", "``"])
  func `an invalid key path is refused`(text: String) {
    #expect(KeyPathText.components(of: text) == nil)
  }
}
