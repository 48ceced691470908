import TerminalKit
import Testing

let testKeys = KeyMap([
  KeyCommand(.enter, .right, "l", section: .follow, help: "open", hint: "open") {},
  KeyCommand("j", .down, .control("n"), section: .move, help: "row down") {},
  KeyCommand("k", .up, section: .move, help: "row up") {},
  KeyCommand(.control("f"), .pageDown, section: .move, help: "a page down") {},
  KeyCommand("G", .end, section: .move, label: "G 42G", help: "last row, row 42") {},
  KeyCommand("d", section: .change, help: "mark for deletion", hint: "delete") {},
  KeyCommand("W", .control("s"), section: .change, help: "save…", hint: "save") {},
  KeyCommand("/", section: .find, help: "filter", hint: "filter") {},
  KeyCommand("?", section: .other, help: "help", hint: "help") {},
])

@MainActor
@Suite struct KeyMapTests {
  @Test func `a key map finds the command of a key`() {
    #expect(testKeys[.control("n")]?.help == "row down")
    #expect(testKeys["J"] == nil)
    #expect(testKeys.sections.map(\.section) == [.move, .find, .follow, .change, .other])
  }

  @Test func `of two commands with a key the later one has it, and one without keys is left out`() {
    let map = KeyMap([
      KeyCommand(.tab, section: .other, help: "one") {},
      KeyCommand("x", "y", section: .other, help: "two", hint: "two") {},
      KeyCommand(.tab, "x", section: .other, help: "three") {},
    ])
    #expect(map[.tab]?.help == "three" && map["y"]?.help == "two")
    #expect(map.commands.map(\.keys) == [["y"], [.tab, "x"]])
    #expect(map.hints(.unicode).map(\.key) == ["y"])
  }

  @Test func `digits before a command are its count`() {
    var prefix = CountPrefix()
    #expect(prefix.take(.character("0")) == false)
    #expect(prefix.take(.character("4")) == true)
    #expect(prefix.take(.character("0")) == true)
    #expect(prefix.take(.character("G")) == false)
    #expect(prefix.take(.character("٣")) == false)
    #expect(prefix.value == 40)
    #expect(prefix.finish() == 40)
    #expect(prefix.finish() == nil)
    for _ in 0..<50 { _ = prefix.take(.character("9")) }
    #expect(prefix.value == 1_000_000_000)
  }

  @Test func `the manual lists the key bindings by section`() {
    #expect(
      testKeys.manual.hasPrefix(
        """
        Move
          j ↓ C-n                 row down
          k ↑                     row up
          C-f PgDn                a page down
          G 42G                   last row, row 42

        Find
        """))
  }

  @Test func `the hint for the help stays when there is no room for all hints`() {
    let line = HintLine(testKeys.hints(.unicode))
    func drawn(_ width: Int) -> String {
      var canvas = Canvas(size: Size(width: width, height: 1))
      line.draw(in: &canvas, y: 0)
      return canvas.text
    }
    #expect(drawn(80) == " ⏎ open   d delete   W save   / filter   ? help")
    #expect(drawn(30) == " ⏎ open  d delete  ? help")
    #expect(drawn(8) == " ? help")
    #expect(drawn(3) == "")
    #expect(testKeys.hints(.ascii).map(\.key) == ["Enter", "d", "W", "/", "?"])
  }

  @Test func `the help filters its commands and runs the selected one`() {
    let help = HelpOverlay("Person list", map: testKeys)
    func outcome(_ key: Key) -> String? {
      switch help.handle(key) {
      case .stay, .present: "open"
      case .close: "closed"
      case .perform: help.selectedCommand?.help
      }
    }
    #expect(outcome("/") == "open")
    for character in "save" { #expect(outcome(.character(character)) == "open") }
    #expect(outcome(.enter) == "save…")
    #expect(outcome(.escape) == "open")
    #expect(help.filter == nil)
    #expect(outcome(.down) == "open" && outcome(.enter) == "row up")
    #expect(outcome("?") == "closed")
  }
}
