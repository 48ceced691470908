import CoreDataNames
import Foundation
import Testing

/// Predicates as objects: their formats, and what they are equal to.
struct PredicateTests {
  private static let x = NSPredicate(format: "title == 'a'")
  private static let y = NSPredicate(format: "title == 'b'")

  /// Predicates that all differ, each in two ways of making it.
  private static var pairs: [(NSPredicate, NSPredicate)] {
    let key = NSExpression(forKeyPath: "title")
    let date = Date(timeIntervalSinceReferenceDate: 0.25)
    let formats: [(String, [Any])] = [
      ("title == %@", ["a"]), ("title ==[cd] %@", ["a"]), ("title ==[c] %@", ["a"]),
      ("title == %@", [NSNull()]), ("rating == %@", [1]), ("rating == %@", [true]),
      ("rating BETWEEN %@", [[1, 2]]), ("title IN %@", [["a", "b"]]), ("born < %@", [date]),
      ("ANY discs.title == %@", ["a"]), ("ALL discs.title == %@", ["a"]),
      ("NONE discs.title == %@", ["a"]), ("discs.@count > %d", [3]),
      ("SUBQUERY(discs, $d, $d.title == %@ AND $d.rating > 1).@count > 0", ["a"]),
      ("%K.name LIKE 'a*'", ["owner"]), ("title MATCHES %@", ["^a\"b\\d+$"]),
      ("title == $NAME", []), ("SELF == %@", [NSNull()]), ("price + 1 > rating * 2", []),
    ]
    let made: [(NSPredicate, NSPredicate)] = formats.map { format, arguments in
      (
        NSPredicate(format: format, argumentArray: arguments),
        NSPredicate(format: "  (\(format)) ", argumentArray: arguments)
      )
    }
    return made + [
      (.init(value: true), NSPredicate(format: "TRUEPREDICATE")),
      (.init(value: false), NSCompoundPredicate(orPredicateWithSubpredicates: [])),
      (
        NSCompoundPredicate(andPredicateWithSubpredicates: [x, y]),
        NSCompoundPredicate(type: .and, subpredicates: [x, y])
      ),
      (.init(format: "title == 'a' OR title == 'b'"), .or([x, y])),
      (NSCompoundPredicate(notPredicateWithSubpredicate: x), .init(format: "NOT title == 'a'")),
      (.or([.and([x, y]), y]), NSPredicate(format: "(title='a' AND title='b') OR title='b'")),
      (.and([.or([x, y]), y]), NSPredicate(format: "(title='a' OR title='b') AND title='b'")),
      (.and([.and([x, y]), y]), NSPredicate(format: "(title='a' AND title='b') AND title='b'")),
      (
        NSComparisonPredicate(
          leftExpression: key, rightExpression: NSExpression(forConstantValue: "a"),
          modifier: .direct, type: .beginsWith, options: [.caseInsensitive]),
        NSPredicate(format: "title BEGINSWITH[c] 'a'")
      ),
      (.init(format: "flag == NO"), NSPredicate(format: "flag == %@", NSNumber(value: false))),
    ]
  }

  @Test func `a format parses back to an equal predicate, and different predicates differ`() {
    let pairs = Self.pairs
    for (index, (one, two)) in pairs.enumerated() {
      let format = one.predicateFormat
      #expect(one == two && one.hash == two.hash && format == two.predicateFormat, "\(format)")
      #expect(NSPredicate(format: format) == one, "\(format)")
      #expect(one.description == format)
      for (other, _) in pairs[..<index] {
        #expect(one != other && format != other.predicateFormat, "\(format)")
      }
    }
    #expect(Set(pairs.flatMap { [$0, $1] }).count == pairs.count)
  }

  @Test func `formats are those of Core Data`() {
    let (x, y) = (Self.x, Self.y)
    #expect(x.predicateFormat == "title == \"a\"")
    #expect(NSPredicate.and([x, y]).predicateFormat == "title == \"a\" AND title == \"b\"")
    #expect(
      NSPredicate.and([.or([x, y]), y]).predicateFormat
        == "(title == \"a\" OR title == \"b\") AND title == \"b\"")
    #expect(NSPredicate(value: true).predicateFormat == "TRUEPREDICATE")
    #expect(NSPredicate(format: "a IN %@", [1, 2]).predicateFormat == "a IN {1, 2}")
  }

  @Test func `blocks are equal to themselves, alone and as parts`() {
    let (block, other) = (NSPredicate { _, _ in true }, NSPredicate { _, _ in true })
    #expect(block == block && block != other && block.copy() as? NSPredicate == block)
    #expect(NSPredicate.and([block, Self.x]) == .and([block, Self.x]))
    #expect(NSPredicate.and([block, Self.x]) != .or([block, Self.x]))
    #expect(NSPredicate.and([block, Self.x]) != .and([other, Self.x]))
    #expect(block.evaluate(with: 1) && NSPredicate(value: true).evaluate(with: 1))
    #expect([1, 2].filter { NSPredicate.or([block, Self.x]).evaluate(with: $0) } == [1, 2])
  }

  @Test func `a nil is null, however it is wrapped`() {
    let null = NSPredicate(format: "title == NULL")
    let text: String? = nil
    let wrapped: String?? = .some(nil)
    let object: NSManagedObject? = nil
    let any: Any? = nil
    for argument in [text as Any, wrapped as Any, object as Any, any as Any, NSNull()] {
      #expect(NSPredicate(format: "title == %@", argumentArray: [argument]) == null)
    }
    #expect(NSPredicate(format: "title == %@", text) == null)
    #expect(NSPredicate(format: "title == %@", NSNull()) == null)
    let some: String?? = "a"
    #expect(NSPredicate(format: "title == %@", argumentArray: [some as Any]) == Self.x)
    #expect(
      NSPredicate(format: "title IN %@", argumentArray: [["a", text] as [Any?]])
        == NSPredicate(format: "title IN {'a', NULL}"))
    #expect(
      NSPredicate(format: "title == $T").withSubstitutionVariables(["T": text as Any]) == null)
  }

  @Test func `a nil as a key traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = NSPredicate(format: "%K == 1", argumentArray: [NSNull()])
    }
  }
}

extension NSPredicate {
  fileprivate static func and(_ parts: [NSPredicate]) -> NSPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  fileprivate static func or(_ parts: [NSPredicate]) -> NSPredicate {
    NSCompoundPredicate(orPredicateWithSubpredicates: parts)
  }
}
