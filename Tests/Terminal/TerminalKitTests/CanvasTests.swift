import TerminalKit
import TestSupport
import Testing

@Suite struct CanvasTests {
  private func canvas(_ width: Int, _ height: Int = 1) -> Canvas {
    Canvas(size: Size(width: width, height: height))
  }

  @Test func `text is drawn at its position and clipped at the edges`() {
    var canvas = canvas(6, 2)
    #expect(canvas.put("hello", x: 3, y: 1) == 3)
    #expect(canvas.put("x", x: 0, y: 5) == 0)
    canvas.put("abc", x: -2, y: 0)
    #expect(canvas.text == "c\n   hel")
  }

  @Test func `overwriting half of a wide grapheme blanks the other half`() {
    var canvas = canvas(6)
    canvas.put("東京都", x: 0, y: 0)
    #expect(canvas[1, 0].character == nil)
    canvas.put("a", x: 1, y: 0)
    #expect(canvas.text == " a京都")
    canvas.put("b", x: 4, y: 0)
    #expect(canvas.text == " a京b")
    canvas.put("大", x: 2, y: 0)
    canvas.put("大", x: 3, y: 0)
    #expect(canvas.text == " a 大")
  }

  @Test func `a wide grapheme crossing the edge is drawn as a blank`() {
    var canvas = canvas(3)
    canvas.put("xxx", x: 0, y: 0)
    canvas.put("東京", x: 0, y: 0)
    #expect(canvas.lines == ["東"])
    canvas.put("大", x: -1, y: 0)
    #expect(canvas[0, 0].character == " ")
  }

  @Test func `drawing in a viewport is clipped by it`() {
    var canvas = canvas(10, 4)
    canvas.fill(Rect(x: 0, y: 0, width: 10, height: 4), with: ".")
    canvas.within(Rect(x: 2, y: 1, width: 5, height: 2)) { inside in
      #expect(inside.size == Size(width: 5, height: 2))
      inside.put("0123456789", x: 0, y: 0)
      inside.within(Rect(x: 3, y: 1, width: 50, height: 50)) { inner in
        #expect(inner.size == Size(width: 2, height: 1))
        inner.fill(Rect(x: -5, y: -5, width: 90, height: 90), with: "#")
      }
    }
    #expect(canvas.lines == ["..........", "..01234...", ".....##...", ".........."])
  }

  @Test func `random drawing keeps every grapheme followed by its continuation cells`() {
    var generator = SeededGenerator(seed: 3)
    let texts = ["a", "東京", "👨‍👩‍👧‍👦x", "क्षत्रिय", "e\u{301}", "\u{1B}[", "plain text"]
    for _ in 0..<200 {
      var canvas = canvas(
        .random(in: 0...12, using: &generator), .random(in: 0...3, using: &generator))
      for _ in 0..<20 {
        let x = Int.random(in: -4...14, using: &generator)
        let y = Int.random(in: -1...4, using: &generator)
        let part = Rect(
          x: .random(in: -2...4, using: &generator), y: .random(in: -1...2, using: &generator),
          width: .random(in: 0...9, using: &generator), height: 3)
        let text = texts[Int.random(in: 0..<texts.count, using: &generator)]
        canvas.within(part) { $0.put(text, x: x, y: y) }
      }
      for line in 0..<canvas.bounds.height {
        var x = 0
        while x < canvas.bounds.width {
          let character = canvas[x, line].character
          #expect(character != nil)
          let columns = max(displayWidth(of: character ?? " "), 1)
          for next in (x + 1)..<(x + columns) { #expect(canvas[next, line].character == nil) }
          x += columns
        }
      }
    }
  }

  @Test func `a box has corners, edges and a title`() {
    var canvas = canvas(14, 3)
    canvas.box(Rect(x: 0, y: 0, width: 14, height: 3), title: "Save?")
    #expect(canvas.lines == ["┌─ Save? ────┐", "│            │", "└────────────┘"])
  }

  @Test func `the style layer has a letter for each style and a legend`() {
    var canvas = canvas(5)
    canvas.put("ab", x: 0, y: 0, style: Style(.bold))
    canvas.put("c", x: 3, y: 0, style: Style([.reverse], foreground: .red))
    canvas.overlay(Rect(x: 1, y: 0, width: 1, height: 1), style: Style(.underline))
    #expect(canvas.styleLayer == "ab.c\na = bold\nb = bold underline\nc = reverse red")
  }
}

@Suite struct ColorTests {
  @Test(arguments: [
    ("#EFCDB8", Color.rgb(red: 0xEF, green: 0xCD, blue: 0xB8)),
    ("f00", .rgb(red: 255, green: 0, blue: 0)),
  ])
  func `hexadecimal digits are parsed as a colour`(hex: String, color: Color) {
    #expect(Color(hex: hex) == color)
  }

  @Test(arguments: ["", "#", "12345", "#GGGGGG", "#1234567", "##123456", "１２３"])
  func `other texts are not parsed as a colour`(hex: String) {
    #expect(Color(hex: hex) == nil)
  }

  @Test func `colours of medium brightness are readable on every background`() {
    #expect(Color(hex: "#C4501B")?.isReadable == true && Color.standard.isReadable)
    #expect(Color(hex: "#FFFF00")?.isReadable == false)
    #expect(Color(hex: "#000080")?.isReadable == false)
  }

  @Test func `a terminal with fewer colours shows the nearest colour`() {
    let red = Color.rgb(red: 250, green: 5, blue: 5)
    #expect(red.degraded(to: .trueColor) == red)
    #expect(red.degraded(to: .palette) == .indexed(196))
    #expect(red.degraded(to: .sixteen) == .indexed(9))
    #expect(red.degraded(to: .eight) == .indexed(1))
    #expect(red.degraded(to: .none) == .standard)
    #expect(Color.indexed(12).degraded(to: .eight) == .indexed(4))
  }

  @Test func `without colours only bold, reverse and underline remain`() {
    let all = Style([.bold, .dim, .reverse, .underline, .italic, .strikethrough], foreground: .red)
    #expect(all.degraded(to: .none) == Style([.bold, .reverse, .underline]))
    let theme = Theme(.none)
    for style in [theme.cursorRow, theme.deletedRow, theme.flashInserted, theme.strip, theme.error]
    {
      #expect(style.degraded(to: .none) == style)
    }
  }
}
