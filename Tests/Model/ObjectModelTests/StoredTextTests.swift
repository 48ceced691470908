import Testing

@testable import ObjectModel

/// Whether stored bytes are UTF-8, beside the answer of Swift's own strings.
struct StoredTextTests {
  @Test("Every pair of first bytes, with and without the bytes that belong behind it")
  func pairs() {
    let ends: [[UInt8]] = [
      [], [0x80], [0x80, 0x80], [0xBF, 0xBF, 0x41], [0x41, 0x41, 0x41], [0x80, 0x41, 0x80, 0x41],
    ]
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for end in ends { expectSame([first, second] + end) }
      }
    }
  }

  @Test("Random texts, cut off anywhere, with a byte that was changed")
  func randomTexts() {
    let signs = [
      "a", "card file ", "é", "ï", "大", "阪市", "😀", "👩", "\u{7FF}", "\u{FFFF}", "\u{10FFFF}",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...12)).map { _ in signs.randomElement() ?? "" }
      var bytes = Array(text.joined().utf8)
      expectSame(bytes)
      expectSame(Array(bytes.dropLast(Int.random(in: 0...4))))
      expectSame(Array(bytes.dropFirst(Int.random(in: 0...4))))
      if let index = bytes.indices.randomElement() { bytes[index] = .random(in: 0...255) }
      expectSame(bytes)
    }
  }

  private func expectSame(_ bytes: [UInt8]) {
    let isUTF8 = bytes.withUnsafeBufferPointer { $0.isUTF8 }
    // Expecting each of them would take minutes.
    if isUTF8 != (String(validating: bytes, as: UTF8.self) != nil) {
      Issue.record("\(bytes) are UTF-8: \(isUTF8)")
    }
  }
}
