import Foundation
import ObjectModel

extension ArchivedObject {
  /// The value of a string, number, boolean, date, decimal, UUID, URL or data object; nil for an
  /// object of any other class.
  var plainValue: Value? {
    switch value {
    case .string(let text): return .string(text)
    case .integer(let number): return .integer(number)
    case .unsigned(let number): return .decimal(Decimal(number))
    case .real(let number): return .double(number)
    case .bool(let truth): return .bool(truth)
    case .date, .data, .dictionary: break
    case .uid, .null, .array: return nil
    }
    if let seconds { return .date(Date(timeIntervalSinceReferenceDate: seconds)) }
    switch className {
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return decimal.map(Value.decimal)
    case "NSUUID": return uuid.map(Value.uuid)
    case "NSURL": return url.map(Value.url)
    case "NSNumber":
      return self["NS.dblval"]?.double.map(Value.double) ?? integer.map { .integer(Int64($0)) }
    default: return data.map(Value.data) ?? string.map(Value.string)
    }
  }

  /// The number of an NSDecimalNumber: a mantissa of up to eight 16-bit words, and a power of ten.
  private var decimal: Decimal? {
    guard let mantissa = value["NS.mantissa"]?.data, mantissa.count <= 16,
      let exponent = self["NS.exponent"]?.integer, (-128...127).contains(exponent)
    else { return nil }
    let isBigEndian = self["NS.mantissa.bo"]?.integer == 2
    let used = min(max(self["NS.length"]?.integer ?? 8, 0), mantissa.count / 2)
    let bytes = Array(mantissa)
    var number = Decimal(0)
    for index in (0..<used).reversed() {
      let (first, second) = (Int(bytes[index * 2]), Int(bytes[index * 2 + 1]))
      number = number * 65_536 + Decimal(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    let isNegative = self["NS.negative"]?.bool ?? false
    let result = Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: number)
    return result.isNaN ? nil : result
  }

  /// The UUID of an NSUUID.
  private var uuid: UUID? {
    guard let bytes = value["NS.uuidbytes"]?.data, bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }

  /// The URL of an NSURL; a relative URL is resolved against its base.
  private var url: URL? {
    guard let text = self["NS.relative"]?.string else { return nil }
    guard let base = self["NS.base"]?["NS.relative"]?.string.flatMap(URL.init(string:)) else {
      return URL(string: text)
    }
    return URL(string: text, relativeTo: base)?.absoluteURL
  }
}
