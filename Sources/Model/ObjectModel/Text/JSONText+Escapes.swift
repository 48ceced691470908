extension JSONText {
  /// Why an escape in a text is none of JSON's.
  package enum EscapeProblem: Error {
    /// The text ends with the backslash.
    case end
    case unknown
    /// Four hexadecimal digits do not follow.
    case incomplete
  }

  /// Reads an escape, and appends the UTF-8 of what it stands for.
  ///
  /// Half of a surrogate pair without the other stands for U+FFFD.
  ///
  /// - Parameters:
  ///   - bytes: The JSON.
  ///   - index: The index after the backslash; then that after the escape, or of what is wrong.
  ///   - output: Where it is appended.
  /// - Throws: ``EscapeProblem``.
  package static func readEscape<Bytes: RandomAccessCollection<UInt8>>(
    in bytes: Bytes, at index: inout Int, to output: inout [UInt8]
  ) throws(EscapeProblem) where Bytes.Index == Int {
    guard index < bytes.endIndex else { throw .end }
    let letter = bytes[index]
    index += 1
    switch letter {
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(letter)
    case UInt8(ascii: "u"):
      var code = UInt32(try unit(in: bytes, at: &index))
      if code & 0xFC00 == 0xD800, bytes[index...].starts(with: [0x5C, 0x75]) {
        let before = index
        index += 2
        let low = UInt32(try unit(in: bytes, at: &index))
        if low & 0xFC00 == 0xDC00 {
          code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
        } else {
          index = before
        }
      }
      output += String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8
    default: throw .unknown
    }
  }

  private static func unit<Bytes: RandomAccessCollection<UInt8>>(
    in bytes: Bytes, at index: inout Int
  ) throws(EscapeProblem) -> UInt16 where Bytes.Index == Int {
    let end = index + 4
    guard end <= bytes.endIndex,
      let unit = UInt16(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16)
    else { throw .incomplete }
    index = end
    return unit
  }
}
