import Foundation
import ObjectModel

extension AttributeDescription {
  /// Reads what a person typed as a value of the attribute; an empty text is NULL, or the empty text
  /// where NULL is not allowed.
  ///
  /// - Throws: ``TypedValueError`` if it is no such value.
  func value(typed text: String) throws -> Value {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if trimmed.isEmpty, isOptional { return .null }
    let value: Value? =
      switch type {
      case .string, .undefined: .string(text)
      case .integer16, .integer32, .integer64: Int64(trimmed).map { .integer($0) }
      case .double, .float: Double(trimmed).map { .double($0) }
      case .decimal: Decimal(string: trimmed).map { .decimal($0) }
      case .boolean: Self.booleans[trimmed.lowercased()].map { .bool($0) }
      case .date: Self.date(trimmed).map { .date($0) }
      case .uuid: UUID(uuidString: trimmed).map { .uuid($0) }
      case .uri: URL(string: trimmed).map { .url($0) }
      default: nil
      }
    guard let value else { throw TypedValueError(attribute: name, needed: needed) }
    return value
  }

  private static let booleans = [
    "yes": true, "true": true, "1": true, "no": false, "false": false, "0": false,
  ]

  /// Reads a date as ISO 8601 writes it, in UTC: `2026-04-14`, `2026-04-14 13:45`.
  private static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { ISODate.seconds(utf8: $0) }.map { Date(timeIntervalSince1970: $0) }
  }

  private var needed: String {
    switch type {
    case .integer16, .integer32, .integer64: "a whole number"
    case .double, .float, .decimal: "a number"
    case .boolean: "yes or no"
    case .date: "a date such as 2026-04-14"
    case .uuid: "a UUID"
    default: "another editor"
    }
  }
}

/// A typed text that is no value of its attribute.
struct TypedValueError: Error, CustomStringConvertible {
  let attribute: String
  let needed: String

  var description: String { "\(attribute) needs \(needed)" }
}
