import Foundation
import ObjectModel

/// Reads JSON as a tree that keeps the order of keys and the digits of numbers.
///
/// Time and memory are linear in the length of the text; depth and the number of values are
/// bounded, so hostile text is refused, never crashes.
nonisolated struct JSONTree {
  private static let deepest = 200
  private static let mostValues = 2_000_000
  private static let longest = 64 << 20

  /// A value of JSON.
  private indirect enum Item: Sendable {
    case object([(key: String, value: Item)])
    case array([Item])
    case string(String)
    case plain(String)
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var valuesLeft = Self.mostValues

  /// Returns the tree of a text that is an object or an array of JSON; nil if it is not.
  static func tree(of text: String) -> ValueTree? {
    let start = text.utf8.prefix(1000).first { !Self.isSpace($0) }
    guard start == UInt8(ascii: "{") || start == UInt8(ascii: "["), text.utf8.count <= longest
    else {
      return nil
    }
    var reader = JSONTree(bytes: Array(text.utf8))
    guard let item = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    return reader.offset == reader.bytes.count ? Self.node("", item) : nil
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func node(_ label: String, _ item: Item) -> ValueTree {
    switch item {
    case .string(let text): ValueTree(label, .text(text))
    case .plain(let text): ValueTree(label, .plain(text))
    case .array(let items):
      ValueTree(
        label,
        .members("array", count: items.count) {
          items.enumerated().map { node("\($0)", $1) }
        })
    case .object(let members):
      ValueTree(
        label,
        .members("object", count: members.count) { members.map { node($0.key, $0.value) } })
    }
  }

  // MARK: Reading

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private mutating func skipSpace() {
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
  }

  /// Moves past a character, if it is next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) -> Item? {
    valuesLeft -= 1
    guard depth <= Self.deepest, valuesLeft >= 0 else { return nil }
    skipSpace()
    guard offset < bytes.count else { return nil }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    default: return plain()
    }
  }

  private mutating func object(depth: Int) -> Item? {
    offset += 1
    var members: [(String, Item)] = []
    skipSpace()
    if take("}") { return .object([]) }
    while true {
      skipSpace()
      guard let key = string() else { return nil }
      skipSpace()
      guard take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append((key, value))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
    }
  }

  private mutating func array(depth: Int) -> Item? {
    offset += 1
    var items: [Item] = []
    skipSpace()
    if take("]") { return .array([]) }
    while true {
      guard let value = value(depth: depth + 1) else { return nil }
      items.append(value)
      skipSpace()
      if take("]") { return .array(items) }
      guard take(",") else { return nil }
    }
  }

  /// A number or one of the three words.
  private mutating func plain() -> Item? {
    let start = offset
    while offset < bytes.count, !Self.isSpace(bytes[offset]),
      !",]}:".utf8.contains(bytes[offset]), offset - start < 1000
    { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let isWord = ["true", "false", "null"].contains(text)
    guard isWord || (text.utf8.allSatisfy("+-.0123456789Ee".utf8.contains) && Double(text) != nil)
    else { return nil }
    return .plain(text)
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text += Array(String(scalar).utf8)
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard offset < bytes.count else { return nil }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      guard let first = codeUnit() else { return nil }
      guard (0xD800...0xDBFF).contains(first) else {
        return Unicode.Scalar(first) ?? "\u{FFFD}"
      }
      let before = offset
      if take("\\"), take("u"), let second = codeUnit(), (0xDC00...0xDFFF).contains(second) {
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      }
      offset = before
      return "\u{FFFD}"
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    let digits = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    offset += 4
    return UInt32(digits, radix: 16)
  }
}
