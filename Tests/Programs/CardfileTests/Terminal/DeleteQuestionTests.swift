import TestSupport
import Testing

/// What `cardfile delete` asks at a terminal.
@Suite(.serialized, .hangs(afterMinutes: 2))
struct DeleteQuestionTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "many.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO t SELECT i, 'row ' || i FROM n;
      """)
  }

  private func count() throws -> String {
    try Database.strings(store, "SELECT count(*) || '' FROM t").first ?? ""
  }

  @Test(arguments: [("n", 1, "300"), ("", 1, "300"), ("y", 0, "297")])
  func `only y deletes`(answer: String, status: Int32, left: String) throws {
    let terminal = try PseudoTerminal("delete", store, "t", "--where", "id <= 3")
    try #require(terminal.waitFor("Delete? y/n"), "\(terminal.screen.text)")
    #expect(terminal.screen.text.contains("3 t deleted"))
    #expect(try count() == "300")
    terminal.type(answer + "\n")
    #expect(terminal.waitForEnd() == .exit(status))
    #expect(try count() == left)
  }

  @Test func `a row that no longer meets the condition at the answer is not deleted`() throws {
    let terminal = try PseudoTerminal("delete", store, "t", "--where", "name = 'row 7'")
    try #require(terminal.waitFor("Delete? y/n"), "\(terminal.screen.text)")
    try Database.write(store, "UPDATE t SET name = 'eighty' WHERE id = 7")
    terminal.type("y\n")
    #expect(terminal.waitForEnd() == .exit(1))
    #expect(terminal.screen.text.contains("nothing was deleted"))
    #expect(try count() == "300")
  }

  @Test(arguments: [("y", 1, "300"), ("200", 0, "100")])
  func `deleting many objects requires typing their number`(
    answer: String, status: Int32, left: String
  ) throws {
    let terminal = try PseudoTerminal("delete", store, "t", "--where", "id > 100")
    try #require(terminal.waitFor("Type 200 to delete them:"), "\(terminal.screen.text)")
    terminal.type(answer + "\n")
    #expect(terminal.waitForEnd() == .exit(status))
    #expect(try count() == left)
  }
}
