import ObjectModel
import TestSupport
import Testing

@testable import ObjectModel

/// The order and the initials of texts by the rules of a language.
@Suite struct TextCollationTests {
  private static let letters = Array(
    "abcdefghijklmnopqrstuvwxyzABCHLNSZäöåøéèčçñłđæœßžŽÅÄÖØÆþðıijиЙйаЯαΆω中文あア0159-_ '’é\u{301}")

  @Test(arguments: [
    ("und-x-icu", ""), ("de-x-icu", "de"), ("en_US.utf8", "en_US"), ("sv-SE-x-icu", "sv-SE"),
  ])
  func `the name says the locale`(name: String, locale: String) {
    #expect(TextCollation(name).localeIdentifier == locale)
    #expect(TextCollation(name, localeIdentifier: "cs").localeIdentifier == "cs")
  }

  @Test(arguments: [
    ("", ["-b", "1", "a", "A", "ä", "af", "ø", "oz", "z", "и"]),
    ("sv", ["a", "af", "oz", "z", "å", "ä", "ø"]),
    ("cs", ["c", "cz", "č", "d", "h", "hz", "ch", "i"]),
  ])
  func `texts are in the order of a language`(locale: String, texts: [String]) {
    let order = FetchSortDescriptor(
      "name", comparison: .collation(TextCollation("x", localeIdentifier: locale)))
    let backwards = order.reversed
    for (index, first) in texts.enumerated() {
      for (other, second) in texts.enumerated() {
        let expected = index < other ? -1 : index > other ? 1 : 0
        #expect(order.compare(.string(first), .string(second)) == expected, "\(first) \(second)")
        #expect(backwards.compare(.string(first), .string(second)) == -expected)
      }
      #expect(order.compare(.null, .string(first)) == -1)
    }
    // What a language takes for equal differs in its bytes.
    #expect(order.compare(.string("\u{E9}"), .string("e\u{301}")) != 0)
  }

  @Test(arguments: [
    ("", ["Ødegård": "O", "Æsop": "A", "Éva": "E", "łódź": "L", "ž": "Z", "Иван": "И", "": ""]),
    ("", ["-x": "#", "42": "#", "Άννα": "Α", "中文": "中", "chata": "C"]),
    ("sv", ["Ängel": "Ä", "Ödla": "Ö", "Anna": "A", "Zebra": "Z"]),
    ("cs", ["chata": "Ch", "cena": "C", "hora": "H", "čas": "Č"]),
  ])
  func `an initial is that of an index of names`(locale: String, initials: [String: String]) {
    let collation = TextCollation("x", localeIdentifier: locale)
    let key = SectionKey("name", .initial)
    let order = [FetchSortDescriptor("name", comparison: .collation(collation))]
    for (text, initial) in initials {
      #expect(key.name(of: .string(text), nil, by: order) == initial, "\(text)")
    }
    #expect(key.name(of: .null, nil, by: order) == "")
    #expect(key.name(of: .integer(5), nil, by: order) == "#")
  }

  @Test(arguments: ["", "en", "de", "sv", "cs", "hr", "fr", "lt", "et", "nb"])
  func `texts with one initial are next to each other`(locale: String) {
    var random = SeededGenerator(seed: 7)
    let collation = TextCollation("x", localeIdentifier: locale)
    let order = FetchSortDescriptor("name", comparison: .collation(collation))
    let texts = (0..<4_000).map { _ in
      String(
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          Self.letters[Int.random(in: 0..<Self.letters.count, using: &random)]
        })
    }.filter { locale != "nb" || !$0.lowercased().hasPrefix("aa") }
      .sorted { order.compare(.string($0), .string($1)) < 0 }
    var seen: Set<String> = []
    var last: String?
    for text in texts {
      let initial = collation.initial(of: text)
      if initial != last {
        guard seen.insert(initial).inserted else {
          Issue.record("\(initial) comes again with “\(text)”")
          return
        }
      }
      last = initial
    }
    #expect(seen.count > 26)
  }

  @Test func `sections of a list are divided by the initials of its collation`() {
    let collation = TextCollation("sv-x-icu")
    let order = [FetchSortDescriptor("name", comparison: .collation(collation))]
    let names = ["Anna", "Zebra", "Åsa", "Ängel", "Ödla", "Øre"]
    let runs = SectionKey("name", .initial).runs(
      of: names.map { (Value.string($0), AttributeDescription("name", .string)) }, order)
    #expect(runs.map(\.name) == ["A", "Z", "Å", "Ä", "Ö"])
    #expect(runs.map(\.count) == [1, 1, 1, 1, 2])
  }
}
