import Foundation
import TestSupport
import Testing

@testable import ObjectModel

struct TextFoldingTests {
  static let both: TextFolding.Options = [.case, .diacritics]

  @Test(arguments: [
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"), ("Ὀδυσσεύς", "οδυσσευσ"),
    ("İstanbul", "istanbul"),
    ("ısı", "isi"), ("Łódź", "lodz"), ("Ærøskøbing", "aeroskobing"), ("Œuvre", "oeuvre"),
    ("ĐĦŦ", "dht"), ("e\u{301}", "e"),
    ("ﬁne", "fine"), ("Ǽ", "ae"), ("日本語", "日本語"), ("한국", "한국"), ("が", "か"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("K", "k"),
    ("Å", "a"),
    ("ЙОГУРТ", "иогурт"), ("שָׁלוֹם", "שלום"), ("ไทย", "ไทย"), ("हिन्दी", "हिन्दी"), ("", ""),
    ("AbC-123 [z]@`{", "abc-123 [z]@`{"), ("ØRE", "ore"), ("Þór", "þor"),
  ])
  func `case and diacritics are folded`(text: String, folded: String) {
    #expect(
      TextFolding.fold(text, Self.both).hasSameBytes(as: folded),
      "\(TextFolding.fold(text, Self.both))")
  }

  @Test(arguments: [TextFolding.Options.case, .diacritics, both])
  func `what is folded to a byte of ASCII is a source of a needle`(
    options: TextFolding.Options
  ) throws {
    let kind = try #require(FoldingTables.Kind(options))
    let low = FoldingTables.low(kind)
    for byte in 0x21...0x7E as ClosedRange<UInt8> {
      try [byte].withUnsafeBufferPointer { bytes in
        let sources = try #require(FoldedNeedle(bytes).sources(options))
        for code in 0x80..<0x800 {
          let source = sources.first { $0.first == 0xC0 | UInt8(code >> 6) }
          let bit = UInt64(1) << UInt64(code & 63)
          let isSource = (source?.seconds ?? 0) & bit != 0
          let isSingle = (source?.singles ?? 0) & bit != 0
          if isSource != low[code].contains(byte) || isSingle != (low[code].asciiByte == byte) {
            Issue.record("\(code) and \(byte)")
          }
        }
      }
    }
    var count = 0
    for page in 8..<0x1100 as Range<UInt32> {
      guard let table = FoldingTables.page(page, kind) else { continue }
      for code in 0..<256 where !table[code].isEmpty && table[code].meetsASCII {
        let utf8 = Array(String(UnicodeScalar(page << 8 | UInt32(code)) ?? " ").utf8)
        #expect([0xE1, 0xE2, 0xEF].contains(utf8[0]) && utf8[0...1] != [0xE2, 0x80], "\(utf8)")
        count += 1
      }
    }
    #expect(count > 2)
  }

  @Test func `the options case and diacritics fold independently`() {
    #expect(TextFolding.fold("ÉıŁ", .case).hasSameBytes(as: "éıł"))
    #expect(TextFolding.fold("ÉıŁß", .diacritics).hasSameBytes(as: "EiLß"))
    #expect(TextFolding.fold("É", []).hasSameBytes(as: "É"))
  }

  @Test func `folding is idempotent and at most triples the number of bytes`() {
    let ranges: [Range<UInt32>] = [
      0..<0x600, 0x1E00..<0x2200, 0xA640..<0xA800, 0xAB30..<0xABC0, 0xFB00..<0xFB50,
      0x10400..<0x10450,
    ]
    for code in ranges.joined() {
      guard let scalar = UnicodeScalar(code) else { continue }
      let text = String(scalar)
      let folded = TextFolding.foldedBytes(text, Self.both)
      if folded.count == text.utf8.count, folded.elementsEqual(text.utf8) { continue }
      #expect(folded.count <= 3 * text.utf8.count, "\(text)")
      let again = TextFolding.foldedBytes(String(decoding: folded, as: UTF8.self), Self.both)
      #expect(again == folded, "\(String(code, radix: 16)) \(text)")
      let cased = TextFolding.fold(text, .case)
      #expect(TextFolding.fold(cased, .case).hasSameBytes(as: cased), "\(text)")
    }
  }

  /// Foundation does not fold letters with a stroke, ligatures and the dotless i, and keeps
  /// combining marks beyond Greek and Cyrillic.
  @Test func `Latin, Greek and Cyrillic fold as in Foundation, except the listed letters`() {
    let ours: Set<UnicodeScalar> = [
      "ß", "ı", "ł", "Ł", "ø", "Ø", "đ", "Đ", "ħ", "Ħ", "ŧ", "Ŧ", "æ", "Æ", "œ", "Œ", "ŉ", "ς", "ſ",
      "ǽ", "Ǽ", "ǿ", "Ǿ", "ǣ", "Ǣ", "ϐ", "ϑ", "ϕ", "ϖ", "ϰ", "ϱ", "ϵ", "ϴ", "ʼ", "ǰ",
    ]
    var differences: [String] = []
    for code in (UInt32(0xC0)..<0x180).map({ $0 }) + (0x391..<0x3CF).map({ $0 })
      + (0x400..<0x482).map({ $0 })
    {
      guard let scalar = UnicodeScalar(code), !ours.contains(scalar) else { continue }
      let text = String(scalar)
      let theirs = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      let folded = TextFolding.fold(text, Self.both)
      if folded != theirs { differences.append("\(text): \(folded) \(theirs)") }
    }
    #expect(differences == [])
  }

  @Test func `the option numeric sorts runs of digits by value`() {
    let names = [
      "a", "a0", "a1", "a2", "a10", "a99", "a100", "a123456789", "a1234567890",
      "a12345678901234567890", "ab",
    ]
    let sorted = names.shuffled().sorted {
      ByteOrder.compare(
        TextFolding.foldedBytes($0, [.numeric]), TextFolding.foldedBytes($1, [.numeric])) < 0
    }
    #expect(sorted == names)
    #expect(TextFolding.foldedBytes("007", .numeric) == TextFolding.foldedBytes("7", .numeric))
  }

  @Test func `invalid UTF-8 is folded to replacement characters`() {
    let cases: [[UInt8]] = [
      [0xFF], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0x80, 0x41],
    ]
    for bytes in cases {
      var folded: [UInt8] = []
      bytes.withUnsafeBufferPointer { TextFolding.fold($0, Self.both, into: &folded) }
      #expect(String(validating: folded, as: UTF8.self)?.contains("\u{FFFD}") == true)
    }
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      var folded: [UInt8] = []
      bytes.withUnsafeBufferPointer {
        TextFolding.fold($0, [.case, .diacritics, .numeric, .signsFirst], into: &folded)
      }
      #expect(String(validating: folded, as: UTF8.self) != nil)
    }
  }

  static let corpus = [
    "", "a", "A", "AC/DC", "Motörhead", "MOTÖRHEAD", "e\u{301}cole", "École", "日本語テキスト", "Ω mega",
    "x👩‍👩‍👧y", "Straße 12", "aaaaaaab",
    "The quick brown fox jumps over the lazy dog", "ab", "ba", "ß", "ss", "ö", "O", "\u{0}", "İ",
    "i",
  ]

  @Test(arguments: [[], .case, .diacritics, [.case, .diacritics]] as [TextFolding.Options])
  func `a search in mixed text of any bytes finds what the folded text has`(
    options: TextFolding.Options
  ) {
    var generator = SeededGenerator(seed: UInt64(options.rawValue) + 3)
    let pieces: [[UInt8]] =
      [
        "a", "b", "A", "s", "ab", "ss", "i", "bbbbbbbb", "é", "É", "ß", "İ", "ﬁ", "æ", "Å",
        "e\u{301}",
        "日", "😀", "\u{0}", "\u{301}",
        "Ж", "й", "ά", "か", "ガ", "\u{212A}", "Ǽ", "–", "\u{FFFD}",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80]]
    func text(_ count: Int) -> [UInt8] {
      (0..<count).flatMap { _ in generator.pick(pieces) }
    }
    var foundCount = 0
    for _ in 0..<20_000 {
      let raw = text(Int.random(in: 0...24, using: &generator))
      let needle = text(Int.random(in: 1...4, using: &generator))
      var (hay, sought): ([UInt8], [UInt8]) = ([], [])
      raw.withUnsafeBufferPointer { TextFolding.fold($0, options, into: &hay) }
      needle.withUnsafeBufferPointer { TextFolding.fold($0, options, into: &sought) }
      // Without options bytes are compared as they are.
      if options.isEmpty { (hay, sought) = (raw, needle) }
      let isIn = sought.isEmpty || hay.indices.contains { hay[$0...].starts(with: sought) }
      let isFound = raw.withUnsafeBufferPointer { raw in
        sought.withUnsafeBufferPointer { TextFolding.contains(raw, foldedNeedle: $0, options) }
      }
      #expect(isFound == isIn, "\(raw) \(sought)")
      foundCount += isIn ? 1 : 0
    }
    #expect(foundCount > 500)
  }

  @Test(arguments: [[], .case, .diacritics, [.case, .diacritics]] as [TextFolding.Options])
  func `searching gives the same result as searching the folded text`(options: TextFolding.Options)
  {
    for text in Self.corpus {
      for needle in Self.corpus {
        let (hay, sought) = (
          TextFolding.foldedBytes(text, options), TextFolding.foldedBytes(needle, options)
        )
        let isIn = sought.isEmpty || hay.indices.contains { hay[$0...].starts(with: sought) }
        text.withBytes { text in
          sought.withUnsafeBufferPointer { sought in
            #expect(TextFolding.contains(text, foldedNeedle: sought, options) == isIn)
            #expect(
              TextFolding.hasPrefix(text, foldedNeedle: sought, options) == hay.starts(with: sought)
            )
            #expect(
              TextFolding.hasSuffix(text, foldedNeedle: sought, options)
                == hay.reversed().starts(with: sought.reversed()))
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("Élan", "E"), ("alpha", "A"), ("9 lives", "#"), ("", ""), ("{x", "#"), ("“Quoted”", "#"),
    ("👩‍👩‍👧", "#"), ("ωmega", "Ω"), ("日本", "日"),
    (" x", "#"), ("_", "#"), ("ßa", "S"), ("Æ", "A"), ("’t Hooft", "#"),
  ])
  func `the section of a text is its folded initial`(text: String, initial: String) {
    #expect(SectionKey("name", .initial).name(of: .string(text)) == initial)
  }

  @Test func `in the localized order each initial is one contiguous section`() {
    var generator = SeededGenerator(seed: 11)
    let letters = [
      "a", "A", "é", "É", "{", "[", "1", "z", "~", "€", "👩", "日", "ω", "Ω", "“", " ", "ß", "s",
      "\u{FE0F}", "\u{301}", "्", "`",
    ]
    let descriptor = FetchSortDescriptor("name", comparison: .localized)
    let values = (0..<3_000).map { _ in
      Value.string(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in generator.pick(letters) }.joined()
      )
    }
    let sorted = values.map { descriptor.sortValue($0) }.sorted { descriptor.compare($0, $1) < 0 }
    let names = sorted.map { SectionKey("name", .initial).name(of: $0.value) }
    var runs: [String] = []
    for name in names where runs.last != name { runs.append(name) }
    #expect(runs.count == Set(runs).count, "\(runs)")
  }

  @Test func `sort descriptors compare folded text, then the unfolded bytes`() {
    let localized = FetchSortDescriptor("n", comparison: .localized)
    #expect(localized.compare("E", "é") == -1)
    #expect(localized.compare("e", "F") == -1)
    #expect(localized.reversed.compare("e", "F") == 1)
    #expect(FetchSortDescriptor("n", comparison: .caseInsensitive).compare("É", "f") == 1)
    #expect(FetchSortDescriptor("n").compare("B", "a") == -1)
    #expect(localized.compare(.null, "") == -1)
    #expect(
      FetchSortDescriptor("n", comparison: .localized(numeric: true)).compare("a10", "a9") == 1)
    #expect(localized.compare(5, "a") == -1)
  }

  @Test(arguments: [
    ("surname", SectionKey("surname")), ("born:month", SectionKey("born", .month)),
    ("a.b:initial", SectionKey("a.b", .initial)),
    ("n:Value", SectionKey("n", .value)),
  ])
  func `a section key parses back from its text`(text: String, key: SectionKey) {
    #expect(SectionKey(text) == key)
    #expect(SectionKey(key.description) == key)
  }

  @Test(arguments: ["", ":month", "a:week", "a:"])
  func `an invalid section key is refused`(text: String) { #expect(SectionKey(text) == nil) }

  @Test func `the section of a date is its day, month or year in UTC`() {
    let date = Value.date(Date(timeIntervalSince1970: 1_714_571_130))
    #expect(SectionKey("d", .day).name(of: date) == "2024-05-01")
    #expect(SectionKey("d", .month).name(of: date) == "2024-05")
    #expect(SectionKey("d", .year).name(of: date) == "2024")
    #expect(SectionKey("d", .year).name(of: .null) == "")
    #expect(SectionKey("d", .year).name(of: "soon") == "soon")
    #expect(SectionKey("d").name(of: 3.0) == "3.0")
  }
}
