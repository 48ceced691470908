import Foundation
import TestSupport

@testable import ObjectModel

/// Makes random predicates that use every part of the language.
struct PredicateMaker {
  typealias Expression = FetchPredicate.Expression

  private var generator: SeededGenerator

  init(_ seed: UInt64) { generator = SeededGenerator(seed: seed &+ 1_000) }

  mutating func node(_ depth: Int) -> FetchPredicate.Node {
    switch depth == 0 ? 9 : Int.random(in: 0...9, using: &generator) {
    case 0: return .and(nodes(depth))
    case 1: return .or(nodes(depth))
    case 2: return .not(node(depth - 1))
    case 3: return .constant(generator.chance(oneIn: 2))
    default: return comparison(max(depth - 1, 0))
    }
  }

  private mutating func nodes(_ depth: Int) -> [FetchPredicate.Node] {
    (0..<Int.random(in: 2...3, using: &generator)).map { _ in node(depth - 1) }
  }

  private mutating func comparison(_ depth: Int) -> FetchPredicate.Node {
    let operation = generator.pick(FetchPredicate.Operator.allCases)
    let right =
      operation == .between ? .list([expression(depth), expression(depth)]) : expression(depth)
    return .comparison(
      .init(
        expression(depth), operation, right,
        options: .init(
          rawValue: generator.chance(oneIn: 2) ? 0 : UInt8.random(in: 0..<16, using: &generator)),
        modifier: generator.pick([.direct, .direct, .any, .all])))
  }

  private mutating func expression(_ depth: Int) -> Expression {
    switch depth == 0
      ? Int.random(in: 0...4, using: &generator) : Int.random(in: 0...11, using: &generator)
    {
    case 0, 1: return .keyPath(keys())
    case 2: return .constant(value())
    case 3: return .variable(key(), generator.chance(oneIn: 2) ? [] : keys())
    case 4:
      return generator.chance(oneIn: 2)
        ? .selfObject
        : .object(
          ObjectID(
            storeIdentifier: "s\"", entityName: "E",
            key: .composite([value(), "x"].filter(\.isStored))))
    case 5:
      return .list(
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in expression(depth - 1) })
    case 6: return .subquery(expression(depth - 1), variable: key(), node(depth - 1))
    case 7: return .cast(.keyPath(keys()), generator.pick(["NSDate", "integer"]))
    case 8: return .ternary(node(depth - 1), expression(depth - 1), expression(depth - 1))
    case 9:
      let elements: [FetchPredicate.Element] = [
        .first, .last, .size, .index(expression(depth - 1)),
      ]
      return .element(expression(depth - 1), generator.pick(elements))
    default: return function(depth)
    }
  }

  private mutating func function(_ depth: Int) -> Expression {
    let function = generator.pick(PredicateFunction.allCases)
    if function == .valueForKeyPath {
      let target = expression(depth - 1)
      let path = keys()
      if case .subquery = target, path == ["@count"] { return .function("count:", [target]) }
      return .function(function.rawValue, [target, .keyPath(path)])
    }
    return .function(function.rawValue, (0..<function.arity).map { _ in expression(depth - 1) })
  }

  private mutating func keys() -> [String] {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in key() }
  }

  private mutating func key() -> String {
    generator.pick([
      "name", "any", "IN", "first", "Size", "odd name", "a`b", "a.b", "größe", "日本", "@count", "👩‍👩‍👧",
      "count", "self", "x1", "1x", "@", "#a", "CAST",
    ])
  }

  private mutating func value() -> Value {
    switch Int.random(in: 0...9, using: &generator) {
    case 0: .null
    case 1: .integer(generator.pick([0, 1, -1, .max, .min, 42]))
    case 2: .double(generator.pick([0, -0.0, 1.5, -1e300, 1e-7, .infinity, -.infinity, 1e16]))
    case 3: .decimal(generator.pick([0, 1, Decimal(string: "-12.345") ?? 0]))
    case 4: .bool(generator.chance(oneIn: 2))
    case 5: .date(Date(timeIntervalSinceReferenceDate: generator.pick([0, -1.5, 7e8, 1e-9])))
    case 6: .data(Data([0, 1, 255].prefix(Int.random(in: 0...3, using: &generator))))
    case 7: .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
    default:
      .string(
        generator.pick([
          "", "x", "it's \"so\"", "\\d", "\n\t\u{7}", "é", "e\u{301}", "👩‍👩‍👧", "%@", "\u{2028}",
          "\u{301}",
        ]))
    }
  }
}

extension Value {
  /// Whether SQLite can store a value of this kind.
  fileprivate var isStored: Bool {
    switch self {
    case .null, .integer, .double, .string, .data: true
    default: false
    }
  }
}
