import Foundation
import TestSupport
import Testing

struct FetchTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  @Test func `json prints an object per line with stored values in the order of the columns`()
    throws
  {
    let outcome = try Program.run("fetch", store, "person", "--format", "json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.lines == [
        #"{"id":1,"name":"Ana","born":"1980-05-01","height":1.5,"photo":"AP8=","manager_id":null}"#,
        #"{"id":2,"name":"Björn","born":"1975-12-31","height":1.82,"photo":null,"manager_id":1}"#,
        #"{"id":3,"name":"zoe","born":null,"height":null,"photo":"","manager_id":1}"#,
        #"{"id":4,"name":"Émile","born":"2001-02-03","height":1e+300,"photo":null,"manager_id":2}"#,
      ])
  }

  @Test
  func `csv quotes where needed, ends lines with CR LF and distinguishes NULL from empty text`()
    throws
  {
    let store = try folder.database(
      "odd.sqlite",
      """
      CREATE TABLE t(a TEXT, "b,c" TEXT);
      INSERT INTO t VALUES ('x,"y"', 'two' || char(13, 10) || 'lines'), ('', NULL);
      """)
    let outcome = try Program.run("fetch", store, "t", "--format", "csv")
    #expect(outcome.output == "a,\"b,c\"\r\n\"x,\"\"y\"\"\",\"two\r\nlines\"\r\n\"\",\r\n")
  }

  @Test func `the table says how long data is, also if it is very long`() throws {
    let store = try folder.database(
      "long.sqlite",
      "CREATE TABLE t(data BLOB); INSERT INTO t VALUES (zeroblob(1000000)), (zeroblob(1));")
    let outcome = try Program.run("fetch", store, "t", "--columns", "data")
    #expect(outcome.lines.dropFirst(2) == ["BLOB 1,000,000 bytes", "BLOB 1 byte"])
  }

  @Test func `a column with a point in its name can be sorted by`() throws {
    let store = try folder.database(
      "odd.sqlite",
      #"CREATE TABLE t("a.b" INTEGER, "`c`" TEXT); INSERT INTO t VALUES (2, 'x'), (1, 'y');"#)
    for order in ["a.b", "\"a.b\"", "\"`c`\" desc"] {
      let outcome = try Program.run("fetch", store, "t", "--format", "csv", "--sort", order)
      #expect(outcome.output == "a.b,`c`\r\n1,y\r\n2,x\r\n", "\(order): \(outcome.errors)")
    }
  }

  @Test func `the table aligns columns and formats values`() throws {
    let outcome = try Program.run("fetch", store, "person", "--columns", "name,born,height")
    #expect(
      outcome.lines == [
        "name   born        height", "─────  ──────────  ──────", "Ana    1980-05-01     1.5",
        "Björn  1975-12-31    1.82", "zoe    ∅                ∅", "Émile  2001-02-03  1e+300",
      ])
  }

  @Test func `explain prints method, statement and query plan instead of objects`() throws {
    let sorted = try Program.run("fetch", store, "person", "--sort", "name desc", "--explain")
    #expect(
      sorted.lines == [
        "Cardfile sorts the rows, each value once, from the pages of the table.",
        #"SELECT t0."id", t0."name" FROM "person" t0"#,
        "SCAN t0",
      ])
    let one = try Program.run("fetch", store, "person", "--where", "id = 2", "--explain")
    #expect(
      one.lines == [
        "SQLite reads the rows in the order of an index, or sorts a part of it.",
        #"SELECT t0."id" FROM "person" t0 WHERE t0."id" COLLATE BINARY = 2 ORDER BY t0."id""#,
        "SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)",
      ])
  }

  @Test func `text is sorted by the localized order, and limit and offset apply to it`() throws {
    func names(_ arguments: String...) throws -> [String] {
      let rest = arguments + Array(repeating: "--relationships", count: 0)
      let outcome = try Program.shell(
        "$CARDFILE fetch '\(store)' person --columns name --format csv \(rest.joined(separator: " "))"
      )
      return Array(outcome.lines.dropFirst())
    }
    #expect(try names("--sort name") == ["Ana", "Björn", "Émile", "zoe"])
    #expect(try names("--sort 'name desc'") == ["zoe", "Émile", "Björn", "Ana"])
    #expect(try names("--sort 'manager_id desc, name'") == ["Émile", "Björn", "zoe", "Ana"])
    #expect(try names("--sort name --limit 2") == ["Ana", "Björn"])
    #expect(try names("--sort name --limit 2 --offset 3") == ["zoe"])
    #expect(try names("--limit 0") == [])
    #expect(try names("--sort name --where \"name beginswith[cd] 'e'\"") == ["Émile"])
  }

  @Test func `relationships are printed as the URIs of their objects`() throws {
    let outcome = try Program.run(
      "fetch", store, "person", "--relationships", "--format", "json", "--where", "id = 2")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let uri = try Program.run(
      "fetch", store, "person", "--columns", "objectID", "--format", "csv", "--limit", "1")
    #expect(object.values.contains { $0 as? String == uri.lines.last })
    #expect(object.values.compactMap { ($0 as? [String])?.count }.sorted() == [0, 1, 2])
  }

  @Test func `a foreign key that leads nowhere is printed, whatever it refers to`() throws {
    let store = try folder.database(
      "links.sqlite",
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE one(id INTEGER PRIMARY KEY); CREATE TABLE two(a, b, PRIMARY KEY(a, b));
      CREATE TABLE code(id INTEGER PRIMARY KEY, text TEXT UNIQUE); INSERT INTO code VALUES(3, 'c');
      CREATE TABLE link(id INTEGER PRIMARY KEY, one_id REFERENCES one, a, b,
        code_text TEXT REFERENCES code(text), FOREIGN KEY(a, b) REFERENCES two);
      INSERT INTO link VALUES(1, 7, 8, 'x', 'd'), (2, NULL, 8, NULL, 'c');
      """)
    let names = try Program.run("fetch", store, "link", "--relationships", "--format", "csv").lines
    let columns = try #require(names.first).split(separator: ",").map(String.init)
    let links = columns.dropFirst(5).joined(separator: ",")
    for format in ["csv", "json", "table"] {
      let lines = try Program.run(
        "fetch", store, "link", "--columns", links, "--format", format
      ).lines.suffix(2).map { $0.replacing(/x-coredata:..[0-9a-f]+./, with: "") }
      #expect(lines[0].contains("one/p7") && lines[0].contains("code/ksd"), "\(lines)")
      #expect(lines[0].contains("two/ki8,sx"), "\(lines)")
      #expect(lines[1].contains("code/p3") && !lines[1].contains("two/"), "\(lines)")
    }
  }

  @Test func `integers are exact and doubles read back equal`() throws {
    let store = try folder.database(
      "numbers.sqlite",
      """
      CREATE TABLE n(i INTEGER, d REAL);
      INSERT INTO n VALUES (9223372036854775807, 0.1), (-9223372036854775808, 9e999), (0, 5e-324);
      """)
    let outcome = try Program.run("fetch", store, "n", "--format", "json")
    #expect(
      outcome.lines == [
        #"{"i":9223372036854775807,"d":0.1}"#, #"{"i":-9223372036854775808,"d":1e999}"#,
        #"{"i":0,"d":5e-324}"#,
      ])
  }

  @Test func `long values are printed in full`() throws {
    let store = try folder.database(
      "long.sqlite",
      """
      CREATE TABLE t(text TEXT, data BLOB);
      INSERT INTO t VALUES (printf('%.*c', 300000, 'é'), zeroblob(200001));
      """)
    let outcome = try Program.run("fetch", store, "t", "--format", "json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: String])
    #expect(object["text"]?.count == 300_000)
    #expect(object["data"].flatMap { Data(base64Encoded: $0) }?.count == 200_001)
  }

  @Test func `control characters are made visible in tables and escaped in json`() throws {
    let store = try folder.database(
      "control.sqlite",
      "CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('x' || char(27) || '[31m' || char(10) || 'y');"
    )
    let table = try Program.run("fetch", store, "t")
    #expect(!table.output.contains("\u{1B}"))
    let json = try Program.run("fetch", store, "t", "--format", "json")
    #expect(json.lines == [#"{"a":"x\u001b[31m\ny"}"#])
  }

  @Test func `names with any characters are resolved`() throws {
    let store = try folder.database(
      "names.sqlite",
      """
      CREATE TABLE "select ""x"" 😀"("order by" TEXT, "a,b" INTEGER);
      INSERT INTO "select ""x"" 😀" VALUES ('one', 2), ('two', 1);
      """)
    let outcome = try Program.run(
      "fetch", store, #"select "x" 😀"#, "--sort", #""a,b" desc"#, "--columns", #""order by","a,b""#,
      "--format", "json")
    #expect(
      outcome.lines == [#"{"order by":"one","a,b":2}"#, #"{"order by":"two","a,b":1}"#])
  }
}
