import ObjectModel
import TestSupport
import Testing

@testable import SQLiteStore

struct FirstTextsTests {
  /// Random bytes of up to 20 letters, few of them, so that many texts are nearly equal.
  private static func text(using random: inout SeededGenerator) -> [UInt8] {
    let letters: [String] = ["a", "A", "b", "ä", "\u{301}", "1", "9", " ", "\0", "日"]
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      text += Array((letters.randomElement(using: &random) ?? "").utf8)
    }
    return Bool.random(using: &random) ? Array(text.prefix(9)) : text
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no text is rejected that is among the first ones`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let options: TextFolding.Options =
      [[.case], .localized, TextFolding.Options.localized.union(.numeric)]
      .randomElement(using: &random) ?? []
    let isDescending = Bool.random(using: &random)
    let limit = Int.random(in: 1...20, using: &random)
    let texts = (0..<500).map { _ in Self.text(using: &random) }
    let first = FirstTexts(limit: limit, options: options, isDescending: isDescending)
    let rejected = texts.filter { text in
      !text.withUnsafeBufferPointer(first.admits)
    }
    func folded(_ text: [UInt8]) -> [UInt8] {
      var folded: [UInt8] = []
      text.withUnsafeBufferPointer { TextFolding.fold($0, options, into: &folded) }
      return folded
    }
    let order = texts.map(folded).sorted {
      ByteOrder.compare($0, $1) * (isDescending ? -1 : 1) < 0
    }
    for text in rejected.map(folded) {
      let order = ByteOrder.compare(order[limit - 1], text)
      #expect(isDescending ? order > 0 : order < 0)
    }
    #expect(rejected.count > 300)
  }

  @Test func `only texts that were rejected are known`() {
    var random = SeededGenerator(seed: 7)
    var rejected = RejectedTexts()
    var known: Set<[UInt8]> = []
    var found = 0
    for _ in 0..<20_000 {
      let text = Self.text(using: &random)
      if text.withUnsafeBufferPointer(rejected.contains) {
        found += 1
        #expect(known.contains(text) && text.count < 16)
      }
      guard Bool.random(using: &random) else { continue }
      text.withUnsafeBufferPointer { rejected.insert($0) }
      known.insert(text)
    }
    #expect(found > 100)
  }
}
