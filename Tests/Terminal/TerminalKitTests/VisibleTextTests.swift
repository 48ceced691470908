import TerminalKit
import TestSupport
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("a\u{1B}[31mb", "a␛[31mb", "a^[[31mb"),
    ("line\nnext\ttab\r\n", "line␊next␉tab␍␊", "line^Jnext^Itab^M^J"),
    ("\u{0}\u{7F}", "␀␡", "^@^?"), ("\u{9B}31m", "‹9B›31m", "<9B>31m"),
    ("abc\u{202E}def", "abc‹202E›def", "abc<202E>def"),
    ("\u{2066}x\u{2069}", "‹2066›x‹2069›", "<2066>x<2069>"),
    ("pass\u{200B}word", "pass‹200B›word", "pass<200B>word"),
    ("a\u{200D}b", "a‹200D›b", "a<200D>b"),
    ("\u{FEFF}x", "‹FEFF›x", "<FEFF>x"), ("so\u{AD}ft", "so‹AD›ft", "so<AD>ft"),
    ("a\u{2028}b", "a␤b", "a^Jb"), ("x\u{E0041}", "x‹E0041›", "x<E0041>"),
    ("\u{301}a", "◌\u{301}a", "?a"), ("é", "é", "?"), ("大", "大", "??"),
  ])
  func `control and invisible characters are replaced with visible symbols`(
    text: String, unicode: String, ascii: String
  ) {
    #expect(Signs.unicode.visible(text) == unicode)
    #expect(Signs.ascii.visible(text) == ascii)
  }

  @Test(arguments: ["👨‍👩‍👧‍👦", "👩🏽‍🚀", "❤️‍🔥", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "क्‍ष", "e\u{301}", "🇳🇴"])
  func `joiners and selectors are kept where a script or an emoji needs them`(text: String) {
    #expect(Signs.unicode.visible(text) == text)
  }

  @Test func `at most eight combining marks are kept on a character`() {
    let marked = "a" + String(repeating: "\u{301}", count: 1000) + "b"
    let shown = Signs.unicode.visible(marked)
    #expect(shown.unicodeScalars.count == 10)
    #expect(displayWidth(of: shown) == 2)
  }

  @Test func `escaped text contains no control or bidi characters`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<20 {
        let value = UInt32.random(in: 0...0x2FFF, using: &generator)
        text.unicodeScalars.append(Unicode.Scalar(value) ?? " ")
      }
      for signs in [Signs.unicode, .ascii] {
        for scalar in signs.visible(text).unicodeScalars {
          #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
          #expect(![0x202A, 0x202E, 0x2066, 0x2069, 0x200E, 0x200F, 0xFEFF].contains(scalar.value))
        }
      }
      #expect(Signs.ascii.visible(text).allSatisfy { $0.isASCII })
    }
  }

  @Test func `only the visible beginning of a long text is read`() {
    let long = String(repeating: "é\u{1B}", count: 2_000_000)
    #expect(Signs.unicode.visible(long, columns: 20).unicodeScalars.count < 1000)
    #expect(Signs.unicode.cut(long, to: 5) == "é␛é␛…")
    let marked = "x" + String(repeating: "\u{301}", count: 3_000_000)
    #expect(Signs.unicode.visible(marked, columns: 20).unicodeScalars.count < 1000)
  }
}
