import CSQLite
import GRDBSQLite
import ObjectModel
import TestSupport
import Testing

@testable import SQLiteStore

struct TextBoundTests {
  /// Random bytes of up to 20 letters, few of them, so that many texts are nearly equal.
  private static func text(using random: inout SeededGenerator) -> [UInt8] {
    let letters: [String] = [
      "a", "A", "b", "ä", "Æ", "ß", "Ж", "\u{301}", "1", "9", " ", "~", "\0", "日",
    ]
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      text += Array((letters.randomElement(using: &random) ?? "").utf8)
    }
    return Bool.random(using: &random) ? Array(text.prefix(9)) : text
  }

  private static func isExcluded(_ text: [UInt8], by bound: TextBound) -> Bool {
    withValue(text) { cs_isExcluded(bound.known, $0) != 0 }
  }

  private static func withValue<Result>(
    _ text: [UInt8], _ body: (UnsafePointer<cs_value>) -> Result
  ) -> Result {
    text.withUnsafeBytes { bytes in
      let value = cs_value(
        bytes: bytes.baseAddress, count: Int64(bytes.count), number: 0, type: SQLITE_TEXT)
      return withUnsafePointer(to: value, body)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no text is excluded that comes before the bound`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let options: TextFolding.Options =
      [[.case], .localized, TextFolding.Options.localized.union(.numeric)]
      .randomElement(using: &random) ?? []
    let isDescending = Bool.random(using: &random)
    func folded(_ text: [UInt8]) -> [UInt8] {
      var folded: [UInt8] = []
      text.withUnsafeBufferPointer { TextFolding.fold($0, options, into: &folded) }
      return folded
    }
    func comesAfter(_ text: [UInt8], _ last: [UInt8]) -> Bool {
      ByteOrder.compare(folded(text), folded(last)) * (isDescending ? -1 : 1) > 0
    }
    let bound = TextBound(column: 0, folding: options, isDescending: isDescending)
    var last = Self.text(using: &random)
    var excludedCount = 0
    for _ in 0..<20 {
      let text = Self.text(using: &random)
      if !comesAfter(text, last) { last = text }
      bound.move(to: folded(last).first)
      for _ in 0..<200 {
        let text = Self.text(using: &random)
        if Self.isExcluded(text, by: bound) {
          excludedCount += 1
          #expect(comesAfter(text, last), "\(text) \(last)")
        } else if comesAfter(text, last) {
          Self.withValue(text, bound.exclude)
        }
      }
    }
    #expect(excludedCount > 100, "\(options)")
  }

  @Test func `only texts that were excluded are known`() {
    var random = SeededGenerator(seed: 7)
    let bound = TextBound(column: 0, folding: nil, isDescending: false)
    var known: Set<[UInt8]> = []
    var found = 0
    for _ in 0..<20_000 {
      let text = Self.text(using: &random)
      if Self.isExcluded(text, by: bound) {
        found += 1
        #expect(known.contains(text) && text.count < 16)
      }
      guard Bool.random(using: &random) else { continue }
      Self.withValue(text, bound.exclude)
      known.insert(text)
    }
    #expect(found > 100)
  }
}
