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

  private func message(_ format: String, _ evaluate: (ValidatedPredicate) throws -> Void) throws
    -> String
  {
    let predicate = try FetchPredicate(format: format)
      .validated(forEntity: "note", in: store.model)
    let start = ContinuousClock.now
    let error = #expect(throws: (any Error).self) {
      try Pattern.$timeLimit.withValue(.milliseconds(30)) { try evaluate(predicate) }
    }
    #expect(ContinuousClock.now - start < .seconds(20))
    return error.map { "\($0)" } ?? ""
  }

  private func inSQL(_ format: String) throws -> String {
    try message(format) {
      _ = try store.fetch(FetchPlan(entityName: "note", predicate: $0), control: nil)
    }
  }

  private func inMemory(_ format: String) throws -> String {
    try message(format) { _ = try $0.matches(Note()) }
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
