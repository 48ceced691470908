import Foundation
import GRDB
import TestSupport
import Testing

/// Commands that must not change anything, and those that say why they cannot.
struct NoTouchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Names, sizes and times of all that is in the folder, and of the folder.
  private func snapshot() throws -> [String] {
    try ([""] + FileManager.default.contentsOfDirectory(atPath: folder.url.path)).sorted().map {
      var status = stat()
      lstat(folder.path($0), &status)
      let (changed, written) = (status.st_ctim, status.st_mtim)
      return "\($0) \(status.st_ino) \(status.st_size) \(status.st_mode)"
        + " \(changed.tv_sec).\(changed.tv_nsec) \(written.tv_sec).\(written.tv_nsec)"
    }
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "WAL", "WAL with a log"], [0o755, 0o555] as [mode_t])
  func `a dry run touches no file and no folder`(journal: String, mode: mode_t) throws {
    let mode = geteuid() == 0 ? mode : 0o755
    let store = try folder.database(
      "test.sqlite", Database.people + "PRAGMA journal_mode = \(journal.split(separator: " ")[0]);")
    if journal == "WAL with a log" {
      // The files as they are while a connection is open.
      let live = try TemporaryFolder()
      let queue = try DatabaseQueue(path: try live.copy(of: URL(fileURLWithPath: store)))
      try queue.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0; UPDATE person SET height = 2")
      }
      try FileManager.default.copyItem(
        atPath: live.path("test.sqlite-wal"), toPath: folder.path("test.sqlite-wal"))
      try queue.close()
    }
    chmod(folder.url.path, mode)
    defer { chmod(folder.url.path, 0o755) }
    let before = try snapshot()
    let outcome = try Program.run(
      "delete", store, "person", "--where", "name BEGINSWITH 'Bj'", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("2 pet"), "\(outcome.output)")
    let after = try snapshot()
    #expect(after == before)
  }

  @Test func `the statements of a save are shown without touching a file`() throws {
    let store = try folder.database("test.sqlite", Database.people + "PRAGMA journal_mode = WAL;")
    let before = try snapshot()
    let terminal = try PseudoTerminal(store, "person")
    #expect(terminal.waitFor("Ana"), "\(terminal.screen.text)")
    terminal.type("jdW")
    #expect(terminal.waitFor("Save"), "\(terminal.screen.text)")
    terminal.type("v")
    #expect(terminal.waitFor("DELETE FROM"), "\(terminal.screen.text)")
    #expect(try snapshot() == before)
    terminal.type("q")
    #expect(terminal.waitFor("y save"), "\(terminal.screen.text)")
    terminal.type("n:q!\r")
    #expect(terminal.waitForEnd() == .exit(0))
    #expect(try snapshot() == before)
  }

  @Test func `a model with a name that is too long leaves no class half made`() throws {
    let name = String(repeating: "N", count: 300)
    try Data(
      """
      {"version":1,"entities":[{"name":"Short","attributes":[]},{"name":"\(name)","attributes":[]}]}
      """.utf8
    ).write(to: folder.url("model.json"))
    let outcome = try Program.run(
      "generate", folder.path("model.json"), "--output", folder.path("out"))
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains("NNN") && outcome.errors.contains("shorter name"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == [])
  }

  @Test func `sorting by very many keys works, or is refused with a sentence`() throws {
    let columns = (0..<1500).map { "c\($0) TEXT" }.joined(separator: ", ")
    let store = try folder.database(
      "test.sqlite",
      "CREATE TABLE t(id INTEGER PRIMARY KEY, \(columns)); INSERT INTO t(id) VALUES (7)")
    func sort(_ keys: [String]) throws -> Program.Outcome {
      try Program.run(
        "fetch", store, "t", "--columns", "id", "--format", "csv", "--sort",
        keys.joined(separator: ","))
    }
    #expect(try sort(Array(repeating: "c1", count: 5000)).lines == ["id", "7"])
    let refused = try sort((0..<1500).map { "c\($0)" })
    #expect(refused.status != 0 && refused.errors.contains("too many terms in ORDER BY"))
    #expect(!refused.errors.contains("SELECT") && refused.errors.contains("fewer"))
  }

  @Test(arguments: ["100000", "0", "-3", "x", "", "99999999999999999999"])
  func `LINES and COLUMNS that are wrong do not matter`(value: String) throws {
    let store = try folder.database("test.sqlite", Database.people)
    let terminal = try PseudoTerminal(
      store, "person", environment: ["LINES": value, "COLUMNS": value])
    #expect(terminal.waitFor("Ana"), "\(terminal.screen.text)")
    terminal.type(":q!\r")
    #expect(terminal.waitForEnd() == .exit(0))
  }

  @Test(arguments: ["csv", "json", "table"])
  func `a terminal gets no escape sequence of a value, a pipe gets it exactly`(format: String)
    throws
  {
    let store = try folder.database(
      "test.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT);
      INSERT INTO t VALUES (1, 'a' || char(27) || ']0;T' || char(7) || char(0x9D) || char(0x202E)
        || char(10) || 'b,ü');
      """)
    let command = "'\(Program.url.path)' fetch '\(store)' t --format \(format)"
    let terminal = try Program.shell("script -qec \"\(command)\" /dev/null | cat")
    let wrong = terminal.output.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A, 0x0D: false
      case 0..<0x20, 0x7F...0x9F, 0x202E: true
      default: false
      }
    }
    #expect(wrong.isEmpty, "\(terminal.output)")
    #expect(terminal.output.contains("ü") && terminal.output.contains("1"))
    let pipe = try Program.shell("\(command) | cat").output
    if format == "csv" {
      #expect(pipe == "id,s\r\n1,\"a\u{1B}]0;T\u{7}\u{9D}\u{202E}\nb,ü\"\r\n")
    } else if format == "json" {
      #expect(pipe.contains("\u{9D}\u{202E}"))
    }
  }
}
