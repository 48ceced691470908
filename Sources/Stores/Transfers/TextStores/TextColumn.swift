import Foundation
import ObjectModel

/// A column of a text file as an attribute: its type is recognised as an import recognises how dates
/// and numbers are written, and new values are written like the others.
///
/// What does not mean the same when it is written again stays text: numbers with leading zeros or
/// signs, longer than 64 bits, or with an exponent.
struct TextColumn: Sendable {
  let attribute: AttributeDescription
  /// How dates are written, if not in ISO 8601.
  private var pattern: DatePattern?
  /// A value that is there: dates are written like it.
  private let example: Value

  /// How many texts show how dates are written; all must be so then.
  private static let sampleCount = 1_000

  /// Recognises a column by all its texts, of which none is empty.
  init(_ name: String, _ texts: [String], isOptional: Bool = true) {
    example = texts.first.map(Value.string) ?? .null
    var type = AttributeType.string
    if texts.isEmpty {
    } else if texts.allSatisfy({ $0 == "true" || $0 == "false" }) {
      type = .boolean
    } else if texts.allSatisfy({ Int64($0).map { String($0) } == $0 }) {
      type = .integer64
    } else if texts.allSatisfy(Self.isPlainNumber) {
      type = .double
    } else if texts.allSatisfy({ ISODate($0) != nil }) {
      type = .date
    } else {
      let forms = DatePattern.forms(of: Array(texts.prefix(Self.sampleCount)))
      if forms.count == 1, texts.allSatisfy({ forms[0].referenceSeconds($0) != nil }) {
        (type, pattern) = (.date, forms[0])
      }
    }
    attribute = AttributeDescription(name, type, isOptional: isOptional)
  }

  private static func isPlainNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard digits.first?.isNumber == true, !digits.contains(where: { $0 == "e" || $0 == "E" }),
      !digits.hasPrefix("0") || digits == "0" || digits.hasPrefix("0.")
    else { return false }
    return Number.isNumeric(text) && (text.contains(".") || Int64(text) != nil)
  }

  /// The stored value of a text; text that is no value of the type stays text.
  func value(_ text: String?) -> Value {
    guard let text, !text.isEmpty || attribute.type == .string else { return .null }
    let value: Value? =
      switch attribute.type {
      case .boolean: text == "true" ? .integer(1) : text == "false" ? .integer(0) : nil
      case .integer64: Int64(text).map(Value.integer)
      case .double: Number.isNumeric(text) ? Double(text).map(Value.double) : nil
      case .date:
        pattern?.referenceSeconds(text).flatMap {
          try? attribute.encode(.date(Date(timeIntervalSinceReferenceDate: $0)))
        }
      default: nil
      }
    return value ?? .string(text)
  }

  /// The text of a stored value; nil for NULL.
  func text(of value: Value) -> String? {
    switch value {
    case .null: nil
    case .integer(let number) where attribute.type == .boolean: number == 0 ? "false" : "true"
    case .string(let text) where attribute.type == .date: date(text) ?? text
    case .string(let text): text
    default: value.description
    }
  }

  /// A date in the form of the column; nil for any other text.
  private func date(_ stored: String) -> String? {
    let value = attribute.decode(.string(stored))
    guard case .date(let date) = value else { return nil }
    if let pattern {
      return pattern.text(referenceSeconds: date.timeIntervalSinceReferenceDate)
    }
    guard case .string(let text)? = try? attribute.encode(value, like: example) else { return nil }
    // The example's own date is itself.
    return attribute.decode(example) == value ? stored : text
  }
}

/// Names for the columns of a file as attributes: none is empty, and no two are the same.
func attributeNames(_ names: [String], besides taken: Set<String> = []) -> [String] {
  var taken = taken
  return names.enumerated().map { index, name in
    let name = name.isEmpty ? "column \(index + 1)" : name
    let others = (2...).lazy.map { "\(name) \($0)" }
    let unique = taken.contains(name) ? others.first { !taken.contains($0) } ?? name : name
    taken.insert(unique)
    return unique
  }
}
