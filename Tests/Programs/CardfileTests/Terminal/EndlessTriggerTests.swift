import Foundation
import TestSupport
import Testing

/// A save that runs a trigger without end: it can be cancelled, and the program can be ended.
@Suite(.serialized, .hangs(afterMinutes: 2))
struct EndlessTriggerTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "trigger.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE log(n INTEGER);
      INSERT INTO t VALUES (1, 'one'), (2, 'two');
      CREATE TRIGGER endless BEFORE DELETE ON t BEGIN
        INSERT INTO log SELECT count(*) FROM (
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);
      END;
      """)
  }

  /// The browser in the middle of the save.
  private func saving() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(store, "t")
    try #require(terminal.waitFor("one"), "\(terminal.screen.text)")
    terminal.type("dW")
    try #require(terminal.waitFor("Save changes?"), "\(terminal.screen.text)")
    try #require(
      terminal.type("y") { $0.text.contains("Saving") }, "\(terminal.screen.text)")
    return terminal
  }

  @Test(arguments: ["\u{1B}", "\u{3}"])
  func `keys cancel it, and nothing is written`(key: String) throws {
    let terminal = try saving()
    terminal.type(key)
    #expect(terminal.waitFor("nothing was written"), "\(terminal.screen.text)")
    #expect(try Program.run("count", store, "t").output == "2\n")
    terminal.type("u")
    #expect(terminal.waitFor("undo:"), "\(terminal.screen.text)")
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `signals end the program`(signal: Int32) throws {
    let terminal = try saving()
    terminal.send(signal)
    #expect(terminal.waitForEnd() == .exit(128 + signal))
    #expect(try Program.run("count", store, "t").output == "2\n")
  }
}
