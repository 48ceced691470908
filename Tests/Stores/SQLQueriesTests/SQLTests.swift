import ObjectModel
import Testing

@testable import SQLQueries

@Suite struct SQLTests {
  @Test func `an interpolated value is bound and not part of the text`() {
    let title = Value.string("O'Hara'; DROP TABLE note; --")
    let sql: SQL = "SELECT 1 FROM note t WHERE t.title = \(title) AND t.pages > \(Value.integer(3))"
    #expect(sql.text == "SELECT 1 FROM note t WHERE t.title = ? AND t.pages > ?")
    #expect(sql.bindings == [.value(title), .value(.integer(3))])
  }

  @Test(arguments: [
    ("note", #""note""#),
    ("", #""""#),
    (#"a"b"#, #""a""b""#),
    (#"x" FROM y; --"#, #""x"" FROM y; --""#),
    ("a\0b", #""ab""#),
    ("sélect ?", #""sélect ?""#),
  ])
  func `a name is quoted whatever characters it holds`(name: String, quoted: String) {
    let sql: SQL = "SELECT * FROM \(name: name)"
    #expect(sql.text == "SELECT * FROM \(quoted)")
    #expect(SQL.name(name).text == quoted)
    #expect(sql.bindings.isEmpty)
  }

  @Test func `a column is quoted after its alias`() {
    let sql: SQL = """
      SELECT \(column: "a", of: "t"), \([SQL].columns(["b", "c"], of: SQL.Alias(number: 2))) \
      FROM \(names: ["x", "y"])
      """
    #expect(sql.text == #"SELECT t."a", t2."b", t2."c" FROM "x", "y""#)
  }

  @Test func `a piece keeps its bindings in the order of the text`() {
    let condition: SQL = "b = \(Value.integer(2))"
    let pieces: [SQL] = ["\(Value.integer(3))", "c", "\(Value.integer(4))"]
    let sql: SQL = "SELECT \(Value.integer(1)) WHERE \(condition) AND d IN (\(pieces))"
    #expect(sql.text == "SELECT ? WHERE b = ? AND d IN (?, c, ?)")
    #expect(sql.bindings == (1...4).map { .value(.integer($0)) })
  }

  @Test(arguments: [(0, "IN ()"), (1, "IN (?)"), (3, "IN (?, ?, ?)")])
  func `a list of values binds each of them`(count: Int, text: String) {
    let values = (0..<count).map { Value.integer(Int64($0)) }
    let sql: SQL = "IN (\(values))"
    #expect(sql.text == text)
    #expect(sql.bindings == values.map(SQL.Binding.value))
  }

  @Test func `conditions make a WHERE clause only if there are any`() {
    let none: [SQL?] = [nil, ""]
    let some: [SQL?] = [nil, "a = \(Value.integer(1))", "", "b"]
    #expect("SELECT 1\(where: none)" as SQL == "SELECT 1")
    let sql: SQL = "SELECT 1\(where: some) LIMIT \(number: 5)"
    #expect(sql.text == "SELECT 1 WHERE a = ? AND b LIMIT 5")
    #expect(sql.bindings == [.value(.integer(1))])
  }

  @Test func `lists of columns are compared pair by pair`() {
    let left = [SQL.name("a"), SQL.name("b")]
    #expect(SQL.equal(left, [.value(1), .value("x")]).text == #""a" = ? AND "b" = ?"#)
    #expect(SQL.equal([], []).isEmpty)
  }

  @Test func `a statement is run with other values by binding them anew`() {
    let sql: SQL = "SELECT \(Value.integer(1)), \(Value.integer(2))"
    #expect(sql.binding([.null, "x"]).text == sql.text)
    #expect(sql.binding([.null, "x"]).bindings == [.value(.null), .value("x")])
  }

  @Test func `names and values are written late, as each engine reads them`() {
    let condition: SQL = "b IN (\([Value.integer(2), .integer(3)])) OR b = '?'"
    let sql: SQL = "SELECT \(name: "a?") WHERE a = \(Value.integer(1)) AND (\(condition))"
    #expect(sql.text(in: .sqlite) == #"SELECT "a?" WHERE a = ? AND (b IN (?, ?) OR b = '?')"#)
    #expect(
      sql.text(in: .postgreSQL) == #"SELECT "a?" WHERE a = $1 AND (b IN ($2, $3) OR b = '?')"#)
    #expect(sql.readable == #"SELECT "a?" WHERE a = 1 AND (b IN (2, 3) OR b = '?')"#)
  }

  @Test func `pieces that are written alike are equal, however they were put together`() {
    let pieces: [SQL] = ["a", "b"]
    #expect("SELECT a, b" as SQL == "SELECT \(pieces)")
    #expect("a = \(Value.integer(1))" as SQL == "a = \([Value.integer(1)])")
    #expect("a = \(Value.integer(1))" as SQL != "a = \(Value.integer(2))")
  }
}
