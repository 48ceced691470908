import TerminalKit
import Testing

enum TestAction: Hashable, Sendable {
  case down, up, pageDown, last, delete, save, filter, help, open
}

let testKeys = KeyMap<TestAction>([
  KeyBinding(
    .enter, .right, .character("l"), action: .open, section: .follow, help: "open", hint: "open"),
  KeyBinding(
    .character("j"), .down, .control("n"), action: .down, section: .move, help: "row down"),
  KeyBinding(.character("k"), .up, action: .up, section: .move, help: "row up"),
  KeyBinding(.control("f"), .pageDown, action: .pageDown, section: .move, help: "a page down"),
  KeyBinding(
    .character("G"), .end, action: .last, section: .move, label: "G 42G", help: "last row, row 42"),
  KeyBinding(
    .character("d"), action: .delete, section: .change, help: "mark for deletion", hint: "delete"),
  KeyBinding(
    .character("W"), .control("s"), action: .save, section: .change, help: "save…", hint: "save"),
  KeyBinding(.character("/"), action: .filter, section: .find, help: "filter", hint: "filter"),
  KeyBinding(.character("?"), action: .help, section: .other, help: "help", hint: "help"),
])

@Suite struct KeyMapTests {
  @Test func `a key map finds the action of a key`() {
    #expect(testKeys.action(for: .control("n")) == .down)
    #expect(testKeys.action(for: .character("J")) == nil)
    #expect(testKeys.sections.map(\.section) == [.move, .find, .follow, .change, .other])
  }

  @Test func `binding a key twice traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = KeyMap<Int>([
        KeyBinding(.tab, action: 1, section: .other, help: "one"),
        KeyBinding(.tab, action: 2, section: .other, help: "two"),
      ])
    }
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
    let some = testKeys.hints(.ascii, for: [.open, .down, .delete, .filter, .help])
    #expect(some.map(\.key) == ["Enter", "d", "/", "?"])
  }

  @Test func `the help filters its bindings and runs the selected one`() {
    var help = HelpPanel("Person list", map: testKeys)
    #expect(help.handle(.character("/")) == .open)
    for character in "save" { #expect(help.handle(.character(character)) == .open) }
    #expect(help.handle(.enter) == .run(.save))
    #expect(help.handle(.escape) == .open)
    #expect(help.filter == nil)
    _ = help.handle(.down)
    #expect(help.handle(.enter) == .run(.up))
    #expect(help.handle(.character("?")) == .closed)
  }
}
