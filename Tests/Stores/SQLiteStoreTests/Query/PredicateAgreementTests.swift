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
    var selectiveCount = 0
    for _ in 0..<700 {
      let node = generator.node(depth: 3)
      let expected = try authors.filter { try FetchPredicate(node).matches($0) }.map(\.id)
      if !expected.isEmpty, expected.count < authors.count { selectiveCount += 1 }
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
    #expect(selectiveCount > 100, "Most predicates hold for all rows or for none.")
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
    var selectiveCount = 0
    for _ in 0..<500 {
      let node = generator.node(depth: 3)
      let expected = try authors.filter { try FetchPredicate(node).matches($0) }.map(\.id.key)
      if !expected.isEmpty, expected.count < authors.count { selectiveCount += 1 }
      let found = try library.ids("Author", where: node).map(\.key)
      if found != expected {
        Issue.record("\(node)\nmemory: \(expected)\nSQL: \(found)")
        return
      }
    }
    #expect(selectiveCount > 70, "Most predicates hold for all rows or for none.")
  }

  @Test func `what has no key in it is computed once`() throws {
    let library = try Library()
    let computed: [(String, String)] = [
      ("id > 5 + 5", "> 10"), ("id BETWEEN {1, 10 + 5}", "<= 15"),
      ("name == uppercase('ab')", "'AB'"), ("id IN {1 + 1, length('abc')}", "IN (2, 3)"),
      ("id == CAST('12', 'integer')", "12"), ("age < {7, 8, 9}[1] * 2", "16"),
    ]
    for (format, part) in computed {
      let plan = try library.plan(where: format)
      let sql = try FetchQuery(plan, compiler: library.reader.compiler).sql.readable
      #expect(sql.contains(part) && !sql.contains("cardfile_evaluate"), "\(format): \(sql)")
    }
    let random = try library.plan(where: "score > random()")
    let sql = try FetchQuery(random, compiler: library.reader.compiler).sql.readable
    #expect(sql.contains("cardfile_evaluate"))
  }

  @Test func `SQL's operators compute what memory computes, whatever is stored`() throws {
    var generator = Generator(seed: 77)
    let library = try Library()
    try generator.fill(library, authors: 60)
    for age in [
      Int64.max, .min, 0, -1, 7, 4096, 9_007_199_254_740_993,
    ] {
      try library.execute(
        "INSERT INTO author (age, score, mentor_id) VALUES (\(age), \(age) * 0.5, \(age % 5))")
    }
    let authors = try LibraryRows(library).subjects("Author")
    let operands = ["age", "score", "mentor_id", "id", "3", "0", "-2", "2.5", "mentor.age"]
    var inSQL = 0
    for _ in 0..<600 {
      func operand(_ depth: Int) -> String {
        if depth == 0 || generator.chance(30) { return generator.pick(operands) }
        let (left, right) = (operand(depth - 1), operand(depth - 1))
        return generator.pick([
          "(\(left) + \(right))", "(\(left) - \(right))", "(\(left) * \(right))",
          "(\(left) / \(right))", "modulus:by:(\(left), \(right))", "(\(left) & \(right))",
          "(\(left) | \(right))", "(\(left) << \(right))", "(\(left) >> \(right))",
          "onesComplement(\(left))", "length(name)", "nick.length",
        ])
      }
      let sign = generator.pick(["==", "!=", "<", "<=", ">", ">="])
      let format =
        generator.chance(10)
        ? "name \(sign) nick" : "\(operand(2)) \(sign) \(operand(generator.chance(60) ? 0 : 2))"
      guard
        let predicate = try? FetchPredicate(format: generator.chance(20) ? "NOT \(format)" : format)
      else { continue }
      let expected = try authors.filter { try predicate.matches($0) }.map(\.id)
      let found = try library.ids("Author", where: predicate.node)
      #expect(found == expected, "\(format)")
      let plan = FetchPlan(
        entityName: "Author",
        predicate: try? predicate.validated(forEntity: "Author", in: library.layout.model))
      if try FetchQuery(plan, compiler: library.reader.compiler).sql.text.contains(
        "CASE WHEN typeof")
      {
        inSQL += 1
      }
    }
    #expect(inSQL > 200)
  }

  @Test func `the text of a value is searched and compared without evaluating in memory`() throws {
    var generator = Generator(seed: 91)
    let library = try Library()
    try generator.fill(library, authors: 120)
    for name in Library.authorAttributes.map(\.name) where name != "id" && name != "mentor_id" {
      for (row, bytes) in ["C3", "EDA080", "61C3", "F48FBE80", "F09F918D"].enumerated() {
        try library.execute(
          "UPDATE author SET \(name) = CAST(x'\(bytes)' AS TEXT) WHERE id = \(row + 1)")
      }
    }
    let authors = try LibraryRows(library).subjects("Author")
    let attributes = try #require(library.layout.model.entity(named: "Author")).attributes
    var selectiveCount = 0
    for attribute in attributes {
      let text = "CAST(\(attribute.name), 'NSString')"
      for length in 0...8 {
        let predicate = try FetchPredicate(format: "length(\(text)) == \(length)")
        let expected = try authors.filter { try predicate.matches($0) }.map(\.id)
        #expect(
          try library.ids("Author", where: predicate.node) == expected, "\(text): \(length)")
      }
      for word in [
        "1", "19", "2", "-", ".", ":", "0", "a", "true", "Z", "é", "byte", "\u{fffd}", "👍",
      ] {
        for condition in [
          "CONTAINS[cd] '\(word)'", "BEGINSWITH '\(word)'", "ENDSWITH[c] '\(word)'",
          "LIKE[cd] '*\(word)?'", "== '\(word)'", "> '\(word)'", "IN {'0', '\(word)'}", "!= NULL",
        ] {
          let predicate = try FetchPredicate(format: "\(text) \(condition)")
          let expected = try authors.filter { try predicate.matches($0) }.map(\.id)
          #expect(
            try library.ids("Author", where: predicate.node) == expected, "\(text) \(condition)")
          if !expected.isEmpty, expected.count < authors.count { selectiveCount += 1 }
          let plan = FetchPlan(
            entityName: "Author",
            predicate: try predicate.validated(forEntity: "Author", in: library.layout.model))
          let sql = try FetchQuery(plan, compiler: library.reader.compiler).sql.text
          #expect(!sql.contains("cardfile_evaluate"), "\(text) \(condition)")
        }
      }
    }
    #expect(selectiveCount > 100)
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
