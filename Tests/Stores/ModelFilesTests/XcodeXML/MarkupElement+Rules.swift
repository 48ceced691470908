import Foundation
import ObjectModel

@testable import ModelFiles

extension MarkupElement {
  /// Adds validation rules as Xcode's bounds and pattern if these read back as equal rules, else as
  /// a `cardfile:` attribute.
  mutating func addRules(_ rules: [ValidationRule], type: AttributeType) {
    guard !rules.isEmpty else { return }
    var standard = MarkupElement(name: name)
    for rule in rules {
      if let (key, value) = Self.bound(rule) { standard.attributes[key] = value }
    }
    let read = XCDataModelReader.bounds(of: standard, type: type).map { rule in
      ValidationRule(PredicateText.canonical(rule.predicate) ?? "", warning: rule.warning)
    }
    if read == rules {
      attributes.merge(standard.attributes) { _, new in new }
    } else {
      addJSON("validations", rules.map { [$0.predicate, $0.warning] })
    }
  }

  /// The attribute of Xcode's XML for a rule with one of Core Data's error codes; nil for any other
  /// rule.
  private static func bound(_ rule: ValidationRule) -> (key: String, value: String)? {
    guard let warning = rule.warning.flatMap({ Int($0) }).flatMap(ValidationWarning.init),
      case .comparison(let comparison)? = PredicateText.predicate(rule.predicate)?.node
    else { return nil }
    switch (warning, comparison.right) {
    case (.stringPattern, .constant(.string(let pattern))):
      return ("regularExpressionString", pattern)
    case (.dateTooSoon, .constant(.date(let date))):
      return ("minDateTimeInterval", "\(date.timeIntervalSinceReferenceDate)")
    case (.dateTooLate, .constant(.date(let date))):
      return ("maxDateTimeInterval", "\(date.timeIntervalSinceReferenceDate)")
    case (.stringPattern, _), (.dateTooSoon, _), (.dateTooLate, _): return nil
    default:
      return (warning.isLowerBound ? "minValueString" : "maxValueString", comparison.right.text)
    }
  }
}
