import Foundation
import ObjectModel
import TerminalKit

/// What an attribute demands of its values: that there is one, and the validation rules.
nonisolated struct AttributeRules {
  private let attribute: AttributeDescription
  private let rules: [ValueRule]

  init(_ attribute: AttributeDescription) {
    self.attribute = attribute
    rules = attribute.details.property.validations.compactMap(ValueRule.init)
  }

  /// What is wrong with a decoded value; nil if it can be saved.
  func problem(with value: Value) -> String? {
    guard !value.isNull else {
      return attribute.isOptional ? nil : "\(attribute.name) is required"
    }
    for rule in rules {
      do {
        if try !rule.allows(value) { return Self.sentence(rule.text, value) }
      } catch {
        return "it cannot be checked against \(rule.text)"
      }
    }
    return nil
  }

  /// The rules in words, as "at most 50 characters"; empty without rules.
  var words: [String] { rules.map { Self.words($0.text) ?? $0.text } }

  private static func sentence(_ rule: String, _ value: Value) -> String {
    guard let words = words(rule) else { return "it must meet \(rule)" }
    if case .string(let text) = value, words.hasSuffix("characters") {
      return "\(words), this has \(groupedDigits(text.utf16.count))"
    }
    return "it must be \(words)"
  }

  /// A rule of a common form in words; nil for any other.
  private static func words(_ rule: String) -> String? {
    guard
      let match = rule.wholeMatch(
        of: /\s*(?i)(SELF\.length|length|SELF)\s*(<=|>=|==|=|<|>|MATCHES)\s*(.+?)\s*/)
    else { return nil }
    let (subject, sign, bound) = (match.1.lowercased(), match.2.uppercased(), String(match.3))
    let isLength = subject != "self"
    guard isLength ? Int(bound) != nil : !bound.uppercased().contains(" AND ") else { return nil }
    let unit = isLength ? " characters" : ""
    return switch sign {
    case "<=": "at most \(bound)\(unit)"
    case ">=": "at least \(bound)\(unit)"
    case "<": "less than \(bound)\(unit)"
    case ">": "more than \(bound)\(unit)"
    case "MATCHES": isLength ? nil : "like the pattern \(bound)"
    default: "exactly \(bound)\(unit)"
    }
  }
}
