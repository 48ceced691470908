import Foundation

/// The methods of Foundation's values that expressions of mapping models call, as
/// `FUNCTION($source.name, "uppercaseString")`.
enum MigrationMethod: String, CaseIterable {
  case uppercase = "uppercaseString"
  case lowercase = "lowercaseString"
  case capitalized = "capitalizedString"
  case text = "stringValue"
  case description = "description"
  case integer = "integerValue"
  case int = "intValue"
  case longLong = "longLongValue"
  case double = "doubleValue"
  case float = "floatValue"
  case bool = "boolValue"
  case length = "length"
  case appending = "stringByAppendingString:"
  case prefixing = "stringByAppendingPathComponent:"
  case valueForKey = "valueForKey:"

  /// Calls it with the value and the other arguments.
  func value(_ arguments: [PredicateOperand]) -> PredicateOperand {
    guard let first = arguments.first else { return .missing }
    if self == .valueForKey {
      return arguments.dropFirst().first?.single.text.map { first.operand(at: [$0][...]) }
        ?? .missing
    }
    let value = first.single
    if value.isNull { return .value(.null) }
    let text = value.text ?? value.description
    let number = value.number?.approximation ?? Self.leadingNumber(of: text)
    let other = arguments.dropFirst().first?.single.text ?? ""
    let result: Value =
      switch self {
      case .uppercase: .string(text.uppercased())
      case .lowercase: .string(text.lowercased())
      case .capitalized: .string(text.capitalized)
      case .text, .description: .string(text)
      case .integer, .int, .longLong: .integer(Int64(exactly: number.rounded(.towardZero)) ?? 0)
      case .double, .float: .double(number)
      case .bool: .bool(number != 0 || "YyTt".contains(text.first ?? "N"))
      case .length: .integer(Int64(text.utf16.count))
      case .appending: .string(text + other)
      case .prefixing: .string(text.hasSuffix("/") ? text + other : text + "/" + other)
      case .valueForKey: .null
      }
    return .value(result)
  }

  /// The number with which a text begins, as NSString reads it; 0 if it begins with none.
  private static func leadingNumber(of text: String) -> Double {
    let trimmed = text.drop { $0.isWhitespace }
    let digits = trimmed.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    return (0...digits.count).reversed().lazy.compactMap { Double(digits.prefix($0)) }.first ?? 0
  }
}
