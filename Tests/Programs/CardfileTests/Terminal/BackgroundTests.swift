import Foundation
import TestSupport
import Testing

/// The question for the terminal's background, on terminals that answer early, late or never.
@Suite(.serialized, .hangs(afterMinutes: 2)) struct TerminalBackgroundTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  private static let white = "\u{1B}]11;rgb:ffff/ffff/ffff"
  private static let dark = "\u{1B}]11;rgb:1e1e/1e1e/1e1e"

  private func openPeople(_ kind: String = "xterm-256color") throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      store, "person", "--sort", "name", environment: ["TERM": kind])
    try #require(
      terminal.waitFor { $0.text.contains("zoe") && $0.text.contains("? help") },
      "\(terminal.screen.text)")
    return terminal
  }

  /// Whether the row under the cursor is on the background of the light, or of the dark theme.
  private func isLight(_ screen: ScreenReader) -> Bool {
    screen.colors.contains { $0.contains("48;5;254") }
  }

  private func isDark(_ screen: ScreenReader) -> Bool {
    screen.colors.contains { $0.contains("48;5;236") }
  }

  @Test(arguments: [white + "\u{1B}\\", white + "\u{7}"])
  func `a light terminal gets the light theme, and its answer is not typed`(answer: String) throws {
    let terminal = try openPeople()
    #expect(terminal.screen.commands.contains { $0.hasPrefix("11;?") })
    #expect(isDark(terminal.screen) && !isLight(terminal.screen))
    let text = terminal.screen.text
    terminal.type(answer)
    #expect(terminal.waitFor(isLight), "\(terminal.screen.colors)")
    #expect(terminal.screen.text == text)
    terminal.type("j")
    #expect(terminal.waitFor { $0.lines.contains { $0.hasPrefix("▌  Björn") } })
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
  }

  @Test func `a dark terminal and one that does not answer keep the dark theme`() throws {
    let terminal = try openPeople()
    terminal.type(Self.dark + "\u{7}j")
    #expect(terminal.waitFor { $0.lines.contains { $0.hasPrefix("▌  Björn") } })
    #expect(isDark(terminal.screen) && !isLight(terminal.screen))
    let silent = try openPeople()
    silent.type("jq")
    #expect(silent.waitForEnd() == .exit(0))
    #expect(!isLight(silent.screen))
  }

  @Test(arguments: ["vt100", "linux"])
  func `a terminal that would print the question is not asked`(kind: String) throws {
    let terminal = try openPeople(kind)
    #expect(!terminal.screen.commands.contains { $0.hasPrefix("11;") })
  }

  @Test func `an answer that comes when the program ends is not typed into the shell`() throws {
    let terminal = try PseudoTerminal(
      shell: "TERM=xterm-256color $CARDFILE \(store) person; read -t 1 -n 1 c; echo \"got=[$c]\"")
    try #require(terminal.waitFor { $0.text.contains("zoe") && $0.text.contains("? help") })
    // The key ends the program before it has read the answer.
    terminal.type("q" + Self.white + "\u{7}")
    #expect(terminal.waitFor("got=[]"), "\(terminal.screen.text)")
  }
}
