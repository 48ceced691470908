import Foundation
import TestSupport
import Testing

/// The program on a real terminal. Few and one at a time: each holds a process and waits for its
/// screen.
@Suite(.serialized, .hangs(afterMinutes: 2))
struct BrowserTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  /// The kinds of terminals: without colours and mouse, with both, and a multiplexer with the older
  /// mouse reports.
  private static let kinds = ["vt100", "xterm-256color", "screen"]

  /// Opens the people by name and waits for the list.
  private func openPeople(kind: String = "vt100") throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      store, "person", "--sort", "name", environment: ["TERM": kind])
    // The last row of the list and the line under it: the whole screen is there.
    try #require(
      terminal.waitFor { $0.text.contains("zoe") && $0.text.contains("? help") },
      "\(terminal.screen.text)")
    return terminal
  }

  @Test(arguments: kinds)
  func `the first screen shows objects, and q restores the terminal`(kind: String) throws {
    let terminal = try openPeople(kind: kind)
    #expect(terminal.screen.lines[0].contains("people.sqlite › person"), "\(terminal.screen.text)")
    for name in ["Ana", "Björn", "Émile", "zoe"] { #expect(terminal.screen.text.contains(name)) }
    #expect(!terminal.isInLineMode)
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
    #expect(terminal.isInLineMode)
  }

  @Test(arguments: kinds)
  func `the hardware cursor is on the row that keys move it to`(kind: String) throws {
    let terminal = try openPeople(kind: kind)
    func row(_ name: String) -> Int? { terminal.screen.lines.firstIndex { $0.contains(name) } }
    #expect(terminal.waitFor { $0.cursor.y == row("Ana") })
    terminal.type("j")
    #expect(terminal.waitFor { $0.cursor.y == row("Björn") })
    terminal.type("G")
    #expect(terminal.waitFor { $0.cursor.y == row("zoe") })
    terminal.type("\r")
    #expect(terminal.waitFor("Relationships"), "\(terminal.screen.text)")
    terminal.type("q")
    #expect(terminal.waitFor("Björn"))
  }

  @Test(arguments: kinds)
  func `a resize is drawn at once`(kind: String) throws {
    let terminal = try openPeople(kind: kind)
    terminal.resize(columns: 60, rows: 12)
    #expect(
      terminal.waitFor { $0.lines[0].contains("person") && $0.text.contains("zoe") },
      "\(terminal.screen.text)")
    terminal.resize(columns: 120, rows: 40)
    #expect(
      terminal.waitFor { $0.lines[0].contains("person") && $0.text.contains("zoe") },
      "\(terminal.screen.text)")
  }

  @Test func `clicks and the wheel move the cursor, in both forms of reports`() throws {
    func row(_ name: String, _ screen: ScreenReader) -> Int? {
      screen.lines.firstIndex { $0.contains(name) }
    }
    let xterm = try openPeople(kind: "xterm-256color")
    let line = try #require(row("zoe", xterm.screen)) + 1
    xterm.type("\u{1B}[<0;5;\(line)M\u{1B}[<0;5;\(line)m")
    #expect(xterm.waitFor { $0.cursor.y == row("zoe", $0) }, "\(xterm.screen.text)")
    let screen = try openPeople(kind: "screen")
    let code = Unicode.Scalar(UInt8(32 + line))
    screen.type("\u{1B}[M %\(Character(code))\u{1B}[M#%\(Character(code))")
    #expect(screen.waitFor { $0.cursor.y == row("zoe", $0) }, "\(screen.screen.text)")
  }

  @Test(arguments: [
    SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
    SIGVTALRM, SIGPROF, SIGSYS, SIGIO, SIGPWR, 40,
  ])
  func `a signal restores the terminal`(signal: Int32) throws {
    let terminal = try openPeople(kind: "xterm-256color")
    #expect(terminal.screen.reportsMouse)
    terminal.send(signal)
    #expect(terminal.waitForEnd() != nil)
    #expect(terminal.isInLineMode, "after signal \(signal)")
    #expect(!terminal.screen.text.localizedCaseInsensitiveContains("backtrace"))
    #expect(!terminal.screen.reportsMouse, "after signal \(signal)")
  }

  @Test func `suspending leaves the modes that the shell had`() throws {
    let terminal = try PseudoTerminal(
      shell: """
        before=$(stty -g); TERM=xterm-256color $CARDFILE '\(store)' person
        [ "$before" = "$(stty -g)" ] && echo the same
        kill %1; read # What a shell wrote last is lost if it ends before that is read.
        """)
    try #require(terminal.waitFor("Björn"), "\(terminal.screen.text)")
    terminal.type("\u{1A}")
    #expect(terminal.waitFor("the same"), "\(terminal.screen.text)")
  }

  @Test func `a shell ends the stopped program, and keeps the terminal as it is`() throws {
    let terminal = try PseudoTerminal(
      shell: """
        TERM=xterm-256color $CARDFILE '\(store)' person
        before=$(stty -g); kill %1
        n=0; while kill -0 %1 2>/dev/null && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
        kill -0 %1 2>/dev/null && echo is there || echo is gone
        [ "$before" = "$(stty -g)" ] && echo the same; read
        """)
    try #require(terminal.waitFor("Björn"), "\(terminal.screen.text)")
    terminal.type("\u{1A}")
    #expect(terminal.waitFor("is gone"), "\(terminal.screen.text)")
    #expect(terminal.waitFor("the same"), "\(terminal.screen.text)")
  }

  @Test(arguments: [SIGXFSZ, SIGPIPE])
  func `a signal that the program ignores leaves the screen alone`(signal: Int32) throws {
    let terminal = try openPeople()
    terminal.send(signal)
    terminal.type("G")
    #expect(terminal.waitFor { $0.cursor.y == $0.lines.firstIndex { $0.contains("zoe") } })
    #expect(!terminal.isInLineMode)
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
  }

  @Test func `a closed terminal ends the program`() throws {
    let terminal = try openPeople()
    terminal.hangUp()
    #expect(terminal.waitForEnd() != nil)
  }

  @Test func `the screen is redrawn after suspending and resuming`() throws {
    let terminal = try PseudoTerminal(
      shell: "$CARDFILE '\(store)' person; echo suspended; read; fg >/dev/null; echo ended")
    try #require(terminal.waitFor("Björn"), "\(terminal.screen.text)")
    terminal.type("\u{1A}")
    #expect(terminal.waitFor("suspended"), "\(terminal.screen.text)")
    #expect(terminal.isInLineMode)
    terminal.resize(columns: 80, rows: 24)  // an empty screen to look at
    terminal.type("\n")
    #expect(terminal.waitFor("Björn"), "\(terminal.screen.text)")
    #expect(!terminal.isInLineMode)
    terminal.type("q")
    #expect(terminal.waitFor("ended"))
    #expect(terminal.isInLineMode)
  }

  @Test func `nothing is written before y, which deletes the marked objects`() throws {
    let terminal = try PseudoTerminal(store, "pet", "--sort", "name")
    try #require(terminal.waitFor("Rex"))
    terminal.type("d")  // Ada
    #expect(terminal.waitFor("D1"), "\(terminal.screen.text)")
    terminal.type("W")
    #expect(terminal.waitFor("Save changes?"), "\(terminal.screen.text)")
    #expect(
      try Database.strings(store, "SELECT name FROM pet ORDER BY id") == ["Rex", "Tom", "Ada"])
    #expect(
      terminal.type("y", until: { !$0.text.contains("Save changes?") && !$0.text.contains("D1") }),
      "\(terminal.screen.text)")
    #expect(try Database.strings(store, "SELECT name FROM pet ORDER BY id") == ["Rex", "Tom"])
  }

  @Test func `rows that another process writes appear by themselves`() throws {
    let terminal = try openPeople()
    try Database.write(store, "INSERT INTO person(id, name) VALUES (9, 'Carmen')")
    #expect(terminal.waitFor("Carmen"), "\(terminal.screen.text)")
    try Database.write(store, "DELETE FROM person WHERE id = 9")
    #expect(terminal.waitFor { !$0.text.contains("Carmen") })
  }

  @Test func `the error of an unreadable store is printed without opening the screen`() throws {
    let terminal = try PseudoTerminal(folder.path("missing.sqlite"))
    #expect(terminal.waitForEnd() == .exit(3))
    #expect(terminal.screen.text.contains("cardfile: "))
    #expect(terminal.isInLineMode)
  }

  @Test func `the demo opens the list of colours`() throws {
    let terminal = try PseudoTerminal("demo", environment: ["XDG_DATA_HOME": folder.path("data")])
    #expect(terminal.waitFor("Acorn Cap"), "\(terminal.screen.text)")
    // Colours are cells of a grid, with their values below.
    #expect(
      terminal.waitFor {
        $0.text.contains(/Acorn Cap +Afternoon Tea/) && $0.text.contains(/#8A5A33 +#B5763B/)
      }, "\(terminal.screen.text)")
  }

  @Test func `the first start shows what to try, once and until a key`() throws {
    let environment = [
      "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
    ]
    let first = try PseudoTerminal("demo", environment: environment)
    #expect(first.waitFor("To begin with"), "\(first.screen.text)")
    #expect(first.waitFor("? shows every key"), "\(first.screen.text)")
    first.type("j")
    #expect(first.waitFor { !$0.text.contains("To begin with") })
    first.type("q")
    #expect(first.waitForEnd() == .exit(0))
    let second = try PseudoTerminal("demo", environment: environment)
    #expect(second.waitFor("Acorn Cap"), "\(second.screen.text)")
    #expect(!second.screen.text.contains("To begin with"))
  }

  @Test func `the demo has a list for each of its programs, with what to try in it`() throws {
    let terminal = try PseudoTerminal("demo", environment: ["XDG_DATA_HOME": folder.path("data")])
    #expect(terminal.waitFor("Acorn Cap"), "\(terminal.screen.text)")
    terminal.type("E")
    #expect(terminal.waitFor("Relationships"), "\(terminal.screen.text)")
    let hasAll = terminal.waitFor { screen in
      ["Color", "DVD", "Moment", "Note", "Person"].allSatisfy { entity in
        screen.lines.contains { $0.dropFirst(3).hasPrefix(entity) }
      }
    }
    #expect(hasAll, "\(terminal.screen.text)")
    terminal.type("/note\r\r")
    #expect(terminal.waitFor("2026-11"), "\(terminal.screen.text)")
    #expect(terminal.waitFor("Things lent"), "\(terminal.screen.text)")
    terminal.type("/coffee\r")
    #expect(terminal.waitFor("6 of 38"), "\(terminal.screen.text)")
  }

  @Test func `an address is a link of the terminal, and other text is not`() throws {
    let long = "https://example.com/" + String(repeating: "path/", count: 30)
    let path = try folder.database(
      "links.sqlite",
      """
      CREATE TABLE page(id INTEGER PRIMARY KEY, name TEXT, home TEXT, longer TEXT, bad TEXT);
      INSERT INTO page VALUES (1, 'one', 'https://example.com/a?b=c', '\(long)',
        'https://example.com/' || char(27) || ']0;x'), (2, 'two', 'javascript:x', 'none', NULL);
      """)
    let terminal = try PseudoTerminal(path, "page", environment: ["TERM": "xterm-256color"])
    try #require(terminal.waitFor("2 objects"), "\(terminal.screen.text)")
    terminal.type("\r")
    try #require(terminal.waitFor("Identity"), "\(terminal.screen.text)")
    let hasLinks = terminal.waitFor { screen in
      screen.commands.contains { $0.contains(";https://example.com/a?b=c") }
        && screen.commands.filter { $0.contains(";\(long)") }.count > 1
    }
    #expect(hasLinks, "\(terminal.screen.commands)")
    let first = terminal.screen.text
    #expect(first.contains("home        https://example.com/a?b=c"), "\(first)")
    let count = terminal.screen.commands.count
    #expect(terminal.screen.commands.allSatisfy { !$0.contains("]0;x") })
    terminal.type("J")
    try #require(terminal.waitFor("javascript:x"), "\(terminal.screen.text)")
    terminal.type("jj")
    #expect(terminal.waitFor { $0.lines.contains { $0.hasPrefix("▌ home") } })
    #expect(terminal.screen.commands.count == count, "\(terminal.screen.commands)")
    terminal.type("ggK")
    #expect(terminal.waitFor { $0.commands.count > count }, "\(terminal.screen.commands)")
    let plain = try PseudoTerminal(path, "page", environment: ["TERM": "vt100"])
    try #require(plain.waitFor("2 objects"), "\(plain.screen.text)")
    plain.type("\r")
    try #require(plain.waitFor("example.com"), "\(plain.screen.text)")
    #expect(plain.screen.commands.isEmpty)
  }

  @Test func `a copied cell reaches the clipboard of the terminal, where it has one`() throws {
    let xterm = try openPeople(kind: "xterm-256color")
    xterm.type("jyc")
    let wanted = "52;c;" + Data("Björn".utf8).base64EncodedString()
    #expect(xterm.waitFor { $0.commands.contains(wanted) }, "\(xterm.screen.commands)")
    #expect(xterm.waitFor("by the terminal"))
    let plain = try openPeople(kind: "vt100")
    plain.type("yc")
    #expect(plain.waitFor("this terminal has no clipboard"))
    #expect(plain.screen.commands.isEmpty)
  }

  @Test func `a copied cell is given to a clipboard tool where there is one`() throws {
    let tool = folder.url("wl-copy")
    let copied = folder.url("copied.txt")
    try Data("#!/bin/sh\ncat > '\(copied.path)'\n".utf8).write(to: tool)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
    let terminal = try PseudoTerminal(
      store, "person", "--sort", "name",
      environment: [
        "PATH": folder.url("wl-copy").deletingLastPathComponent().path + ":/usr/bin:/bin",
        "WAYLAND_DISPLAY": "wayland-0",
      ])
    try #require(terminal.waitFor { $0.text.contains("zoe") && $0.text.contains("? help") })
    terminal.type("yc")
    #expect(terminal.waitFor("by wl-copy"), "\(terminal.screen.text)")
    #expect(try String(contentsOf: copied, encoding: .utf8) == "Ana")
  }
}
