import Foundation
import ObjectModel
import RowOutput
import TestSupport
import Testing

@testable import cardfile

struct OutputTextTests {
  private func json(_ value: Value) -> String {
    var bytes: [UInt8] = []
    JSONText.append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (Value.null, "null"), (.integer(.min), "-9223372036854775808"), (.double(0.1), "0.1"),
    (.double(-0.0), "-0.0"), (.double(.nan), "null"), (.double(-.infinity), "-1e999"),
    (.bool(true), "true"), (.string("é\"\\/\u{1}\u{7F}😀"), #""é\"\\/\u0001\u007f😀""#),
    (.data(Data([0, 255])), #""AP8=""#),
  ])
  func `each value is printed as JSON`(value: Value, text: String) { #expect(json(value) == text) }

  @Test func `any text and any double parse to an equal value`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      // Letters alone, ASCII with what is escaped, and other characters.
      let range: ClosedRange<UInt32> =
        [0x40...0x5B, 0...0x7F, 0...0x2FFF]
        .randomElement(using: &generator) ?? 0...0x7F
      let scalars = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: range, using: &generator))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let number = Double(bitPattern: .random(in: 0...UInt64.max, using: &generator))
      let read = try JSONSerialization.jsonObject(with: Data("[\(json(.string(text)))]".utf8))
      #expect(read as? [String] == [text])
      // JSONSerialization's own doubles are not exact.
      #expect(Double(json(.double(number))) == (number.isNaN ? nil : number))
    }
  }

  @Test(arguments: [
    (Value.double(.infinity), "1e999"), (.double(-.infinity), "-1e999"), (.double(.nan), ""),
    (.double(0.1), "0.1"), (.null, ""), (.data(Data([0, 255])), "AP8="),
  ])
  func `each value is printed as plain text`(value: Value, text: String) {
    #expect(value.plainText == text)
  }

  @Test func `csv quotes only what needs it`() {
    var bytes: [UInt8] = []
    CSVText.appendLine(["plain", nil, "", "a,b", "\"", "two\nlines", "é"], to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "plain,,\"\",\"a,b\",\"\"\"\",\"two\nlines\",é\r\n")
  }
}
