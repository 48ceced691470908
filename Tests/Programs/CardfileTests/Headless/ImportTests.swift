import Foundation
import TestSupport
import Testing

/// `cardfile import` with a file.
struct ImportTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  private func file(_ text: String, _ name: String = "new.csv") throws -> String {
    try Data(text.utf8).write(to: folder.url(name))
    return folder.path(name)
  }

  private var count: [String] {
    get throws { try Database.strings(store, "SELECT CAST(count(*) AS TEXT) FROM person") }
  }

  @Test func `a dry run shows columns and first objects, and writes nothing`() throws {
    let path = try file("Name;born;size\nUli;31.12.1990;XL\nVera;x;S\n")
    let outcome = try Program.run("import", store, "person", path, "--dry-run")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(
      outcome.lines == [
        "fields separated by “;”", "Name → name (string)",
        "born → born (date), dates like dd.MM.yyyy", "size → –: person has no such property",
        "name  born", "────  ──────────", "Uli   1990-12-31", "Vera  x",
        "line 3: born must be a date, but “x” is not; write it as 2024-05-01 or"
          + " 2024-05-01 13:45:00",
      ], "\(outcome.output)")
    #expect(try count == ["4"])
  }

  @Test func `rejected records leave the store alone, or go to a file from which they come back`()
    throws
  {
    let path = try file("name,born\nUli,1990-12-31\n,1990-12-31\n\"V, era\",soon\n")
    let refused = try Program.run("import", store, "person", path)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("line 3, name: name is required"), "\(refused.errors)")
    #expect(refused.errors.contains("2 of 3 records cannot be objects"), "\(refused.errors)")
    #expect(try count == ["4"])
    let rejects = folder.path("bad.csv")
    let partly = try Program.run("import", store, "person", path, "--rejects", rejects)
    #expect(partly.status == 1)
    #expect(partly.lines.last == "1 inserted, 2 rejected")
    #expect(try count == ["5"])
    let bad = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(
      bad.hasPrefix("name,born,line,column,reason\r\n,1990-12-31,3,name,name is required\r\n"))
    try bad.replacing("\r\n,", with: "\r\nWim,").replacing("soon", with: "2000-01-01")
      .write(toFile: rejects, atomically: true, encoding: .utf8)
    let rest = try Program.run("import", store, "person", rejects)
    #expect(rest.status == 0, "\(rest)")
    #expect(
      try Database.strings(store, "SELECT name FROM person WHERE id > 5 ORDER BY id") == [
        "Wim", "V, era",
      ])
  }

  /// What may lie in a file of its own has a mark before its bytes, in each layout.
  @Test(arguments: ["plain", "coredata", "json"])
  func `bytes that may be in a file come back as they were`(layout: String) throws {
    let contents = folder.url("M.xcdatamodeld/M.xcdatamodel/contents")
    try FileManager.default.createDirectory(
      at: contents.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(
      """
      <?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="A"><attribute name="x" optional="YES" attributeType="Binary"
      allowsExternalBinaryDataStorage="YES"/></entity></model>
      """.utf8
    ).write(to: contents)
    let new = folder.path("new")
    let created = try Program.run(
      "create", new, "--model", folder.path("M.xcdatamodeld"), "--layout", layout)
    #expect(created.status == 0, "\(created)")
    let path = try file("{\"x\":\"AQI=\"}\n", "x.jsonl")
    for _ in 0..<2 {
      #expect(try Program.run("import", new, "A", path, "--yes").status == 0)
      let printed = try Program.run("fetch", new, "A", "--format", "json").lines.last ?? ""
      #expect(printed.contains("\"x\":\"AQI=\""), "\(printed)")
      _ = try file(printed + "\n", "x.jsonl")
    }
  }

  @Test func `a pipe, gzip and what fetch prints are read`() throws {
    let outcome = try Program.shell(
      """
      cd '\(folder.url.path)'
      $CARDFILE fetch people.sqlite person --format csv > all.csv
      $CARDFILE fetch people.sqlite person --format json | gzip > all.json.gz
      $CARDFILE import people.sqlite person all.csv --key id
      $CARDFILE import people.sqlite person all.json.gz --key id
      printf 'name\\nUli\\n' | $CARDFILE import people.sqlite person -
      """)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(
      outcome.lines.filter { $0.contains("inserted") } == [
        "0 inserted, 4 unchanged", "0 inserted, 4 unchanged", "1 inserted",
      ])
  }

  @Test(
    arguments: [
      (["person", "none.csv"], 3, "none.csv"), (["persn", "new.csv"], 2, "person"),
      (["person", "new.csv", "--map", "x=name"], 2, "no column “x”"),
      (["person", "new.csv", "--map", "name"], 2, "--map column=property"),
      (["person", "new.csv", "--delimiter", "ab"], 2, "--delimiter"),
      (["person", "new.csv", "--key", "nam"], 2, "name"),
    ] as [([String], Int32, String)])
  func `what cannot be is said`(arguments: [String], status: Int32, words: String) throws {
    _ = try file("name\nUli\n")
    let arguments = arguments.map { $0.hasSuffix(".csv") ? folder.path($0) : $0 }
    let outcome = try Program.run(["import", store] + arguments)
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(try count == ["4"])
  }

  @Test func `Ctrl-C leaves the store as it was`() throws {
    let before = try Data(contentsOf: folder.url("people.sqlite"))
    let outcome = try Program.shell(
      """
      timeout --preserve-status --kill-after 20 --signal INT 2 \
      $CARDFILE import '\(store)' person <(yes name)
      """)
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.errors.contains("interrupted; nothing was written"))
    #expect(try Data(contentsOf: folder.url("people.sqlite")) == before)
    #expect(try count == ["4"])
  }
}
