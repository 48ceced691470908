import Foundation
import TestSupport
import Testing

/// Tests that no control character of a store reaches the terminal in what a command prints for
/// people, and that no line break of a store begins a line.
struct HostileTextTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A title sequence, a bell, C1 controls, bidi overrides and line breaks of every kind.
  private static let bytes =
    "x\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}\u{2066}\u{85}\u{2028}\u{B}\u{7F}\t\r\n"
    + "FORGED line\u{1B}[2J"

  private static func name(_ stem: String) -> String { "\"\(stem)\(bytes)\"" }
  private static func text(_ stem: String) -> String { "'\(stem)\(bytes)'" }

  /// A database whose every name and text has such characters.
  private static let schema = """
    PRAGMA foreign_keys = OFF;
    CREATE TABLE \(name("a")) (\(name("id")) TEXT PRIMARY KEY, \(name("n")) TEXT NOT NULL,
      \(name("m")) TEXT REFERENCES \(name("a")) (\(name("id"))) ON DELETE SET NULL,
      CONSTRAINT \(name("k")) CHECK (\(name("n")) <> ''),
      CONSTRAINT \(name("q")) UNIQUE (\(name("n"))));
    CREATE TABLE \(name("b")) (id INTEGER PRIMARY KEY, \(name("t")) TEXT,
      \(name("r")) TEXT NOT NULL REFERENCES \(name("a")) (\(name("id"))) ON DELETE CASCADE);
    CREATE TABLE \(name("c")) (id INTEGER PRIMARY KEY,
      \(name("r")) TEXT NOT NULL REFERENCES \(name("a")) (\(name("id"))) ON DELETE RESTRICT);
    CREATE TABLE \(name("g")) (id INTEGER PRIMARY KEY, \(name("t")) TEXT);
    CREATE TABLE \(name("o")) (\(name("p")) INTEGER REFERENCES \(name("g")) (id));
    CREATE VIEW \(name("v")) AS SELECT * FROM \(name("a"));
    CREATE VIEW \(name("w")) AS SELECT * FROM \(name("none"));
    CREATE VIEW \(name("z")) AS SELECT json_extract(\(text("e")), '$') AS \(name("j"));
    CREATE TRIGGER \(name("d")) BEFORE DELETE ON \(name("g"))
      BEGIN SELECT RAISE(ABORT, \(text("message"))); END;
    INSERT INTO \(name("a")) VALUES
      (\(text("1")), \(text("1")), NULL), (\(text("2")), \(text("2")), \(text("1"))),
      (\(text("3")), \(text("3")), \(text("1")));
    INSERT INTO \(name("b")) VALUES (1, \(text("b")), \(text("1"))),
      (2, \(text("b")), \(text("9")));
    INSERT INTO \(name("c")) VALUES (1, \(text("3")));
    INSERT INTO \(name("g")) VALUES (1, \(text("g")));
    """

  /// The arguments of commands for such a database.
  private static let commands: [[String]] = {
    let name = { (stem: String) in stem + bytes }
    let every = ["a", "b", "c", "g", "o", "v", "w", "z"].map(name)
    return [["entities"], ["check"], ["describe"], ["history"]]
      + every.flatMap { entity in
        [
          ["describe", entity], ["count", entity], ["fetch", entity],
          ["fetch", entity, "--relationships"],
          ["delete", entity, "--where", "TRUEPREDICATE", "--dry-run"],
          ["delete", entity, "--where", "TRUEPREDICATE", "--yes", "--no-backup"],
        ]
      } + [
        ["count", name("unknown")], ["fetch", name("a"), "--columns", name("unknown")],
        ["fetch", name("a"), "--sort", name("unknown")], ["fetch", name("a"), "--limit", bytes],
        ["count", name("a"), "--where", "\(bytes) = 1"],
        ["count", name("a"), "--where", "name = '\(bytes)'"], ["count", name("a"), bytes],
        ["entities", "--format", bytes], ["describe", "--model", name("model")],
      ]
  }()

  @Test(arguments: commands)
  func `what is printed for people has no control characters`(_ command: [String]) throws {
    let store = try folder.database("s\(Self.bytes).sqlite", Self.schema)
    try expectSafe(command[0], [store] + command.dropFirst())
  }

  @Test(arguments: ["entities", "check", "describe"])
  func `an error about a file is safe too`(_ command: String) throws {
    let missing = folder.path("missing\(Self.bytes)")
    try expectSafe(command, [missing])
    try Data(Self.bytes.utf8).write(to: folder.url("text\(Self.bytes)"))
    try expectSafe(command, [folder.path("text\(Self.bytes)")])
    let store = try folder.database("schema.sqlite", Self.schema)
    try Database.write(
      store,
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (' || \(Self.text("")) WHERE rowid = 1
      """)
    try expectSafe(command, [store])
  }

  private func expectSafe(_ command: String, _ arguments: [String]) throws {
    let quoted = ([command] + arguments).map { "'\($0.replacing("'", with: "'\\''"))'" }
    let outcome = try Program.shell("$CARDFILE \(quoted.joined(separator: " "))")
    let printed = outcome.output + outcome.errors
    #expect(!printed.isEmpty)
    #expect([0, 1, 2, 3].contains(outcome.status))
    let raw = printed.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(raw.isEmpty, "\(printed.debugDescription)")
    let forged = printed.split(separator: "\n").filter {
      $0.trimmingPrefix(" ").hasPrefix("FORGED")
    }
    #expect(forged.isEmpty)
  }
}
