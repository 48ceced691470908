import TerminalKit
import Testing

@Suite struct WidthTests {
  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("大", 2), ("ａ", 2), ("ｱ", 1), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1161}", 0), ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇳🇴", 2),
    ("🇳", 1), ("❤️", 2), ("❤", 1), ("❤︎", 1), ("⌚", 2), ("⌚︎", 2), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🫩", 2),
    ("नि", 2), ("क्ष", 2), ("…", 1), ("─", 1), ("▌", 1), ("⏎", 1), ("ⓘ", 1), ("\u{AD}", 0),
    ("\u{3000}", 2), ("𠀀", 2), ("ﷺ", 1), ("\u{301}", 0),
  ])
  func `display widths of graphemes match terminals`(text: String, width: Int) {
    #expect(text.count == 1)
    #expect(displayWidth(of: text) == width)
  }

  @Test func `the width of text is the sum of its graphemes' widths`() {
    #expect(displayWidth(of: "") == 0)
    #expect(displayWidth(of: "plain ASCII") == 11)
    #expect(displayWidth(of: "東京 Tokyo 👨‍👩‍👧‍👦") == 13)
  }

  @Test func `fitted text has the exact width and whole graphemes`() {
    let texts = ["", "abc", "東京都", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "e\u{301}e\u{301}e\u{301}", "a東b京c", "क्षत्रिय"]
    for text in texts {
      let whole = Set(text)
      for columns in 0...9 {
        for alignment in [TextAlignment.left, .right, .center] {
          let fitted = Signs.unicode.fit(text, to: columns, alignment: alignment)
          #expect(displayWidth(of: fitted) == columns, "\(text) to \(columns)")
          #expect(fitted.allSatisfy { whole.contains($0) || $0 == " " || $0 == "…" })
        }
      }
    }
    #expect(Signs.unicode.cut("Jónsdóttir", to: 6) == "Jónsd…")
    #expect(Signs.unicode.cut("東京都", to: 4) == "東…")
    #expect(Signs.unicode.fit("17", to: 5, alignment: .right) == "   17")
    #expect(Signs.ascii.cut("Hansen, Ingrid", to: 7) == "Hansen~")
  }

  @Test func `numbers are grouped in threes by commas`() {
    #expect(groupedDigits(0) == "0")
    #expect(groupedDigits(1_000_000) == "1,000,000")
    #expect(groupedDigits(-123_456) == "-123,456")
    #expect(groupedDigits(Int.min) == "-9,223,372,036,854,775,808")
  }
}
