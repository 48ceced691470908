package import Foundation

/// Parses JSON, RFC 8259: a text as a value, or piece by piece where no tree is wanted.
///
/// Foundation's parser makes objects of every number and is some ten times slower on Linux.
package struct JSONParser {
  /// Why text is no JSON.
  package struct Failure: Error, Hashable {
    package let words: String

    package init(words: String) { self.words = words }
  }

  /// What a value is, as its first character says.
  package enum Kind {
    case object, list, text
    /// A number, true, false or null.
    case word
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0
  private let deepest: Int
  /// How many members the last object had: the next one often has as many.
  private var memberCount = 0

  /// Parses the whole of a text.
  package static func parse(_ data: Data) throws(Failure) -> JSONValue {
    try read(data) { parser throws(Failure) in
      let value = try parser.value()
      try parser.checkEnd()
      return value
    }
  }

  /// Reads bytes with a closure.
  ///
  /// - Parameters:
  ///   - bytes: The bytes; what follows that which the closure reads is not looked at.
  ///   - deepest: How deep lists and objects may be nested.
  ///   - body: Reads them.
  /// - Returns: What the closure returns.
  /// - Throws: ``Failure``.
  package static func read<Output>(
    _ bytes: some Collection<UInt8>, deepest: Int = 100,
    _ body: (inout JSONParser) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    // A closure that is generic over its error would lose the type.
    let result = bytes.withContiguousStorageIfAvailable { buffer -> Result<Output, Failure> in
      Result { () throws(Failure) in
        var parser = JSONParser(bytes: buffer, deepest: deepest)
        return try body(&parser)
      }
    }
    guard let result else { return try read(Array(bytes), deepest: deepest, body) }
    return try result.get()
  }

  // MARK: Pieces

  /// What the next value is.
  package var next: Kind {
    mutating get {
      skipBlanks()
      return switch byte {
      case UInt8(ascii: "{"): .object
      case UInt8(ascii: "["): .list
      case UInt8(ascii: "\""): .text
      default: .word
      }
    }
  }

  /// Reads an object, and calls a closure with each key, which reads the value.
  package mutating func readObject(
    _ body: (String, inout JSONParser) throws(Failure) -> Void
  ) throws(Failure) {
    try enter("{", "an object")
    defer { depth -= 1 }
    if take("}") { return }
    repeat {
      guard next == .text else { throw failure("a key is expected") }
      let key = try readText()
      guard take(":") else { throw failure("a colon is expected") }
      try body(key, &self)
    } while take(",")
    guard take("}") else { throw failure("a comma or } is expected") }
  }

  /// Reads a list, and calls a closure at each element, which reads it.
  package mutating func readList(
    _ body: (inout JSONParser) throws(Failure) -> Void
  ) throws(Failure) {
    try enter("[", "a list")
    defer { depth -= 1 }
    if take("]") { return }
    repeat { try body(&self) } while take(",")
    guard take("]") else { throw failure("a comma or ] is expected") }
  }

  /// Reads text in quotes.
  package mutating func readText() throws(Failure) -> String {
    guard next == .text else { throw failure("a text is expected") }
    let start = index + 1
    // Nearly every text has no escape.
    if let end = endOfPlainText() {
      index = end + 1
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    var output: [UInt8] = []
    try readText(into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Reads text in quotes, and appends it without these and escapes.
  package mutating func readText(into output: inout [UInt8]) throws(Failure) {
    guard next == .text else { throw failure("a text is expected") }
    index += 1
    var start = index
    while let byte {
      if byte == UInt8(ascii: "\"") {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        index += 1
        return
      }
      index += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index - 1]))
      do throws(JSONText.EscapeProblem) {
        try JSONText.readEscape(in: bytes, at: &index, to: &output)
      } catch {
        switch error {
        case .end: throw failure("a text does not end")
        case .unknown: throw failure("an escape is unknown")
        case .incomplete: throw failure("an escape is not complete")
        }
      }
      start = index
    }
    throw failure("a text does not end")
  }

  /// Reads null, true, false or a number.
  ///
  /// - Parameter isNumber: Says whether a text is one.
  /// - Returns: The text.
  /// - Throws: ``Failure``.
  package mutating func readWord(isNumber: (String) -> Bool) throws(Failure) -> String {
    skipBlanks()
    let start = index
    while let byte, !Self.endsWord(byte) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard text == "null" || text == "true" || text == "false" || isNumber(text) else {
      index = start
      throw failure("a value is expected")
    }
    return text
  }

  /// Reads a value, and appends its bytes as they are.
  package mutating func readBytes(
    into output: inout [UInt8], isNumber: (String) -> Bool
  ) throws(Failure) {
    skipBlanks()
    let start = index
    try skipValue(isNumber)
    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
  }

  /// Throws if anything follows.
  package mutating func checkEnd() throws(Failure) {
    skipBlanks()
    guard byte == nil else { throw failure("something follows the value") }
  }

  // MARK: Values

  private mutating func value() throws(Failure) -> JSONValue {
    switch next {
    case .object:
      var values: [String: JSONValue] = [:]
      values.reserveCapacity(memberCount)
      try readObject { key, parser throws(Failure) in values[key] = try parser.value() }
      memberCount = min(values.count, 64)
      return .object(values)
    case .list:
      var values: [JSONValue] = []
      try readList { parser throws(Failure) in values.append(try parser.value()) }
      return .array(values)
    case .text: return .string(try readText())
    case .word:
      if let number = readShortNumber() { return .integer(number) }
      switch try readWord(isNumber: Self.isNumber) {
      case "null": return .null
      case "true": return .bool(true)
      case "false": return .bool(false)
      case let text: return Int64(text).map(JSONValue.integer) ?? .number(text)
      }
    }
  }

  /// Reads a whole number of few digits, as most are, without a text of it; nil, and nothing is read,
  /// if something else is there.
  private mutating func readShortNumber() -> Int64? {
    var (number, end): (Int64, Int) = (0, index)
    while end < bytes.count, end - index <= 18, (0x30...0x39).contains(bytes[end]) {
      number = number &* 10 &+ Int64(bytes[end] - 0x30)
      end += 1
    }
    let count = end - index
    guard (1...18).contains(count), count == 1 || bytes[index] != 0x30,
      end == bytes.count || Self.endsWord(bytes[end])
    else { return nil }
    index = end
    return number
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
    default: false
    }
  }

  /// Whether a text is a number of JSON, which has no plus sign, leading zeros or hexadecimal digits.
  private static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func take(_ letters: StaticString) -> Bool {
      guard let first = rest.first,
        letters.withUTF8Buffer({ $0.contains(first) })
      else { return false }
      rest = rest.dropFirst()
      return true
    }
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    _ = take("-")
    let hasLeadingZero = rest.first == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || count > 1 && !hasLeadingZero else { return false }
    if take("."), digits() == 0 { return false }
    if take("eE") {
      _ = take("+-")
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }

  private mutating func skipValue(_ isNumber: (String) -> Bool) throws(Failure) {
    switch next {
    case .object:
      try readObject { _, parser throws(Failure) in try parser.skipValue(isNumber) }
    case .list: try readList { parser throws(Failure) in try parser.skipValue(isNumber) }
    case .text: _ = try readText()
    case .word: _ = try readWord(isNumber: isNumber)
    }
  }

  // MARK: Bytes

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

  private mutating func enter(_ bracket: Unicode.Scalar, _ what: String) throws(Failure) {
    guard take(bracket) else { throw failure("\(what) is expected") }
    guard depth < deepest else { throw failure("it is nested too deeply") }
    depth += 1
  }

  /// The index of the quote after a text that begins here and has no escape.
  private func endOfPlainText() -> Int? {
    var end = index + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      if bytes[end] == UInt8(ascii: "\\") { return nil }
      end += 1
    }
    return end < bytes.count ? end : nil
  }
}
