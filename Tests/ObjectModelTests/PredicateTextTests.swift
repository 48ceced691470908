import Foundation
import TestSupport
import Testing

@testable import ObjectModel

struct PredicateTextTests {
  /// The error in a format; nil when there is none.
  private func error(in format: String) -> FetchPredicateError? {
    do {
      _ = try FetchPredicate(format: format)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("", "The predicate is empty: expected a comparison such as name == \"x\".", "\n^"),
    (
      "name", "A comparison is missing after “name”: expected an operator such as == or CONTAINS.",
      "name\n    ^"
    ),
    ("name == ", "Something is missing here: expected a key or a value.", "name == \n        ^"),
    ("name == 'x", "The quote is never closed: expected '.", "name == 'x\n        ^^"),
    ("name == “x”", "““” is a typographic quote: expected ' or \".", "name == “x”\n        ^"),
    (
      "a == 1 AND", "Something is missing here: expected a key or a value.",
      "a == 1 AND\n          ^"
    ),
    (
      "a == 1 b == 2", "“b” cannot stand here: expected AND, OR or the end.",
      "a == 1 b == 2\n       ^"
    ),
    ("(a == 1", "The parenthesis is not finished: expected “)”.", "(a == 1\n       ^"),
    (
      "a BETWEEN {1}", "BETWEEN takes two bounds, not 1: expected {low, high}.",
      "a BETWEEN {1}\n          ^^^"
    ),
    ("a ==[x] 1", "“x” is no option: expected c, d, n or l.", "a ==[x] 1\n     ^"),
    ("sqr(a) == 1", "There is no function “sqr”; did you mean “sqrt”?", "sqr(a) == 1\n^^^"),
    ("sqrt(a, 1) == 1", "sqrt takes 1 argument, not 2.", "sqrt(a, 1) == 1\n^^^^"),
    ("a == 12x", "“12x” is not a number.", "a == 12x\n     ^^^"),
    (
      "AND == 1",
      "“AND” is a word of the language: expected a key or a value (a key of that name is written #AND).",
      "AND == 1\n^^^"
    ),
    ("a == %@", "There is no argument for %@.", "a == %@\n     ^^"),
    ("👩‍👩‍👧 == 1", "“👩” cannot stand here.", "👩‍👩‍👧 == 1\n^"),
    ("(a == 1) > 2", "“(a == 1)” is a condition: expected a value.", "(a == 1) > 2\n^^^^^^^^"),
    (
      "CAST('x', 'NSDate') == a", "“x” cannot be cast to NSDate.",
      "CAST('x', 'NSDate') == a\n     ^^^"
    ),
    ("CAST(a, 'NSDat') == a", "There is no type “NSDat”", "CAST(a, 'NSDat') == a\n        ^^^^^^^"),
    (
      "distanceToLocation:fromLocation:(a, b) < 5",
      "distanceToLocation:fromLocation: is not supported: no attribute holds a location.",
      "distanceToLocation"
    ),
  ])
  func `an error names the place`(format: String, sentence: String, caret: String) {
    let error = error(in: format)
    #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "none")")
    let shown = error?.caret ?? "none"
    #expect(shown.hasPrefix(caret), "\n\(shown)")
  }

  @Test func `arguments that do not fit are refused`() {
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
  func `depth is bounded`(part: String) {
    let text = String(repeating: part, count: 60_000 / part.utf8.count)
    let error = error(in: text)
    #expect(error != nil)
    #expect(
      self.error(in: String(repeating: part, count: 100_000))?.message.contains("too long") == true)
  }

  @Test func `long conditions are no deep ones`() throws {
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
    "(1 + 2) * 3 == 9", "(2 ** 3) ** 2 == 64",
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
  func `a printed condition reads back the same`(format: String) throws {
    let predicate = try FetchPredicate(format: format)
    let again = try FetchPredicate(format: predicate.description)
    #expect(again == predicate, "\(predicate.description)")
    #expect(again.description == predicate.description)
  }

  @Test(arguments: 0..<40)
  func `a random condition reads back the same`(seed: UInt64) throws {
    var maker = PredicateMaker(seed)
    for _ in 0..<50 {
      let predicate = FetchPredicate(maker.node(4))
      let text = predicate.description
      let again = try FetchPredicate(format: text)
      #expect(again == predicate, "\(text)\n\(again)")
    }
  }

  @Test(arguments: 0..<20)
  func `no text crashes the parser, and errors lie in the text`(seed: UInt64) {
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
        _ = predicate.matches(Card(1))
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
  func `a key path is text and back`(text: String, components: [String]) {
    #expect(KeyPathText.components(of: text) == components)
    #expect(KeyPathText.components(of: KeyPathText.text(components)) == components)
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "`a", "`a`b", "a`b`", "``"])
  func `a text that is no key path is refused`(text: String) {
    #expect(KeyPathText.components(of: text) == nil)
  }
}
