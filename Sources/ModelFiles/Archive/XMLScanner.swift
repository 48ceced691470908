import Foundation

/// Cuts XML into tags and text, and leaves comments, instructions and declarations out.
struct XMLScanner {
  /// A tag.
  enum Tag: Hashable {
    /// `<name …>`, or `<name …/>`, which is empty.
    case open(String, isEmpty: Bool)
    /// `</name>`.
    case close(String)
  }

  private let bytes: [UInt8]
  /// How many bytes have been read.
  private(set) var place = 0
  /// What stands in the last tag, its name and attributes.
  private(set) var inside: ArraySlice<UInt8> = []

  /// Begins before the first tag.
  ///
  /// - Parameter data: XML in UTF-8, or in UTF-16 with its mark.
  init(_ data: Data) {
    let isUTF16 = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    let text = isUTF16 ? String(data: data, encoding: .utf16) : nil
    bytes = text.map { Array($0.utf8) } ?? Array(data)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  private func malformed(_ detail: String) -> ModelFileError {
    ModelFileError(.malformed, detail: "\(detail), at byte \(place)")
  }

  /// The text up to the next tag, entities and CDATA resolved; empty when there is none.
  mutating func text() throws(ModelFileError) -> String {
    var text: [UInt8] = []
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "<"):
        if try skipIfNoTag() { continue }
        guard let cdata = try cdata() else { return String(decoding: text, as: UTF8.self) }
        text += cdata
      case UInt8(ascii: "&"): text += Array(try entity().utf8)
      default:
        text.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The tag that begins here; nil at the end.
  mutating func tag() throws(ModelFileError) -> Tag? {
    while try skipIfNoTag() {}
    guard place < bytes.count else { return nil }
    guard bytes[place] == UInt8(ascii: "<") else { throw malformed("a tag is missing") }
    let start = place + 1
    var end = start
    var quote: UInt8?
    while end < bytes.count, quote != nil || bytes[end] != UInt8(ascii: ">") {
      let byte = bytes[end]
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      end += 1
    }
    guard end < bytes.count else { throw malformed("a tag has no end") }
    place = end + 1
    inside = bytes[start..<end]
    let isClosing = inside.first == UInt8(ascii: "/")
    let isEmpty = !isClosing && inside.last == UInt8(ascii: "/")
    let name = inside.dropFirst(isClosing ? 1 : 0)
      .prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    let text = String(decoding: name, as: UTF8.self)
    return isClosing ? .close(text) : .open(text, isEmpty: isEmpty)
  }

  private func begins(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[place...].starts(with: $0) }
  }

  /// Moves behind the next place where a text stands.
  private mutating func skip(past text: String) throws(ModelFileError) {
    let wanted = Array(text.utf8)
    while place + wanted.count <= bytes.count {
      if bytes[place..<place + wanted.count].elementsEqual(wanted) {
        place += wanted.count
        return
      }
      place += 1
    }
    throw malformed("“\(text)” is missing")
  }

  /// Whether a comment, an instruction or a declaration stood here and has been left behind.
  private mutating func skipIfNoTag() throws(ModelFileError) -> Bool {
    if begins(with: "<!--") {
      try skip(past: "-->")
    } else if begins(with: "<?") {
      try skip(past: "?>")
    } else if begins(with: "<!DOCTYPE") {
      let end = bytes[place...].firstIndex { [UInt8(ascii: ">"), UInt8(ascii: "[")].contains($0) }
      guard let end, bytes[end] == UInt8(ascii: ">") else {
        throw malformed("a document type with declarations of its own is not read")
      }
      place = end + 1
    } else {
      return false
    }
    return true
  }

  private mutating func cdata() throws(ModelFileError) -> ArraySlice<UInt8>? {
    guard begins(with: "<![CDATA[") else { return nil }
    let start = place + 9
    try skip(past: "]]>")
    return bytes[start..<max(start, place - 3)]
  }

  private mutating func entity() throws(ModelFileError) -> String {
    let start = place + 1
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw malformed("an entity has no end")
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let text = Self.entities[name] ?? Self.scalar(name) else {
      throw malformed("the entity “\(name)” is not known")
    }
    place = end + 1
    return text
  }

  private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

  private static func scalar(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
    let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(UnicodeScalar.init).map { String($0) }
  }
}
