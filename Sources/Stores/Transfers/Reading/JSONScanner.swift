import ObjectModel

/// Reads one value of JSON: RFC 8259.
struct JSONScanner {
  /// Why text is no JSON.
  struct Failure: Error {
    let words: String
  }

  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private static let deepest = 256

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  private var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }

  private mutating func skip(_ expected: Unicode.Scalar) throws(Failure) {
    skipBlanks()
    guard byte == UInt8(ascii: expected) else {
      throw Failure(words: "it is no JSON: \(expected) is missing at byte \(offset)")
    }
    index += 1
  }

  private var offset: Int { index - bytes.startIndex + 1 }

  /// Whether the next value is an object.
  var isAtObject: Bool {
    mutating get {
      skipBlanks()
      return byte == UInt8(ascii: "{")
    }
  }

  /// Reads an object, and calls a closure with each key, which reads the value.
  mutating func readObject(
    _ body: (String, inout JSONScanner) throws(Failure) -> Void
  ) throws(Failure) {
    try skip("{")
    skipBlanks()
    if byte == UInt8(ascii: "}") { return index += 1 }
    while true {
      skipBlanks()
      var key: [UInt8] = []
      try readText(into: &key)
      try skip(":")
      try body(String(decoding: key, as: UTF8.self), &self)
      skipBlanks()
      if byte == UInt8(ascii: ",") {
        index += 1
        continue
      }
      return try skip("}")
    }
  }

  /// Reads a list, and calls a closure at each element, which reads it.
  mutating func readList(_ body: (inout JSONScanner) throws(Failure) -> Void) throws(Failure) {
    try skip("[")
    skipBlanks()
    if byte == UInt8(ascii: "]") { return index += 1 }
    while true {
      try body(&self)
      skipBlanks()
      if byte == UInt8(ascii: ",") {
        index += 1
        continue
      }
      return try skip("]")
    }
  }

  /// Reads a value, and appends its text without quotes and escapes; of a list or an object all of
  /// it.
  mutating func readValue(into output: inout [UInt8]) throws(Failure) -> ImportRecord.Kind {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "\""):
      try readText(into: &output)
      return .quoted
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let start = index
      try skipStructure(depth: 0)
      output.append(contentsOf: bytes[start..<index])
      return .structure
    default:
      let start = index
      while let byte, ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D].contains(byte) { index += 1 }
      let word = bytes[start..<index]
      if word.elementsEqual("null".utf8) { return .null }
      guard
        word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8)
          || Number.isNumeric(String(decoding: word, as: UTF8.self))
      else { throw Failure(words: "it is no JSON: a value is expected at byte \(offset)") }
      output.append(contentsOf: word)
      return .bare
    }
  }

  private mutating func skipStructure(depth: Int) throws(Failure) {
    guard depth < Self.deepest else { throw Failure(words: "it is nested too deeply") }
    var ignored: [UInt8] = []
    func skipValue(_ scanner: inout JSONScanner) throws(Failure) {
      scanner.skipBlanks()
      if scanner.byte == UInt8(ascii: "{") || scanner.byte == UInt8(ascii: "[") {
        try scanner.skipStructure(depth: depth + 1)
      } else {
        _ = try scanner.readValue(into: &ignored)
      }
      ignored.removeAll(keepingCapacity: true)
    }
    if byte == UInt8(ascii: "{") {
      try readObject { _, scanner throws(Failure) in try skipValue(&scanner) }
    } else {
      try readList { scanner throws(Failure) in try skipValue(&scanner) }
    }
  }

  /// Reads text in quotes.
  mutating func readText(into output: inout [UInt8]) throws(Failure) {
    guard byte == UInt8(ascii: "\"") else {
      throw Failure(words: "it is no JSON: a text is expected at byte \(offset)")
    }
    index += 1
    var start = index
    while let byte {
      if byte == UInt8(ascii: "\"") {
        output.append(contentsOf: bytes[start..<index])
        index += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        output.append(contentsOf: bytes[start..<index])
        try readEscape(into: &output)
        start = index
      } else {
        index += 1
      }
    }
    throw Failure(words: "it is no JSON: a text does not end")
  }

  private mutating func readEscape(into output: inout [UInt8]) throws(Failure) {
    index += 1
    do throws(JSONText.EscapeProblem) {
      try JSONText.readEscape(in: bytes, at: &index, to: &output)
    } catch {
      switch error {
      case .end: throw Failure(words: "it is no JSON: a text does not end")
      case .unknown:
        throw Failure(words: "it is no JSON: an escape is unknown at byte \(offset)")
      case .incomplete:
        throw Failure(words: "it is no JSON: an escape is not complete at byte \(offset)")
      }
    }
  }
}
