import Foundation

extension UInt8 {
  /// Two hexadecimal digits.
  package var hexDigits: String { (self < 16 ? "0" : "") + String(self, radix: 16) }

  /// Whether it is an ASCII letter or digit.
  fileprivate var isAlphanumeric: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}

extension Sequence<UInt8> {
  /// The bytes as a text with `%E9` for all but ASCII letters, digits and the given characters.
  package func percentEscaped(except others: String) -> String {
    reduce(into: "") { text, byte in
      if byte.isAlphanumeric || others.utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + byte.hexDigits.uppercased()
      }
    }
  }
}

extension Data {
  /// The bytes of pairs of hexadecimal digits; nil if a character is something else, or the last
  /// pair half.
  package init?(hexDigits text: some StringProtocol) {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue.map { UInt8($0) } }
    guard digits.count.isMultiple(of: 2) else { return nil }
    self.init(capacity: digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      append(high << 4 | low)
    }
  }
}
