import Foundation
import ObjectModel

extension XCDataModelReader {
  /// The validation rules that Xcode compiles an attribute's bounds and pattern to, with Core
  /// Data's error codes as warnings.
  mutating func validations(
    of element: MarkupElement, type: AttributeType, name: String
  ) -> [ValidationRule] {
    if let json = element[XCDataModel.cardfilePrefix + "validations"] {
      return (decoded([[String?]].self, json, of: name) ?? []).compactMap { rule in
        rule.first.flatMap { $0 }.map { predicate in
          ValidationRule(predicate, warning: rule.count > 1 ? rule[1] : nil)
        }
      }
    }
    return Self.bounds(of: element, type: type).compactMap { rule in
      guard let predicate = PredicateText.canonical(rule.predicate) else {
        notes.add(
          "A validation rule of \(ModelNotes.quoted(name)) was left out: it cannot be parsed")
        return nil
      }
      return ValidationRule(predicate, warning: rule.warning)
    }
  }

  /// The rules as Xcode's compiler writes them, before normalization.
  static func bounds(of element: MarkupElement, type: AttributeType) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    func add(_ subject: String, _ bound: String?, _ warning: ValidationWarning) {
      guard let bound else { return }
      let sign = warning.isLowerBound ? ">=" : "<="
      rules.append(ValidationRule("\(subject) \(sign) \(bound)", warning: warning.text))
    }
    switch type {
    case .string:
      add("length", element.text("minValueString"), .stringTooShort)
      add("length", element.text("maxValueString"), .stringTooLong)
      if let pattern = element.text("regularExpressionString") {
        let quoted = FetchPredicate.Expression.constant(.string(pattern)).text
        rules.append(
          ValidationRule("SELF MATCHES \(quoted)", warning: ValidationWarning.stringPattern.text))
      }
    case .date:
      add("SELF", dateLiteral(element["minDateTimeInterval"]), .dateTooSoon)
      add("SELF", dateLiteral(element["maxDateTimeInterval"]), .dateTooLate)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      add("SELF", element.text("minValueString"), .numberTooSmall)
      add("SELF", element.text("maxValueString"), .numberTooLarge)
    default: break
    }
    return rules
  }

  private static func dateLiteral(_ seconds: String?) -> String? {
    seconds.flatMap { Double($0) }.map { seconds in
      FetchPredicate.Expression.constant(.date(Date(timeIntervalSinceReferenceDate: seconds))).text
    }
  }
}

/// Core Data's error codes for violated bounds and patterns, which Xcode's compiler writes as the
/// warnings of rules.
enum ValidationWarning: Int {
  case numberTooLarge = 1610
  case numberTooSmall = 1620
  case dateTooLate = 1630
  case dateTooSoon = 1640
  case stringTooLong = 1660
  case stringTooShort = 1670
  case stringPattern = 1680

  var isLowerBound: Bool {
    self == .numberTooSmall || self == .dateTooSoon || self == .stringTooShort
  }
  var text: String { String(rawValue) }
}
