import TerminalKit
import TestSupport
import Testing

@Suite struct PromptTests {
  private func prompt(_ text: String, _ keys: Key...) -> Prompt {
    var prompt = Prompt(label: "/", text: text)
    for key in keys { _ = prompt.handle(key) }
    return prompt
  }

  @Test func `keys insert and delete at the cursor`() {
    #expect(prompt("ab", .left, .character("x")).text == "axb")
    #expect(prompt("abc", .backspace).text == "ab")
    #expect(prompt("abc", .home, .delete).text == "bc")
    #expect(prompt("abc", .home, .backspace).text == "abc")
    #expect(prompt("one two_x", .control("w")).text == "one ")
    #expect(prompt("one two  ", .control("w")).text == "one ")
    #expect(prompt("one two", .meta("b"), .control("u")).text == "two")
    #expect(prompt("one two", .control("a"), .meta("f"), .control("k")).text == "one")
    #expect(prompt("ab", .right, .right, .character("c")).text == "abc")
  }

  @Test func `the cursor moves and deletes by whole graphemes`() {
    #expect(prompt("a👨‍👩‍👧‍👦b", .left, .left, .character("x")).text == "ax👨‍👩‍👧‍👦b")
    #expect(prompt("a👨‍👩‍👧‍👦", .backspace).text == "a")
    let joined = prompt("e", .character("\u{301}"))
    #expect(joined.text == "e\u{301}")
    #expect(joined.cursor == 1)
  }

  @Test func `each kind of key returns its own outcome`() {
    var prompt = Prompt(text: "x")
    #expect(prompt.handle(.enter) == .submitted)
    #expect(prompt.handle(.escape) == .cancelled)
    #expect(prompt.handle(.tab) == .complete)
    #expect(prompt.handle(.function(3)) == .ignored)
    #expect(prompt.handle(.left) == .moved)
    #expect(prompt.handle(.delete) == .changed)
  }

  @Test func `arrows move through the history and back to the typed text`() {
    var prompt = Prompt(text: "new", history: ["first", "second"])
    #expect(prompt.handle(.down) == .moved)
    _ = prompt.handle(.up)
    #expect(prompt.text == "second")
    _ = prompt.handle(.up)
    _ = prompt.handle(.up)
    #expect(prompt.text == "first")
    _ = prompt.handle(.down)
    _ = prompt.handle(.down)
    #expect(prompt.text == "new")
    prompt.remember()
    prompt.remember()
    #expect(prompt.history == ["first", "second", "new"])
  }

  @Test func `completion replaces the text before the cursor`() {
    var prompt = Prompt(text: "surnme == 1")
    _ = prompt.handle(.home)
    _ = prompt.handle(.meta("f"))
    #expect(prompt.textBeforeCursor == "surnme")
    prompt.replaceBeforeCursor(6, with: "surname")
    #expect(prompt.text == "surname == 1")
    #expect(prompt.cursor == 7)
    prompt.replaceBeforeCursor(99, with: "")
    #expect(prompt.text == " == 1")
  }

  @Test func `a paste becomes one line, says so, and shows its control characters`() {
    var prompt = Prompt(label: "/")
    prompt.paste("a\nb\u{1B}[c")
    #expect(prompt.text == "a b\u{1B}[c")
    #expect(prompt.pasteNote == "1 line break became a blank")
    var canvas = Canvas(size: Size(width: 20, height: 1))
    #expect(prompt.draw(in: &canvas, y: 0) == Point(x: 9, y: 0))
    #expect(canvas.text == " / a b␛[c")
  }

  @Test(arguments: [
    ("42\n", "42", "1 line break left out"),
    ("\r\na\r\n\r\nb", "a b", "3 line breaks became blanks"),
    ("a\tb", "a\tb", nil),
  ])
  func `a paste into one line says what becomes of its line breaks, until the next key`(
    pasted: String, text: String, note: String?
  ) {
    var prompt = Prompt()
    prompt.paste(pasted)
    #expect(prompt.text == text && prompt.pasteNote == note)
    _ = prompt.handle(.left)
    #expect(prompt.pasteNote == nil)
  }

  @Test(arguments: [true, false])
  func `line breaks that are kept are drawn as signs and deleted as one character`(
    isUnicode: Bool
  ) {
    let text = "one\r\ntwo\n\tthree\r"
    var prompt = Prompt(lineBreaks: .kept)
    prompt.paste(text)
    #expect(Array(prompt.text.utf8) == Array(text.utf8) && prompt.pasteNote == nil)
    let look = Look(TerminalCapabilities(colorSupport: .none, isUnicode: isUnicode))
    var canvas = Canvas(size: Size(width: 40, height: 1), look: look)
    prompt.draw(in: &canvas, y: 0)
    #expect(
      canvas.text.contains(isUnicode ? "one␍␊two␊␉three␍" : "one^M^Jtwo^J^Ithree^M"),
      "\(canvas.text)")
    for _ in 0..<12 { _ = prompt.handle(.backspace) }
    #expect(prompt.text == "one")
  }

  @Test func `a long text scrolls to keep the cursor visible`() {
    var prompt = Prompt(label: ":", text: "東京都大阪府北海道")
    var canvas = Canvas(size: Size(width: 12, height: 1))
    let end = prompt.draw(in: &canvas, y: 0)
    #expect(end.x < 12)
    #expect(canvas.text.hasSuffix("海道"))
    _ = prompt.handle(.home)
    #expect(prompt.draw(in: &canvas, y: 0) == Point(x: 3, y: 0))
    #expect(canvas.text.hasPrefix(" : 東京都"))
  }

  @Test func `random keys keep the cursor inside the text and the screen`() {
    var generator = SeededGenerator(seed: 5)
    let keys: [Key] = [
      .character("a"), .character("東"), .character("\u{301}"), .character("👍🏽"), .left, .right,
      .home, .end, .backspace, .delete, .up, .down, .control("w"), .control("u"), .meta("b"),
    ]
    var prompt = Prompt(label: "find", history: ["x", "東京"])
    for _ in 0..<2000 {
      _ = prompt.handle(keys[.random(in: 0..<keys.count, using: &generator)])
      #expect((0...prompt.text.count).contains(prompt.cursor))
      let width = Int.random(in: 0...14, using: &generator)
      var canvas = Canvas(size: Size(width: width, height: 1))
      let point = prompt.draw(in: &canvas, y: 0)
      #expect(point.x < max(width, 1))
    }
  }
}
