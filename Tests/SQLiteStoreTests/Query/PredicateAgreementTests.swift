import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct `Predicates in memory and in SQL` {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `have the same result for every row`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let library = try Library()
    try generator.fill(library, authors: 24)
    let authors = try LibraryRows(library).subjects("Author")
    var telling = 0
    for _ in 0..<700 {
      let node = generator.node(depth: 3)
      let expected = try authors.filter { try FetchPredicate(node).matches($0) }.map(\.id)
      if !expected.isEmpty, expected.count < authors.count { telling += 1 }
      let found = try library.ids("Author", where: node)
      if found != expected {
        let scope = try QueryScope(entityName: "Author", layout: library.layout)
        let sql = try library.compiler.condition(node, in: .init(scope), exact: false)
        Issue.record(
          "\(node)\n\(sql.readable)\nmemory: \(expected.map(\.phrase))\nSQL: \(found.map(\.phrase))"
        )
        return
      }
    }
    #expect(telling > 100, "Most predicates hold for all rows or for none.")
  }

  @Test(arguments: [5, 6, 7, 8] as [UInt64])
  func `have the same result for every object of several entities in a Core Data store`(
    seed: UInt64
  ) throws {
    var generator = Generator(seed: seed)
    let plain = try Library()
    try generator.fill(plain, authors: 24)
    let library = try CoreDataLibrary.make(from: plain)
    let authors = try LibraryRows(library).subjects("Author")
    #expect(Set(authors.map(\.id.entityName)) == ["Author", "Poet", "Bard"])
    var telling = 0
    for _ in 0..<500 {
      let node = generator.node(depth: 3)
      let expected = try authors.filter { try FetchPredicate(node).matches($0) }.map(\.id.key)
      if !expected.isEmpty, expected.count < authors.count { telling += 1 }
      let found = try library.ids("Author", where: node).map(\.key)
      if found != expected {
        Issue.record("\(node)\nmemory: \(expected)\nSQL: \(found)")
        return
      }
    }
    #expect(telling > 70, "Most predicates hold for all rows or for none.")
  }

  @Test func `a comparison with a literal uses an index`() throws {
    let library = try Library()
    let served: [(String, String)] = [
      ("name == 'a'", "author_name"), ("name BEGINSWITH 'ab'", "author_name"),
      ("name IN {'a', 'b'}", "author_name"), ("age > 5", "author_age"), ("age < 5", "author_age"),
      ("age BETWEEN {1, 5}", "author_age"), ("id == 5", "PRIMARY KEY"),
      ("ANY books.title == 'x'", "book_author"), ("books.@count > 3", "book_author"),
    ]
    for (format, index) in served {
      let steps = try library.steps(of: library.plan(where: format))
      #expect(steps.contains(index), "\(format): \(steps)")
    }
  }

  @Test func `a column's collation and affinity do not affect a comparison`() throws {
    let library = try Library()
    try library.execute(
      "INSERT INTO author (id, nick, age, name) VALUES (1, 'Ann', 12, '12'), (2, 'ann', 'x', 'y')")
    #expect(try library.keys(where: "nick == 'ann'") == [2])
    #expect(try library.keys(where: "nick ==[c] 'ANN'") == [1, 2])
    let twelve = FetchPredicate.Node.comparison(
      .init(.keyPath(["name"]), .equal, .constant(.integer(12))))
    #expect(try library.ids("Author", where: twelve) == [])
    let text = FetchPredicate.Node.comparison(
      .init(.keyPath(["age"]), .equal, .constant(.string("12"))))
    #expect(try library.ids("Author", where: text) == [])
    #expect(try library.keys(where: "age > 5") == [1])
    #expect(try library.keys(where: "NOT age > 5") == [2])
  }

  @Test func `a long list is bound as one value`() throws {
    let library = try Library()
    try library.execute(#"INSERT INTO author (id, name) VALUES (7, 'n7'), (8, 'q"\''')"#)
    let names = (0..<40_000).map { FetchPredicate.Expression.constant(.string("n\($0)")) }
    let odd = FetchPredicate.Expression.constant(.string(#"q"\'"#))
    let node = FetchPredicate.Node.comparison(
      .init(.keyPath(["name"]), .in, .list(names + [odd])))
    let found = try library.ids("Author", where: node)
    #expect(found == [library.id("Author", 7), library.id("Author", 8)])
  }

  @Test func `the error for an untranslatable predicate names the expression`() throws {
    let library = try Library()
    let node = FetchPredicate.Node.comparison(
      .init(.keyPath(["name", "@count"]), .greater, .constant(.integer(1))))
    let error = #expect(throws: StoreError.self) { try library.ids("Author", where: node) }
    #expect(error?.reason == .unsupported)
    #expect(error?.detail.contains("name.@count") == true)
  }
}
