import Foundation
package import ObjectModel

/// Parses the literals of DEFAULT clauses.
package enum DefaultLiteral {
  /// Parses a literal as a stored value.
  ///
  /// - Parameter text: The text after DEFAULT in the schema.
  /// - Returns: The value; nil for an expression that only SQLite can evaluate.
  package static func value(_ text: String) -> Value? {
    guard text.utf8.count < 10_000 else { return nil }
    var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    while text.hasPrefix("("), text.hasSuffix(")"), text.count > 1 {
      text = String(text.dropFirst().dropLast()).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    switch text.uppercased() {
    case "NULL": return .null
    case "TRUE": return .integer(1)
    case "FALSE": return .integer(0)
    default: break
    }
    if let quote = text.first, quote == "'" || quote == "\"" {
      return unquoted(text, quote: quote).map(Value.string)
    }
    if text.count > 2, text.uppercased().hasPrefix("X'"), text.hasSuffix("'"),
      let bytes = Data(hexDigits: text.dropFirst(2).dropLast())
    {
      return .data(bytes)
    }
    return number(text)
  }

  /// Returns the text between quotes, unescaped; nil if the closing quote is not at the end.
  private static func unquoted(_ text: String, quote: Character) -> String? {
    guard text.count > 1, text.last == quote else { return nil }
    let inside = text.dropFirst().dropLast()
    let bare = inside.replacingOccurrences(of: "\(quote)\(quote)", with: "")
    guard !bare.contains(quote) else { return nil }
    return inside.replacingOccurrences(of: "\(quote)\(quote)", with: String(quote))
  }

  private static func number(_ text: String) -> Value? {
    let unsigned = text.drop { $0 == "+" || $0 == "-" || $0 == " " }
    guard let first = unsigned.first, first.isASCII, first.isNumber || first == "." else {
      return nil
    }
    let sign = text.prefix(text.count - unsigned.count).filter { $0 == "-" }
    let digits = (sign.count.isMultiple(of: 2) ? "" : "-") + unsigned
    if let integer = Int64(digits) { return .integer(integer) }
    if unsigned.uppercased().hasPrefix("0X") {
      return UInt64(unsigned.dropFirst(2), radix: 16).map { .integer(Int64(bitPattern: $0)) }
    }
    return Double(digits).map(Value.double)
  }
}
