import Foundation
import Synchronization

/// The foldings of code points, in pages of 256 that are made on first use.
enum FoldingTables {
  /// What is folded.
  enum Kind: Int, CaseIterable { case `case`, diacritics, both }

  private final class Slot: Sendable {
    let page = AtomicLazyReference<FoldingPage>()
  }

  private static let pageCount = 0x1100
  private static let slots: [Slot] = (0..<pageCount * Kind.allCases.count).map { _ in Slot() }

  private static let lowCase = FoldingPage(0..<0x800, .case)
  private static let lowDiacritics = FoldingPage(0..<0x800, .diacritics)
  private static let lowBoth = FoldingPage(0..<0x800, .both)

  /// The foldings of the code points below U+0800, of one or two bytes; made on first use.
  static func low(_ kind: Kind) -> [Folding] {
    switch kind {
    case .case: lowCase.foldings
    case .diacritics: lowDiacritics.foldings
    case .both: lowBoth.foldings
    }
  }

  /// The page of the code points from `number << 8` on; nil if all of them fold to themselves.
  static func page(_ number: UInt32, _ kind: Kind) -> FoldingPage? {
    if foldsToItself(number) { return nil }
    let slot = slots[Int(number) * Kind.allCases.count + kind.rawValue]
    return slot.page.load()
      ?? slot.page.storeIfNil(FoldingPage(number << 8..<(number + 1) << 8, kind))
  }

  /// Whether no code point of a page is folded: Han, Hangul syllables, private use, emoji and
  /// above.
  private static func foldsToItself(_ number: UInt32) -> Bool {
    switch number {
    case 0x34...0x9F, 0xAC...0xD6, 0xD8...0xF8, 0x1F0...0x2F7, 0x2FB...0x10FF: true
    default: false
    }
  }
}

/// The foldings of a range of code points.
final class FoldingPage: Sendable {
  let foldings: [Folding]

  init(_ codes: Range<UInt32>, _ kind: FoldingTables.Kind) {
    foldings = codes.map { code in UnicodeScalar(code).map { Folding($0, kind) } ?? .none }
  }
}

/// The folding of a code point: up to eight bytes.
struct Folding: Sendable {
  private let bytes: UInt64
  private let count: UInt8
  /// Whether the code point changes.
  let isFolded: Bool

  /// The entry of a value that is not a code point.
  static let none = Folding("", isFolded: false)

  private init(_ text: String, isFolded: Bool) {
    bytes = text.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    count = UInt8(min(text.utf8.count, 8))
    self.isFolded = isFolded
  }

  init(_ scalar: UnicodeScalar, _ kind: FoldingTables.Kind) {
    let own = String(scalar)
    let folded = Self.fold(own, kind)
    self.init(folded, isFolded: !folded.hasSameBytes(as: own))
  }

  /// Writes the bytes; there must be room for eight.
  @inline(__always)
  func write(to target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(target).storeBytes(of: bytes.littleEndian, as: UInt64.self)
    return target + Int(count)
  }

  private static func fold(_ text: String, _ kind: FoldingTables.Kind) -> String {
    switch kind {
    case .case: foldingCase(text)
    case .diacritics: foldingDiacritics(text)
    // Folding case can produce marks (İ), and removing marks can produce capitals (Ǽ).
    case .both: foldingCase(foldingDiacritics(foldingDiacritics(foldingCase(text))))
    }
  }

  /// Case folding by way of upper case, which unites ς and σ, ß and ss; `ı` is excepted, else it
  /// would be `i`.
  private static func foldingCase(_ text: String) -> String {
    map(text) { scalar in
      scalar == "ı"
        ? "ı"
        : map(scalar.properties.lowercaseMapping) { lower in
          map(lower.properties.uppercaseMapping) { $0.properties.lowercaseMapping }
        }
    }
  }

  private static func foldingDiacritics(_ text: String) -> String {
    map(text) { scalar in
      if (0xAC00...0xD7A3).contains(scalar.value) { return String(scalar) }
      return map(String(scalar).decomposedStringWithCanonicalMapping) { part in
        isMark(part) ? "" : plain(part)
      }
    }
  }

  private static func map(_ text: String, _ transform: (UnicodeScalar) -> String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += transform($1) }
  }

  /// Whether a code point is a diacritic.
  ///
  /// Viramas and vowel signs, which have combining classes of their own, are letters.
  private static func isMark(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.properties.canonicalCombiningClass.rawValue {
    case 0, 9, 84, 91, 103, 118, 129, 130, 132: false
    default: true
    }
  }

  /// Letters with strokes and ligatures, which Unicode does not decompose.
  private static func plain(_ scalar: UnicodeScalar) -> String {
    switch scalar {
    case "ł": "l"
    case "Ł": "L"
    case "ø": "o"
    case "Ø": "O"
    case "đ": "d"
    case "Đ": "D"
    case "ħ": "h"
    case "Ħ": "H"
    case "ŧ": "t"
    case "Ŧ": "T"
    case "ı": "i"
    case "æ": "ae"
    case "Æ": "AE"
    case "œ": "oe"
    case "Œ": "OE"
    default: String(scalar)
    }
  }
}
