import Foundation
import ManagedObjects
package import ObjectModel
import TerminalKit

/// Formats values for the screen.
package nonisolated enum ValueText {
  /// A decoded value as one line; nil for NULL.
  ///
  /// `cutLength` is the full length in bytes of a truncated value. Without a number format or a date
  /// form the value is written in full.
  package static func line(
    _ value: Value, cutLength: Int? = nil, format: NumberFormat? = nil, dates: DateForm? = nil
  ) -> String? {
    switch value {
    case .null: nil
    case .integer, .double, .decimal: format?.text(value) ?? value.description
    case .date: dates?.shortened(value.description) ?? value.description
    case .data(let data): Value.description(ofBytes: cutLength ?? data.count)
    case .bool(let flag): flag ? "yes" : "no"
    case .string(let text):
      // No list shows more; the rest of a long text costs nothing.
      String(text.prefix(300))
    default: value.description
    }
  }

  /// The value of an object's attribute as one line; nil for NULL.
  ///
  /// What the store computes when a new object is saved is shown as the expression of its default.
  /// A number format and a date form are those of a list's column; without them the value is written
  /// in full.
  static func line(
    of attribute: AttributeDescription, in object: ManagedObject, format: NumberFormat? = nil,
    dates: DateForm? = nil
  ) -> String? {
    let name = attribute.name
    if let expression = object.awaitedDefault(forKey: name) {
      return "default: \(expression.prefix(300))"
    }
    let cutLength = object.cutLength(forKey: name)
    if cutLength == nil,
      let file = attribute.externalFileName(in: object.storedValue(forKey: name))
    {
      return "missing file \(file)"
    }
    // The leading byte of an external value is not part of the data.
    let sign = attribute.encoding == .externalData ? 1 : 0
    return line(
      object.truncatedValue(forKey: name), cutLength: cutLength.map { $0 - sign },
      // A number among dates is not what the format was made for.
      format: attribute.type.isNumeric ? format : nil, dates: dates)
  }

  /// A size in decimal units: `126 MB`.
  static func bytes(_ count: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var amount = Double(max(count, 0))
    var unit = 0
    while amount >= 1000, unit < units.count - 1 {
      amount /= 1000
      unit += 1
    }
    guard unit > 0 else { return "\(max(count, 0)) bytes" }
    let text = amount < 10 ? "\((amount * 10).rounded() / 10)" : "\(Int(amount.rounded()))"
    return "\(text) \(units[unit])"
  }

  /// The name of an attribute type on the screen.
  static func typeName(_ type: AttributeType) -> String {
    switch type {
    case .undefined: "any type"
    case .integer16, .integer32, .integer64: "integer"
    case .decimal: "decimal"
    case .double, .float: "number"
    case .string: "text"
    case .boolean: "boolean"
    case .date: "date"
    case .binaryData: "bytes"
    case .uuid: "UUID"
    case .uri: "URL"
    case .transformable: "transformable"
    }
  }

  /// A word with its article: `an integer`, `a text`.
  static func withArticle(_ word: String) -> String {
    ("aeio".contains(word.prefix(1)) ? "an " : "a ") + word
  }

  /// The years from a date until now, as "62 years"; nil for less than one.
  static func age(of date: Date, now: Date) -> String? {
    let years = Int(now.timeIntervalSince(date) / (365.2425 * 86400))
    guard years >= 1, years < 1000 else { return nil }
    return years == 1 ? "1 year" : "\(years) years"
  }
}
