/// How the text of a file is encoded.
package enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case windows1252 = "windows-1252"

  /// Recognises the encoding by the beginning of a file: a byte order mark, or zeros of UTF-16.
  ///
  /// - Returns: The encoding, and the length of the mark.
  static func of(_ start: [UInt8]) -> (encoding: TextEncoding, markLength: Int) {
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if start.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if start.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    let pairs = min(start.count, 512) / 2
    guard pairs > 0 else { return (.utf8, 0) }
    let zeros = (0..<pairs).reduce(into: (even: 0, odd: 0)) { zeros, pair in
      if start[2 * pair] == 0 { zeros.even += 1 }
      if start[2 * pair + 1] == 0 { zeros.odd += 1 }
    }
    // A file in UTF-8 may have a zero here and there.
    if zeros.even == 0, zeros.odd * 5 > pairs * 2 { return (.utf16LittleEndian, 0) }
    if zeros.odd == 0, zeros.even * 5 > pairs * 2 { return (.utf16BigEndian, 0) }
    return (.utf8, 0)
  }
}

/// Converts text to UTF-8 as it comes.
struct TextTranscoder {
  let encoding: TextEncoding
  /// The first byte of a unit, or the first unit of a pair, of which the rest is still to come.
  private var firstByte: UInt8?
  private var highSurrogate: UInt16?

  init(_ encoding: TextEncoding) { self.encoding = encoding }

  /// Appends text as UTF-8.
  mutating func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
    switch encoding {
    case .utf8: output.append(contentsOf: bytes)
    case .windows1252:
      for byte in bytes {
        if byte < 0x80 {
          output.append(byte)
        } else {
          let code = byte < 0xA0 ? Self.windows[Int(byte - 0x80)] : UInt16(byte)
          append(Unicode.Scalar(code), to: &output)
        }
      }
    case .utf16LittleEndian, .utf16BigEndian:
      for byte in bytes {
        guard let first = firstByte else {
          firstByte = byte
          continue
        }
        firstByte = nil
        let (low, high) = encoding == .utf16LittleEndian ? (first, byte) : (byte, first)
        append(unit: UInt16(high) << 8 | UInt16(low), to: &output)
      }
    }
  }

  /// Appends what stands for an incomplete character at the end.
  mutating func finish(_ output: inout [UInt8]) {
    if firstByte != nil || highSurrogate != nil { append(nil, to: &output) }
    (firstByte, highSurrogate) = (nil, nil)
  }

  private mutating func append(unit: UInt16, to output: inout [UInt8]) {
    if let high = highSurrogate {
      highSurrogate = nil
      if unit & 0xFC00 == 0xDC00 {
        let code = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
        return append(Unicode.Scalar(code), to: &output)
      }
      append(nil, to: &output)
    }
    if unit & 0xFC00 == 0xD800 {
      highSurrogate = unit
    } else if unit < 0x80 {
      output.append(UInt8(unit))
    } else {
      append(Unicode.Scalar(unit), to: &output)
    }
  }

  private func append(_ scalar: Unicode.Scalar?, to output: inout [UInt8]) {
    output.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
  }

  /// The characters of the bytes from 0x80 to 0x9F.
  private static let windows: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
