import Foundation
import TerminalKit
import Testing

@Suite struct LibcWidthTests {
  /// The type of libc's `wcwidth`, which ncurses uses; the module `Glibc` does not export it.
  private typealias Measure = @convention(c) (Int32) -> Int32

  @Test func `display widths agree with libc's wcwidth`() throws {
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let measure = unsafeBitCast(symbol, to: Measure.self)
    let unicode = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    let former = uselocale(unicode)
    defer {
      uselocale(former)
      freelocale(unicode)
    }
    let text = """
      Jónsdóttir Łuczak Søren Þór 大阪 さくら 太郎 東京 한국어 ａｂｃ ｱｲｳ \
      ─│┌┐└┘▌…·●↑↓∅→⇉⏎›✓▶◀▲▼⠋⠙⠹␛␊␉◌‹› नमस्ते ไทย עברית العربية 😀👍🏔
      """
    for scalar in text.unicodeScalars {
      let code = String(scalar.value, radix: 16)
      #expect(displayWidth(of: Character(scalar)) == Int(measure(Int32(scalar.value))), "U+\(code)")
    }
  }
}
