import Foundation
import Synchronization

/// The foldings of code points, in tables that are made on first use and stay.
///
/// They are memory without references to count: several threads fold at once, and counting
/// references to the same table would make each wait for the others.
enum FoldingTables {
  /// What is folded.
  enum Kind: Int, CaseIterable {
    case `case`, diacritics, both

    /// What some options fold; nil for neither.
    init?(_ options: TextFolding.Options) {
      switch options.intersection(.both) {
      case .both: self = .both
      case .case: self = .case
      case .diacritics: self = .diacritics
      default: return nil
      }
    }
  }

  /// The foldings of a range of code points, in their order.
  typealias Table = UnsafePointer<Folding>

  private typealias Slot = Atomic<Table?>

  private static let pageCount = 0x1100

  /// The tables that were made so far, by page and kind; the first page has all of ``low(_:)``.
  // A pointer is not Sendable, but this one never changes, and what it leads to is atomic. A table
  // is complete before its slot has it, and stays as it is. Folding a text of 31 characters takes six
  // times as long with tables that are counted (`AtomicLazyReference`).
  nonisolated(unsafe) private static let slots = {
    let count = pageCount * Kind.allCases.count
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    for index in 0..<count { (slots + index).initialize(to: Slot(nil)) }
    return slots
  }()

  /// The foldings of the code points below U+0800, of one or two bytes.
  static func low(_ kind: Kind) -> Table { table(0, kind) { 0..<0x800 } }

  /// The foldings of the 256 code points from `number << 8` on, which are not below U+0800; nil if
  /// all of them fold to themselves.
  static func page(_ number: UInt32, _ kind: Kind) -> Table? {
    foldsToItself(number) ? nil : table(number, kind) { number << 8..<(number + 1) << 8 }
  }

  /// The table of a page, which is made of a range of code points on first use.
  @inline(__always)
  private static func table(_ page: UInt32, _ kind: Kind, of codes: () -> Range<UInt32>) -> Table {
    let slot = slots + (Int(page) * Kind.allCases.count + kind.rawValue)
    if let table = slot.pointee.load(ordering: .acquiring) { return table }
    let new = table(codes(), kind)
    // Another thread may have made it meanwhile.
    let known = slot.pointee.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing
    ).original
    guard let known else { return new }
    new.deallocate()
    return known
  }

  private static func table(_ codes: Range<UInt32>, _ kind: Kind) -> Table {
    let table = UnsafeMutablePointer<Folding>.allocate(capacity: codes.count)
    for (index, code) in codes.enumerated() {
      (table + index).initialize(to: UnicodeScalar(code).map { Folding($0, kind) } ?? .none)
    }
    return Table(table)
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

/// The folding of a code point: up to eight bytes.
struct Folding: Sendable {
  private let bytes: UInt64
  private let count: UInt8
  /// Whether the code point changes.
  let isFolded: Bool
  /// Whether it can be part of a match of ASCII: it has a byte of ASCII, or is nothing.
  let meetsASCII: Bool

  /// The entry of a value that is not a code point.
  static let none = Folding("", isFolded: false)

  private init(_ text: String, isFolded: Bool) {
    bytes = text.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    count = UInt8(min(text.utf8.count, 8))
    meetsASCII = text.utf8.isEmpty || text.utf8.contains { $0 < 0x80 }
    self.isFolded = isFolded
  }

  init(_ scalar: UnicodeScalar, _ kind: FoldingTables.Kind) {
    let own = String(scalar)
    let folded = Self.fold(own, kind)
    self.init(folded, isFolded: !folded.hasSameBytes(as: own))
  }

  /// The only byte, if it is ASCII; else nil.
  @inline(__always)
  var asciiByte: UInt8? { count == 1 && bytes < 0x80 ? UInt8(truncatingIfNeeded: bytes) : nil }

  /// The first byte, if it is a small letter of ASCII; else 0.
  var initial: UInt8 {
    let byte = UInt8(truncatingIfNeeded: bytes)
    return count > 0 && byte &- 97 < 26 ? byte : 0
  }

  /// Whether the code point is folded to nothing.
  var isEmpty: Bool { count == 0 }

  /// Whether a byte of ASCII is among the bytes.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    guard meetsASCII else { return false }
    var rest = bytes
    for _ in 0..<count {
      if UInt8(truncatingIfNeeded: rest) == byte { return true }
      rest >>= 8
    }
    return false
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
