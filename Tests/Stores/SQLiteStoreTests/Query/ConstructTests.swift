import GRDB
import ObjectModel
import TestSupport
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// Each construct of predicates and orders with its SQL, the values bound to it, and the authors
/// that it finds.
struct ConstructTests {
  private static let rows = """
    INSERT INTO author
      (id, name, nick, age, score, born, seen, misc, flag, price, exact, token, code, link, mentor_id)
    VALUES
      (1, 'Ada', 'ada', 36, 36, '1815-12-10', 1e9, 'x', 1, 1.5, '1.50',
       x'00112233445566778899AABBCCDDEEFF', '00112233-4455-6677-8899-AABBCCDDEEFF',
       'https://a.example', NULL),
      (2, 'Émile', 'EMILE', 62, 1.5, '1840-04-02', 2e9, 3, 0, 2, '2', NULL, NULL, NULL, 1),
      (3, 'emile', 'Zola', 62, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2),
      (4, NULL, NULL, NULL, -2.5, '2000-01-01', 0, x'01', 1, -1, '-1', NULL, NULL, NULL, 2);
    INSERT INTO book (id, title, pages, author_id) VALUES
      (1, 'Notes', 60, 1), (2, 'Germinal', 500, 2), (3, 'Nana', 400, 2), (4, 'Draft', NULL, 3);
    INSERT INTO tag (key, label) VALUES ('m', 'Maths'), ('n', 'Novel');
    INSERT INTO author_tag (author_id, tag_key) VALUES (1, 'm'), (2, 'n'), (3, 'n');
    """

  private static let predicates = [
    // Comparisons
    "name == 'Ada'", "name != 'Ada'", "name < 'B'", "age >= 40", "40 <= age",
    "age BETWEEN {30, 40}", "age IN {36, 40}", "name IN {'Ada', 'Bo'}", "name == NULL",
    "name != NULL", "nick == 'ADA'", "age == score", "name < nick", "misc == 3", "flag == YES",
    "score > 1.5", "price > 1.5", "exact == 1.5", "born < now()", "born == NULL",
    "seen >= CAST(21600000, 'NSDate')",
    "token == '00112233-4455-6677-8899-AABBCCDDEEFF'",
    "code == '00112233-4455-6677-8899-AABBCCDDEEFF'", "link == 'https://a.example'",
    // Text
    "name ==[c] 'EMILE'", "name ==[cd] 'EMILE'", "name BEGINSWITH 'A'", "name BEGINSWITH[cd] 'e'",
    "name ENDSWITH 'e'", "name CONTAINS 'mi'", "name CONTAINS[cd] 'MI'", "name LIKE 'A?a'",
    "name LIKE[cd] 'e*'", "name MATCHES '[A-M].*'",
    // Logic
    "TRUEPREDICATE", "FALSEPREDICATE", "NOT name == 'Ada'", "age == 62 AND name == 'emile'",
    "age == 36 OR name == NULL", "NOT (age == 36 OR flag == YES)",
    // Functions
    "age + 1 == 37", "age * 2 > 100", "age / 5 == 7", "score - age == 0", "abs(score) > 2",
    "ceiling(score) == 2", "length(name) == 3", "uppercase(name) == 'ADA'",
    "CAST(age, 'NSString') BEGINSWITH '3'",
    // Relationships
    "mentor == NULL", "mentor.name == 'Ada'", "mentor.mentor.age == 36",
    "mentor.name == 'Ada' OR mentor.age == 62", "ANY books.pages > 100",
    "ALL books.pages > 100", "NONE books.pages > 100", "books.@count > 1", "books.@count == 0",
    "books.@sum.pages > 100", "books.@avg.pages < 100", "books.@max.pages == 500",
    "SUBQUERY(books, $b, $b.pages > 100 AND $b.title BEGINSWITH 'N').@count > 0",
    "ANY tags.label == 'Novel'", "tags.@count == 1", "ANY pupils.age == 62",
    "ANY pupils.books.pages > 100",
  ]

  private static let orders: [[FetchSortDescriptor]] = [
    [], [.init("age")], [.init("age", ascending: false), .init("name")],
    [.init("name", comparison: .localized)], [.init("name", comparison: .caseInsensitive)],
    [.init("born", ascending: false)], [.init("price")], [.init("misc")], [.init("mentor.name")],
    [.init("id", ascending: false)],
  ]

  @Test func `each construct has its SQL and finds its objects`() throws {
    let library = try Library()
    try library.execute(Self.rows)
    var text = ""
    for format in Self.predicates {
      let scope = try QueryScope(entityName: "Author", layout: library.layout)
      let predicate = try FetchPredicate(format: format)
        .validated(forEntity: "Author", in: library.layout.model)
      let sql = try library.compiler.condition(predicate.node, in: .init(scope), exact: false)
      let found = try library.ids("Author", where: predicate.node).map(\.key)
      text += "\(format)\n\(Self.lines("FROM \(scope.from) WHERE \(sql)", found))\n"
    }
    for order in Self.orders {
      let scope = try QueryScope(entityName: "Author", layout: library.layout)
      let sql = try library.compiler.order(order, in: scope)
      let query: SQL = "FROM \(scope.from) ORDER BY \(sql)"
      let found = try library.queue.writeWithoutTransaction { database in
        let statement = try Statement(
          "SELECT t0.id \(query)", on: Connection(database), doing: "testing")
        var keys: [ObjectKey] = []
        while try statement.step() { keys.append(.integer(statement.integer(0))) }
        return keys
      }
      let title = order.map { "\($0.keyPath) \($0.comparison)\($0.ascending ? "" : " descending")" }
      text += "order: \(title.joined(separator: ", "))\n\(Self.lines(query, found))\n"
    }
    try expectGolden(text, "constructs")
  }

  private static func lines(_ sql: SQL, _ found: [ObjectKey]) -> String {
    let values = sql.bindings.map { binding in
      switch binding {
      case .value(let value): "\(value)"
      case .program: "(condition)"
      }
    }
    let keys = found.map { key in if case .integer(let number) = key { "\(number)" } else { "?" } }
    return """
        \(sql.text)
        \(values.isEmpty ? "" : "? = \(values.joined(separator: ", ")) ")→ \
      \(keys.isEmpty ? "none" : keys.joined(separator: ", "))

      """
  }
}
