import Foundation
import TestSupport
import Testing

/// Views that never end: whatever reads them stops.
@Suite(.serialized, .hangs(afterMinutes: 2))
struct EndlessViewTests {
  private let folder: TemporaryFolder
  private let store: String

  /// Views of which no row, or no last row, ever comes.
  private static let views = ["never", "always"]

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "views.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO t VALUES (1, 'one');
      CREATE VIEW never AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id, 'x' || i AS name FROM n WHERE i < 0;
      CREATE VIEW always AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id, 'x' || i AS name FROM n;
      """)
  }

  @Test(arguments: views, ["q", "Q"])
  func `keys are obeyed`(view: String, key: String) throws {
    let terminal = try PseudoTerminal(store, view)
    try #require(terminal.waitFor("views.sqlite"), "\(terminal.screen.text)")
    terminal.type(key)
    #expect(terminal.waitForEnd() != nil)
  }

  @Test(arguments: views, [SIGTERM, SIGHUP])
  func `signals are obeyed`(view: String, signal: Int32) throws {
    let terminal = try PseudoTerminal(store, view)
    try #require(terminal.waitFor("views.sqlite"), "\(terminal.screen.text)")
    terminal.send(signal)
    #expect(terminal.waitForEnd() == .exit(128 + signal))
  }

  @Test(arguments: views, [SIGQUIT, SIGALRM])
  func `any other signal ends the program, and restores the terminal`(view: String, signal: Int32)
    throws
  {
    let terminal = try PseudoTerminal(store, view)
    try #require(terminal.waitFor("views.sqlite"), "\(terminal.screen.text)")
    terminal.send(signal)
    #expect(terminal.waitForEnd() == .signal(signal))
    #expect(terminal.isInLineMode)
  }

  @Test func `the other entities can be used`() throws {
    let terminal = try PseudoTerminal(store)
    try #require(terminal.waitFor("never"), "\(terminal.screen.text)")
    terminal.type("G\r")
    #expect(terminal.waitFor("one"), "\(terminal.screen.text)")
    terminal.type("Q")
    #expect(terminal.waitForEnd() == .exit(0))
  }

  @Test func `entities lists a view without its count`() throws {
    let outcome = try Program.run("entities", store, "--format", "json")
    #expect(outcome.status == 3)
    #expect(outcome.output.contains(#""always": {"count": null"#))
    #expect(outcome.output.contains(#""t": {"count": 1"#))
    #expect(outcome.errors.contains("takes longer than 5 s"), "\(outcome.errors)")
  }
}
