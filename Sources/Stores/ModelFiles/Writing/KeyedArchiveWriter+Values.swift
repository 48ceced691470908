import Foundation
import ObjectModel

extension KeyedArchiveWriter {
  /// Adds a value as the Foundation object for it, and returns its UID; null gives the null object.
  mutating func add(value: Value) -> PropertyListValue {
    switch value {
    case .null: return Self.null
    case .integer(let number): return add(.integer(number))
    case .double(let number): return add(.real(number))
    case .bool(let truth): return add(.bool(truth))
    case .string(let text): return add(.string(text))
    case .data(let bytes): return add(.data(bytes))
    case .date(let date): return add(.date, ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    case .uuid(let uuid):
      let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
      return add(.uuid, ["NS.uuidbytes": .data(bytes)])
    case .url(let url):
      let text = text(url.absoluteString)
      return add(.url, ["NS.base": Self.null, "NS.relative": text])
    case .decimal(let number): return add(decimal: number)
    }
  }

  /// Adds a decimal number: a mantissa of eight 16-bit words, lowest first, and a power of ten.
  private mutating func add(decimal number: Decimal) -> PropertyListValue {
    var rest = UInt128(number.significand.magnitude.description) ?? 0
    var words: [UInt16] = []
    for _ in 0..<8 {
      words.append(UInt16(truncatingIfNeeded: rest))
      rest >>= 16
    }
    let length = words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return add(
      .decimal,
      [
        "NS.mantissa": .data(
          Data(words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })),
        "NS.mantissa.bo": 1, "NS.exponent": .integer(Int64(number.exponent)),
        "NS.length": .integer(Int64(length)), "NS.negative": .bool(number < 0), "NS.compact": true,
      ])
  }
}
