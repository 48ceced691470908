/// The transform behind `TextFolding`: ASCII in blocks, other code points through the tables.
struct FoldingTransform {
  private let foldsCase: Bool
  private let isNumeric: Bool
  private let putsSignsFirst: Bool
  private let kind: FoldingTables.Kind?

  init(_ options: TextFolding.Options) {
    foldsCase = options.contains(.case)
    isNumeric = options.contains(.numeric)
    putsSignsFirst = options.contains(.signsFirst)
    kind = FoldingTables.Kind(options)
  }

  /// Folds a text into room for `TextFolding.capacity(for: utf8.count)` bytes, and returns the
  /// number of bytes written.
  func apply(to utf8: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>)
    -> Int
  {
    guard let source = utf8.baseAddress, let start = target.baseAddress else { return 0 }
    let asciiCount = ASCII.prefixCount(utf8)
    var output = ascii(source, count: asciiCount, to: start)
    if asciiCount < utf8.count {
      output = rest(of: utf8, from: asciiCount, to: output, low: kind.map(FoldingTables.low))
    }
    let count = output - start
    return putsSignsFirst ? putSignFirst(target, count: count) : count
  }

  /// Folds from the first byte that is not ASCII; two-byte code points are copied if there is no
  /// `low`.
  private func rest(
    of utf8: UnsafeBufferPointer<UInt8>, from first: Int, to target: UnsafeMutablePointer<UInt8>,
    low: FoldingTables.Table?
  ) -> UnsafeMutablePointer<UInt8> {
    guard let source = utf8.baseAddress else { return target }
    var output = target
    var index = first
    var page: FoldingTables.Table?
    var pageNumber = UInt32.max
    while index < utf8.count {
      let byte = source[index]
      if byte < 0x80 {
        let count = ASCII.prefixCount(utf8, from: index)
        output = ascii(source + index, count: count, to: output)
        index += count
        continue
      }
      if let code = UTF8Reader.twoByteCode(in: utf8, at: index) {
        if let low, low[code].isFolded {
          output = low[code].write(to: output)
        } else {
          (output[0], output[1]) = (byte, source[index + 1])
          output += 2
        }
        index += 2
        continue
      }
      let copied = Self.unchangedCount(source + index, left: utf8.count - index)
      if copied > 0 {
        for offset in 0..<copied { output[offset] = source[index + offset] }
        output += copied
        index += copied
        continue
      }
      let (scalar, length) = UTF8Reader.scalar(in: utf8, at: index)
      if let kind, scalar.value >> 8 != pageNumber {
        pageNumber = scalar.value >> 8
        page = FoldingTables.page(pageNumber, kind)
      }
      let code = Int(scalar.value & 0xFF)
      if let page, page[code].isFolded {
        output = page[code].write(to: output)
      } else if scalar.value == 0xFFFD {
        (output[0], output[1], output[2]) = (0xEF, 0xBF, 0xBD)
        output += 3
      } else {
        for offset in 0..<length { output[offset] = source[index + offset] }
        output += length
      }
      index += length
    }
    return output
  }

  /// The length of a code point of Han, Hangul, dashes, quotes or emoji, which never change; else
  /// 0.
  @inline(__always)
  static func unchangedCount(_ bytes: UnsafePointer<UInt8>, left: Int) -> Int {
    guard left >= 3, bytes[1] & 0xC0 == 0x80, bytes[2] & 0xC0 == 0x80 else { return 0 }
    switch bytes[0] {
    case 0xE4...0xE9, 0xEB, 0xEC: return 3
    case 0xE2: return bytes[1] == 0x80 && bytes[2] >= 0x90 && bytes[2] <= 0xA7 ? 3 : 0
    case 0xE3: return bytes[1] >= 0x90 ? 3 : 0
    case 0xEA: return bytes[1] >= 0xB0 ? 3 : 0
    case 0xF0: return bytes[1] == 0x9F && left >= 4 && bytes[3] & 0xC0 == 0x80 ? 4 : 0
    default: return 0
    }
  }

  @inline(__always)
  private func ascii(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    if isNumeric { return numeric(source, count: count, to: target) }
    if foldsCase {
      ASCII.lowercase(source, count: count, into: target)
    } else {
      target.update(from: source, count: count)
    }
    return target + count
  }

  /// Writes bytes below 128 with the length before each run of digits, so that longer numbers sort
  /// after shorter ones.
  ///
  /// Leading zeros are left out. A length is encoded as a `9` for each nine and a digit for the
  /// rest, which keeps the order of lengths of any size.
  private func numeric(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var output = target
    var index = 0
    while index < count {
      guard Self.isDigit(source[index]) else {
        output.pointee = foldsCase ? ASCII.lowercased(source[index]) : source[index]
        output += 1
        index += 1
        continue
      }
      while index < count, source[index] == 0x30 { index += 1 }
      let first = index
      while index < count, Self.isDigit(source[index]) { index += 1 }
      let length = index - first
      output.update(repeating: 0x39, count: length / 9)
      output += length / 9
      output.pointee = 0x30 + UInt8(length % 9)
      output += 1
      output.update(from: source + first, count: length)
      output += length
    }
    return output
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Prefixes a sign that would sort after the letters with a backquote, which sorts before them.
  private func putSignFirst(_ target: UnsafeMutableBufferPointer<UInt8>, count: Int) -> Int {
    guard count > 0, target[0] > 0x7A else { return count }
    let text = UnsafeBufferPointer(rebasing: target[..<count])
    guard !Self.isLetter(UTF8Reader.scalar(in: text, at: 0).scalar) else { return count }
    for index in stride(from: count, to: 0, by: -1) { target[index] = target[index - 1] }
    target[0] = 0x60
    return count + 1
  }

  /// Whether a code point is a letter.
  ///
  /// The common alphabets are recognised by their ranges: Unicode's property table is slow.
  private static func isLetter(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x3B1...0x3C9, 0x430...0x45F, 0x5D0...0x5EA,
      0x620...0x64A, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
      true
    default: scalar.properties.isAlphabetic
    }
  }
}
