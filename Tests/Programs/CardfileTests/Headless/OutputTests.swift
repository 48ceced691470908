import TestSupport
import Testing

struct OutputTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "many.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, text TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, 'row ' || i FROM n;
      """)
  }

  @Test(arguments: ["table", "csv", "json"])
  func `many rows are printed in order`(format: String) throws {
    let outcome = try Program.run("fetch", store, "t", "--format", format)
    let header = ["table": 2, "csv": 1, "json": 0][format] ?? 0
    #expect(outcome.lines.count == 20000 + header)
    #expect(outcome.lines.last?.contains("20000") == true)
  }

  @Test func `a closed pipe ends the program quietly`() throws {
    let outcome = try Program.shell(
      "set -o pipefail; $CARDFILE fetch '\(store)' t --format json | head -n 1")
    #expect(outcome.lines == [#"{"id":1,"text":"row 1"}"#])
    #expect(outcome.errors.isEmpty)
    #expect(outcome.status == 0)
  }

  @Test func `a full disk is an error`() throws {
    let outcome = try Program.shell("$CARDFILE fetch '\(store)' t --format json > /dev/full")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("cardfile: standard output cannot be written: No space left"))
  }

  @Test func `the database never gets the descriptor of a closed standard stream`() throws {
    let before = try Database.strings(store, "SELECT count(*) || '/' || sum(id) FROM t")
    let outcome = try Program.shell("$CARDFILE fetch '\(store)' t --format json <&- >&- 2>&-")
    #expect(outcome.status == 1)
    #expect(try Database.strings(store, "SELECT count(*) || '/' || sum(id) FROM t") == before)
    #expect(try Database.strings(store, "PRAGMA integrity_check") == ["ok"])
  }
}
