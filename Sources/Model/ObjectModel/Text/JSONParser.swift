package import Foundation

/// Parses JSON, RFC 8259, into values.
///
/// Foundation's parser makes objects of every number and is some ten times slower on Linux; that of
/// Transfers gives texts without a tree.
package struct JSONParser {
  /// Why text is no JSON.
  package struct Failure: Error, Hashable {
    package let words: String
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private static let deepest = 100

  /// Parses the whole of a text.
  package static func parse(_ data: Data) throws(Failure) -> JSONValue {
    // A closure that is generic over its error would lose the type.
    try data.withUnsafeBytes { buffer -> Result<JSONValue, Failure> in
      Result { () throws(Failure) in
        var parser = JSONParser(bytes: buffer.assumingMemoryBound(to: UInt8.self))
        let value = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.byte == nil else { throw parser.failure("something follows the value") }
        return value
      }
    }.get()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func failure(_ words: String) -> Failure {
    Failure(words: byte == nil ? "it ends too early" : "\(words) at byte \(index + 1)")
  }

  private mutating func skipBlanks() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }

  private mutating func take(_ expected: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard byte == UInt8(ascii: expected) else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"):
      guard depth < Self.deepest else { throw failure("it is nested too deeply") }
      index += 1
      return try object(depth: depth + 1)
    case UInt8(ascii: "["):
      guard depth < Self.deepest else { throw failure("it is nested too deeply") }
      index += 1
      return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try text())
    default: return try word()
    }
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    var values: [String: JSONValue] = [:]
    if take("}") { return .object(values) }
    while true {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw failure("a key is expected") }
      let key = try text()
      guard take(":") else { throw failure("a colon is expected") }
      values[key] = try value(depth: depth)
      if take("}") { return .object(values) }
      guard take(",") else { throw failure("a comma or } is expected") }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    var values: [JSONValue] = []
    if take("]") { return .array(values) }
    while true {
      values.append(try value(depth: depth))
      if take("]") { return .array(values) }
      guard take(",") else { throw failure("a comma or ] is expected") }
    }
  }

  private mutating func word() throws(Failure) -> JSONValue {
    let start = index
    loop: while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
        break loop
      default: index += 1
      }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      guard let isWhole = isWholeNumber(start..<index) else {
        index = start
        throw failure("a value is expected")
      }
      return isWhole ? Int64(text).map(JSONValue.integer) ?? .number(text) : .number(text)
    }
  }

  /// Whether a number has neither a fraction nor an exponent; nil if the bytes are no number of JSON,
  /// which has no plus sign, leading zeros or hexadecimal digits.
  private func isWholeNumber(_ range: Range<Int>) -> Bool? {
    var index = range.lowerBound
    func isAt(_ letters: Unicode.Scalar...) -> Bool {
      index < range.upperBound && letters.contains { UInt8(ascii: $0) == bytes[index] }
    }
    func digits() -> Int {
      let start = index
      while index < range.upperBound, (0x30...0x39).contains(bytes[index]) { index += 1 }
      return index - start
    }
    if isAt("-") { index += 1 }
    let hasLeadingZero = isAt("0")
    let count = digits()
    guard count == 1 || count > 1 && !hasLeadingZero else { return nil }
    if index == range.upperBound { return true }
    if isAt(".") {
      index += 1
      if digits() == 0 { return nil }
    }
    if isAt("e", "E") {
      index += 1
      if isAt("+", "-") { index += 1 }
      if digits() == 0 { return nil }
    }
    return index == range.upperBound ? false : nil
  }

  private mutating func text() throws(Failure) -> String {
    index += 1
    let start = index
    // Nearly every text has no escape.
    while let byte {
      if byte == UInt8(ascii: "\"") {
        defer { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") { break }
      index += 1
    }
    var output = Array(bytes[start..<index])
    while let byte {
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: output, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(into: &output) } else { output.append(byte) }
    }
    throw failure("a text does not end")
  }

  private mutating func escape(into output: inout [UInt8]) throws(Failure) {
    do throws(JSONText.EscapeProblem) {
      try JSONText.readEscape(in: bytes, at: &index, to: &output)
    } catch {
      switch error {
      case .end: throw failure("a text does not end")
      case .unknown: throw failure("an escape is unknown")
      case .incomplete: throw failure("an escape is not complete")
      }
    }
  }
}
