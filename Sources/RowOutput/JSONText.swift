import Foundation
package import ObjectModel

/// Appends JSON to a byte array, without the cost of an encoder for each of a million rows.
package enum JSONText {
  /// Appends a value: dates, UUIDs, URLs, decimals and base64 data as strings.
  package static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .integer(let number): bytes.append(contentsOf: number.description.utf8)
    case .bool(let flag): bytes.append(contentsOf: flag.description.utf8)
    case .double(let number):
      // SQLite stores no NaN.
      bytes.append(contentsOf: number.isNaN ? "null".utf8 : number.exactText.utf8)
    case .string(let text): append(text, to: &bytes)
    case .data, .decimal, .date, .uuid, .url: append(value.plainText, to: &bytes)
    }
  }

  /// Appends a string in quotes, with quotes, backslashes and control characters escaped.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text.replacingInvalidBytes
    text.withUTF8 { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated() where needsEscape(byte) {
        bytes.append(contentsOf: utf8[start..<index])
        appendEscape(byte, to: &bytes)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}

extension Value {
  /// The stored value as text without quotes: data in base64, NULL as an empty string.
  package var plainText: String {
    switch self {
    case .string(let text): text
    case .data(let data): data.base64EncodedString()
    case .double(let number): number.isNaN ? "" : number.exactText
    default: description
    }
  }
}

extension Double {
  /// The shortest text that parses to the same value; like sqlite3's shell, a number too large for
  /// a double for an infinity, which JSON and SQL do not have.
  fileprivate var exactText: String {
    isInfinite ? (self < 0 ? "-1e999" : "1e999") : description
  }
}
