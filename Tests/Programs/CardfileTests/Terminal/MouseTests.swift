import Foundation
import TestSupport
import Testing

/// The mouse of a real terminal, which reports in its own form whatever TERM says.
@Suite(.serialized, .hangs(afterMinutes: 2))
struct MouseTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "items.sqlite",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
        INSERT INTO item SELECT i, printf('item %02d', i), 100 - i FROM n;
      """)
  }

  private func open(_ term: String, _ arguments: String..., columns: Int = 80) throws
    -> PseudoTerminal
  {
    let terminal = try PseudoTerminal(
      arguments: [store, "item", "--section", "none"] + arguments, columns: columns,
      environment: ["TERM": term])
    #expect(terminal.waitFor("item 01"), "\(terminal.screen.text)")
    return terminal
  }

  /// A report in the newer form; columns and lines are counted from 1.
  private func report(_ code: Int, _ x: Int, _ y: Int, _ final: String = "M") -> String {
    "\u{1B}[<\(code);\(x);\(y)\(final)"
  }

  @Test(arguments: ["screen", "screen-256color", "tmux-256color", "xterm-256color", "xterm"])
  func `the wheel scrolls and a click moves the cursor whatever the terminal is called`(
    term: String
  ) throws {
    let terminal = try open(term)
    terminal.type(report(65, 10, 10))
    #expect(terminal.waitFor { !$0.text.contains("item 01") }, "\(terminal.screen.text)")
    #expect(terminal.screen.text.contains("item 04"), "the wheel opened an object")
    terminal.type(report(64, 10, 10))
    #expect(terminal.waitFor("item 01"))
    terminal.type(report(0, 10, 7) + report(0, 10, 7, "m"))
    #expect(terminal.waitFor { $0.text.contains("▌  item 05") }, "\(terminal.screen.text)")
  }

  @Test(arguments: ["screen", "xterm-256color"])
  func `reports in the older form work, in the columns beyond 95 too`(term: String) throws {
    let terminal = try open(term, columns: 200)
    terminal.type(bytes: [0x1B, 0x5B, 0x4D, 0x61, 0xA0, 0x2A])
    #expect(terminal.waitFor { !$0.text.contains("item 01") }, "\(terminal.screen.text)")
    terminal.type(bytes: [0x1B, 0x5B, 0x4D, 0x60, 0x7F, 0x2A])
    #expect(terminal.waitFor("item 01"), "\(terminal.screen.text)")
    terminal.type("G")
    #expect(terminal.waitFor("item 99"), "what follows a report is typed")
  }

  @Test func `a report that arrives in parts is not typed text`() throws {
    let terminal = try open("screen")
    terminal.type("\u{1B}[<65;1")
    usleep(20_000)
    terminal.type("0;10M")
    #expect(terminal.waitFor { !$0.text.contains("item 01") }, "\(terminal.screen.text)")
    #expect(terminal.screen.text.contains("item 04"))
  }

  @Test func `a double click opens, a click on a title sorts, a click on a hint runs it`() throws {
    let terminal = try open("tmux-256color")
    let title = try #require(terminal.screen.lines[1].range(of: "size"))
    let x = terminal.screen.lines[1].distance(
      from: terminal.screen.lines[1].startIndex, to: title.lowerBound)
    terminal.type(report(0, x + 1, 2) + report(0, x + 1, 2, "m"))
    #expect(terminal.waitFor("by size ↑"), "\(terminal.screen.text)")
    let line = report(0, 10, 5) + report(0, 10, 5, "m")
    terminal.type(line + line)
    #expect(
      terminal.waitFor { $0.text.contains("Identity") && $0.lines[23].contains("back") },
      "\(terminal.screen.text)")
    let hints = terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    let column = try #require(hints[23].range(of: "back"))
    let hint = hints[23].distance(from: hints[23].startIndex, to: column.lowerBound)
    terminal.type(report(0, hint + 1, 24))
    #expect(terminal.waitFor { !$0.text.contains("Identity") }, "\(terminal.screen.text)")
  }

  @Test func `the mouse is off with --no-mouse, and every way out turns it off`() throws {
    let quiet = try open("xterm-256color", "--no-mouse")
    #expect(!quiet.screen.reportsMouse)
    quiet.type(report(65, 10, 10) + "j")
    #expect(quiet.waitFor("▌  item 02"), "\(quiet.screen.text)")
    for way in ["q", "term", "crash"] {
      let terminal = try open("screen")
      #expect(terminal.screen.reportsMouse)
      switch way {
      case "term": terminal.send(SIGTERM)
      case "crash": terminal.send(SIGSEGV)
      default: terminal.type(way)
      }
      #expect(terminal.waitFor { !$0.reportsMouse }, "after \(way)")
    }
  }
}
