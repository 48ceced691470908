package import Foundation
import ObjectModel

/// Splits XML into tags and text; skips comments, processing instructions and the document type.
package struct XMLScanner {
  /// A tag.
  package enum Tag: Hashable {
    /// A start tag `<name …>`, or `<name …/>`, which is empty.
    case open(String, isEmpty: Bool)
    /// An end tag `</name>`.
    case close(String)
  }

  /// The document in UTF-8.
  package let bytes: [UInt8]
  /// Whether the document is written in UTF-8, and does not say otherwise.
  package let isUTF8: Bool
  /// The number of bytes read so far.
  package private(set) var offset = 0
  /// The content of the last tag: its name and attributes.
  private(set) var tagContent: ArraySlice<UInt8> = []

  /// Creates a scanner at the start of a document.
  ///
  /// - Parameter data: XML in UTF-8, in UTF-16, or in an encoding of bytes that it names.
  package init(_ data: Data) {
    let encoding = Self.encoding(of: data)
    let text = encoding.flatMap { String(data: data, encoding: $0) }
    bytes = text.map { Array($0.utf8) } ?? Array(data)
    isUTF8 = encoding == nil && bytes.withUnsafeBufferPointer { $0.isUTF8 }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The encoding of a document; nil for UTF-8.
  private static func encoding(of data: Data) -> String.Encoding? {
    if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) { return .utf16 }
    if data.starts(with: [0x3C, 0x00, 0x3F, 0x00]) { return .utf16LittleEndian }
    if data.starts(with: [0x00, 0x3C, 0x00, 0x3F]) { return .utf16BigEndian }
    let start = String(decoding: data.prefix(200), as: UTF8.self).lowercased()
    guard start.hasPrefix("<?xml"),
      let name = start.split(separator: "?>").first?
        .split(separator: "encoding", maxSplits: 1).dropFirst().first?
        .split(whereSeparator: { "= \t'\"".contains($0) }).first
    else { return nil }
    return encodings[String(name)]
  }

  private static let encodings: [String: String.Encoding] = [
    "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "windows-1252": .windowsCP1252,
    "macintosh": .macOSRoman, "us-ascii": .ascii,
  ]

  /// An error that says what is wrong here.
  package func malformed(_ detail: String) -> ModelFileError {
    ModelFileError(.malformed, detail: "\(detail), at byte \(offset)")
  }

  /// Reads the text up to the next tag, with entities and CDATA resolved; empty if there is none.
  package mutating func text() throws(ModelFileError) -> String {
    var text: [UInt8] = []
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "<"):
        if try skipNonTag() { continue }
        guard let cdata = try cdata() else { return String(decoding: text, as: UTF8.self) }
        text += cdata
      case UInt8(ascii: "&"): text += Array(try entity().utf8)
      default:
        text.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the tag that begins here; nil at the end of the document.
  package mutating func tag() throws(ModelFileError) -> Tag? {
    while try skipNonTag() {}
    guard offset < bytes.count else { return nil }
    guard bytes[offset] == UInt8(ascii: "<") else { throw malformed("a tag was expected") }
    let start = offset + 1
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
    offset = end + 1
    tagContent = bytes[start..<end]
    let isClosing = tagContent.first == UInt8(ascii: "/")
    let isEmpty = !isClosing && tagContent.last == UInt8(ascii: "/")
    let name = tagContent.dropFirst(isClosing ? 1 : 0)
      .prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    let text = String(decoding: name, as: UTF8.self)
    return isClosing ? .close(text) : .open(text, isEmpty: isEmpty)
  }

  /// The bytes between two offsets.
  package func content(from start: Int, to end: Int) -> Data { Data(bytes[start..<end]) }

  private func begins(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[offset...].starts(with: $0) }
  }

  /// Moves past the next occurrence of a text.
  private mutating func skip(past text: String) throws(ModelFileError) {
    let wanted = Array(text.utf8)
    while offset + wanted.count <= bytes.count {
      if bytes[offset..<offset + wanted.count].elementsEqual(wanted) {
        offset += wanted.count
        return
      }
      offset += 1
    }
    throw malformed("“\(text)” is missing")
  }

  /// Skips a comment, a processing instruction or the document type; returns whether there was one.
  private mutating func skipNonTag() throws(ModelFileError) -> Bool {
    if begins(with: "<!--") {
      try skip(past: "-->")
    } else if begins(with: "<?") {
      try skip(past: "?>")
    } else if begins(with: "<!DOCTYPE") {
      let end = bytes[offset...].firstIndex { [UInt8(ascii: ">"), UInt8(ascii: "[")].contains($0) }
      guard let end, bytes[end] == UInt8(ascii: ">") else {
        throw malformed("a document type with an internal subset is not supported")
      }
      offset = end + 1
    } else {
      return false
    }
    return true
  }

  private mutating func cdata() throws(ModelFileError) -> ArraySlice<UInt8>? {
    guard begins(with: "<![CDATA[") else { return nil }
    let start = offset + 9
    try skip(past: "]]>")
    return bytes[start..<max(start, offset - 3)]
  }

  private mutating func entity() throws(ModelFileError) -> String {
    let start = offset + 1
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw malformed("an entity has no end")
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let text = Self.entities[name] ?? Self.scalar(name) else {
      throw malformed("the entity “\(name)” is unknown")
    }
    offset = end + 1
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
