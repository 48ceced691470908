import Foundation
import ObjectModel
import Testing

@testable import ModelFiles

struct PredicateDecodingTests {
  typealias Make = @Sendable (inout ArchiveMaker) -> PropertyListValue

  static let predicates: [(String, Make)] = [
    ("a == 1", { $0.comparison($0.keyPath("a"), 4, $0.constant(1)) }),
    (
      "a.b != NULL", { $0.comparison($0.keyPath("a.b"), 5, $0.object("NSConstantValueExpression")) }
    ),
    ("a BEGINSWITH[cd] \"x\"", { $0.comparison($0.keyPath("a"), 8, $0.constant("x"), options: 3) }),
    ("ANY a.b < 0.5", { $0.comparison($0.keyPath("a.b"), 0, $0.constant(0.5), modifier: 2) }),
    ("ALL a.b >= 2", { $0.comparison($0.keyPath("a.b"), 3, $0.constant(2), modifier: 1) }),
    (
      "a BETWEEN {1, 2}",
      { maker in
        let bounds = [maker.constant(1), maker.constant(2)]
        let list = maker.object("NSAggregateExpression", ["NSCollection": maker.array(bounds)])
        return maker.comparison(maker.keyPath("a"), 100, list)
      }
    ),
    (
      "a IN {\"x\", \"y\"}",
      { maker in
        let list = maker.array([maker.add("x"), maker.add("y")])
        let constant = maker.object("NSConstantValueExpression", ["NSConstantValue": list])
        return maker.comparison(maker.keyPath("a"), 10, constant)
      }
    ),
    (
      "NOT (a MATCHES \"x.*\") AND (b LIKE \"y*\" OR TRUEPREDICATE)",
      { maker in
        let first = maker.comparison(maker.keyPath("a"), 6, maker.constant("x.*"))
        let second = maker.comparison(maker.keyPath("b"), 7, maker.constant("y*"))
        let either = maker.compound(2, [second, maker.object("NSTruePredicate")])
        return maker.compound(1, [maker.compound(0, [first]), either])
      }
    ),
    (
      "a == $x.name",
      { maker in
        let variable = maker.object("NSVariableExpression", ["NSVariable": maker.add("x")])
        let specifier = maker.object(
          "NSKeyPathSpecifierExpression", ["NSKeyPath": maker.add("name")])
        let path = maker.object(
          "NSKeyPathExpression", ["NSOperand": variable, "NSArguments": maker.array([specifier])])
        return maker.comparison(maker.keyPath("a"), 4, path)
      }
    ),
    (
      "SUBQUERY(items, $i, i.n > 1).@count == 0",
      { maker in
        let condition = maker.comparison(maker.keyPath("i.n"), 2, maker.constant(1))
        let query = maker.object(
          "NSSubqueryExpression",
          [
            "NSExpression": maker.keyPath("items"), "NSVariable": maker.add("i"),
            "NSPredicate": condition,
          ])
        let count = maker.function("count:", [query])
        return maker.comparison(count, 4, maker.constant(0))
      }
    ),
    (
      "a + b * 2 == CAST(c, \"NSDate\")",
      { maker in
        let product = maker.function("multiply:by:", [maker.keyPath("b"), maker.constant(2)])
        let sum = maker.function("add:to:", [maker.keyPath("a"), product])
        let cast = maker.function(
          "castObject:toType:", [maker.keyPath("c"), maker.constant("NSDate")])
        return maker.comparison(sum, 4, cast)
      }
    ),
    (
      "TERNARY(a == 1, b, 0) > 5",
      { maker in
        let choice = maker.object(
          "NSTernaryExpression",
          [
            "NSPredicate": maker.comparison(maker.keyPath("a"), 4, maker.constant(1)),
            "NSTrueExpression": maker.keyPath("b"), "NSFalseExpression": maker.constant(0),
          ])
        return maker.comparison(choice, 2, maker.constant(5))
      }
    ),
  ]

  @Test(arguments: predicates)
  func `an archived predicate is decoded to NSPredicate's format`(
    text: String, make: Make
  ) throws {
    #expect(try Self.text(make) == text)
    #expect(try FetchPredicate(format: text).description == text)
  }

  static let unreadable: [Make] = [
    { $0.object("NSBlockPredicate") },
    { $0.comparison($0.object("NSBlockExpression"), 4, $0.constant(1)) },
    { $0.comparison($0.keyPath("a"), 11, $0.constant(1)) },
    { $0.comparison($0.constant(.null), 4, $0.object("App.Expression")) },
    { maker in
      var inner = maker.object("NSTruePredicate")
      for _ in 0..<500 { inner = maker.compound(0, [inner]) }
      return inner
    },
    { maker in
      var part = maker.comparison(maker.keyPath("a"), 4, maker.constant(1))
      for _ in 0..<50 { part = maker.compound(1, [part, part]) }
      return part
    },
    { maker in
      let loop = maker.reserve()
      let parts = maker.array([loop])
      return maker.set(
        loop, "NSCompoundPredicate", ["NSCompoundPredicateType": 1, "NSSubpredicates": parts])
    },
  ]

  @Test(arguments: unreadable.indices)
  func `an unknown, cyclic or too large predicate has no text`(index: Int) throws {
    #expect(try Self.text(Self.unreadable[index]) == nil)
  }

  private static func text(_ make: Make) throws -> String? {
    var maker = ArchiveMaker()
    let root = make(&maker)
    let archive = try KeyedArchive(maker.data(root: root))
    var budget = DecodingBudget()
    return try PredicateDecoder.text(ofPredicate: #require(archive.root), &budget)
  }
}

extension ArchiveMaker {
  /// Adds a call of one of NSPredicate's built-in functions.
  fileprivate mutating func function(
    _ name: String, _ arguments: [PropertyListValue]
  ) -> PropertyListValue {
    let utilities = object(
      "NSConstantValueExpression", ["NSConstantValueClassName": add("_NSPredicateUtilities")])
    return object(
      "NSFunctionExpression",
      [
        "NSOperand": utilities, "NSSelectorName": add(.string(name)),
        "NSArguments": array(arguments),
      ])
  }
}
