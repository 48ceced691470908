import Foundation

/// Appends JSON to a byte array, without the cost of an encoder for each of a million rows.
package enum JSONText {
  /// Appends a value: dates, UUIDs, URLs, decimals and base64 data as strings.
  package static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .bool(let flag): bytes.append(contentsOf: flag.description.utf8)
    case .decimal, .date, .uuid, .url: append(value.plainText, to: &bytes)
    case .null, .integer, .double, .string, .data:
      _ = value.withStoredField { append($0, to: &bytes) }
    }
  }

  /// Appends a stored value: data in base64 as a string.
  ///
  /// - Parameters:
  ///   - field: The value.
  ///   - head: Bytes that are appended before it.
  ///   - bytes: Where it is appended.
  package static func append(
    _ field: StoredField, after head: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0),
    to bytes: inout [UInt8]
  ) {
    if case .text(let text) = field { return append(text, after: head, to: &bytes) }
    bytes.append(contentsOf: head)
    switch field {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .integer(let number): bytes.append(decimal: number)
    case .double(let number):
      // SQLite stores no NaN.
      bytes.append(contentsOf: number.isNaN ? "null".utf8 : number.exactText.utf8)
    case .text, .bytes: append(field.value.plainText, to: &bytes)
    }
  }

  /// Appends an array of the URIs of objects.
  package static func append(_ ids: [ObjectID], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, id) in ids.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(id.uriRepresentation, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends a string in quotes, with quotes, backslashes and control characters escaped.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    text.withBytes { append($0, to: &bytes) }
  }

  /// Appends stored text in quotes, with quotes, backslashes and control characters escaped, and
  /// with U+FFFD for bytes that are no UTF-8.
  package static func append(
    _ text: UnsafeBufferPointer<UInt8>,
    after head: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0), to bytes: inout [UInt8]
  ) {
    let (needsEscape, isASCII) = survey(text)
    guard isASCII || text.isUTF8 else {
      return text.withRepairedUTF8 { append($0, after: head, to: &bytes) }
    }
    if !needsEscape { return appendPlain(text, after: head, to: &bytes) }
    bytes.append(contentsOf: head)
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    var index = plainCount(text, from: 0)
    while index < text.count {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      appendEscape(text[index], to: &bytes)
      start = index + 1
      index = start + plainCount(text, from: start)
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends text that needs no escape in quotes, with one look at the array's memory.
  private static func appendPlain(
    _ text: UnsafeBufferPointer<UInt8>, after head: UnsafeBufferPointer<UInt8>,
    to bytes: inout [UInt8]
  ) {
    bytes.append(addingCapacity: head.count + text.count + 2) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        guard var end = buffer.baseAddress.map({ $0 + count }) else { return }
        if let start = head.baseAddress { end.update(from: start, count: head.count) }
        end += head.count
        end.pointee = UInt8(ascii: "\"")
        end += 1
        if let start = text.baseAddress { end.update(from: start, count: text.count) }
        end += text.count
        end.pointee = UInt8(ascii: "\"")
        count += head.count + text.count + 2
      }
    }
  }

  /// Whether a byte needs an escape, and whether all are ASCII.
  private static func survey(_ text: UnsafeBufferPointer<UInt8>) -> (
    needsEscape: Bool, isASCII: Bool
  ) {
    guard let base = text.baseAddress else { return (false, true) }
    var high: UInt64 = 0
    var found = false
    func look(at word: UInt64) {
      high |= word
      if needsEscape(anyOf: word) { found = true }
    }
    if text.count < 8 {
      // Spaces fill the word.
      look(at: text.reduce(0x2020_2020_2020_2020) { $0 << 8 | UInt64($1) })
    } else {
      for index in stride(from: 0, through: text.count - 8, by: 8) { look(at: word(base + index)) }
      look(at: word(base + (text.count - 8)))
    }
    return (found, high & 0x8080_8080_8080_8080 == 0)
  }

  private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
  }

  /// The number of bytes from an index up to the next one that needs an escape.
  private static func plainCount(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index + 8 <= text.count {
      if needsEscape(anyOf: word(text.baseAddress.unsafelyUnwrapped + index)) { break }
      index += 8
    }
    while index < text.count, !needsEscape(text[index]) { index += 1 }
    return index - start
  }

  /// Whether one of eight bytes needs an escape.
  private static func needsEscape(anyOf word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let found =
      (word &- ones &* 0x20) & ~word
      | hasZero(word ^ ones &* 0x22) | hasZero(word ^ ones &* 0x5C) | hasZero(word ^ ones &* 0x7F)
    return found & (ones &* 0x80) != 0
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

extension UnsafeBufferPointer<UInt8> {
  /// Calls a closure with the text, with U+FFFD for bytes that are no UTF-8.
  func withRepairedUTF8(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = String(decoding: self, as: UTF8.self)
    text.withUTF8(body)
  }
}

extension [UInt8] {
  /// Appends the digits of a number.
  package mutating func append(decimal number: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number.magnitude
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[start...]))
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
  package var exactText: String {
    isInfinite ? (self < 0 ? "-1e999" : "1e999") : description
  }
}
