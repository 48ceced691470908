import ObjectModel
import Testing

@testable import ObjectModel
@testable import SQLiteStore

/// Regular expressions that would take for ever.
struct MatchesLimitTests {
  private let store: SQLiteStore
  private let database: TemporaryDatabase

  /// A text on which an ambiguous expression tries 2 to the power of its length.
  private static let text = String(repeating: "a", count: 40)

  init() throws {
    database = try TemporaryDatabase(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO note (text) VALUES ('\(Self.text)'), ('aab');
      """)
    store = try database.open()
  }

  private func message(
    _ format: String, _ limit: Duration, _ evaluate: (ValidatedPredicate) throws -> Void
  ) throws -> String {
    let predicate = try FetchPredicate(format: format)
      .validated(forEntity: "note", in: store.model)
    let error = #expect(throws: (any Error).self, "\(format)") {
      try Pattern.$timeLimit.withValue(limit) { try evaluate(predicate) }
    }
    return error.map { "\($0)" } ?? ""
  }

  private func inSQL(_ format: String, limit: Duration = .milliseconds(30)) throws -> String {
    try message(format, limit) {
      _ = try store.fetch(FetchPlan(entityName: "note", predicate: $0), control: nil)
    }
  }

  private func inMemory(_ format: String, limit: Duration = .milliseconds(30)) throws -> String {
    try message(format, limit) { _ = try $0.matches(Note()) }
  }

  private struct Note: PredicateSubject {
    var objectID: ObjectID {
      ObjectID(storeIdentifier: "", entityName: "note", key: .integer(1))
    }

    func operand(forKey key: String) -> PredicateOperand {
      .value(.string(MatchesLimitTests.text))
    }
  }

  @Test(arguments: [
    "text MATCHES '(a+)+b'", "NOT text MATCHES '(a+)+b'", "text MATCHES[cd] '(a|a)*b'",
    "text MATCHES '(a*)*b' OR id == 77",
  ])
  func `an expression that takes too long is an error that says so, in SQL and in memory`(
    format: String
  ) throws {
    for message in [try inSQL(format), try inMemory(format)] {
      #expect(message.contains("takes longer than 0.03 seconds"), "\(message)")
      #expect(message.contains("40 characters"), "\(message)")
    }
  }

  /// With a limit that is never reached the engine ends by itself, after steps that it counts.
  @Test(arguments: [
    "text MATCHES 'a*a*a*a*a*a*a*a*a*a*a*a*b|.*'", "NOT text MATCHES '(a+)+b|.*'",
    "text MATCHES '(?!(a+)+b).*'", "text MATCHES '(?>(a|aa)+b)|.*'",
    "text MATCHES[cd] '(?:[ab][ab][ab][ab]|a)*(?:a|aa)*(?:a|aa)*c|.*'",
    "text == 'x' OR lowercase(text) MATCHES '(x?a+)+b|.*'",
    "text MATCHES '((?:.{0,1000}){0,1000}){0,1000}'",
  ])
  func `an expression on which the engine gives up is an error, whatever its alternatives`(
    format: String
  ) throws {
    for message in [
      try inSQL(format, limit: .seconds(600)), try inMemory(format, limit: .seconds(600)),
    ] {
      #expect(message.contains("gave up on a text of 40 characters"), "\(message)")
      #expect(message.contains("without nested or ambiguous repetitions"), "\(message)")
    }
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a|aa", "aa", true), ("a|", "", true),
    ("(a)\\1", "aa", true),
    ("(a)\\1", "ab", false), ("(?x) a # comment", "a", true), ("\\Qa)", "a)", true),
    ("\\Qa)", "a", false), ("a$", "a\n", false), ("a)|(?:b", "a", nil), ("(a)\\2", "aa", nil),
    ("()", "", true), ("(?<x>b)?", "", true), ("(?<x>b)?", "c", false),
  ])
  func `whether a text matches does not depend on how the engine is asked`(
    pattern: String, text: String, expected: Bool?
  ) {
    let answer = try? FetchPredicate.holds(
      .matches, .string(text), .string(pattern), options: [])
    #expect(answer == expected)
  }

  @Test func `an expression that is done in time is evaluated`() throws {
    try Pattern.$timeLimit.withValue(.seconds(10)) {
      let predicate = try FetchPredicate(format: "text MATCHES 'a+b'")
        .validated(forEntity: "note", in: store.model)
      #expect(
        try store.count(FetchPlan(entityName: "note", predicate: predicate), control: nil) == 1)
      #expect(try !predicate.matches(Note()))
    }
    #expect(Pattern.timeLimit == .seconds(2))
  }
}
