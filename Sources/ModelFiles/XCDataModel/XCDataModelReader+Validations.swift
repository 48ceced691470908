import Foundation
import ObjectModel

extension XCDataModelReader {
  /// The rules that the bounds and the pattern of an attribute are compiled to, with the numbers of their errors.
  mutating func validations(
    of element: MarkupElement, type: AttributeType, name: String
  ) -> [ValidationRule] {
    if let json = element[XCDataModel.ownPrefix + "validations"] {
      return (decoded([[String?]].self, json, of: name) ?? []).compactMap { rule in
        rule.first.flatMap { $0 }.map { predicate in
          ValidationRule(predicate, warning: rule.count > 1 ? rule[1] : nil)
        }
      }
    }
    return Self.bounds(of: element, type: type).compactMap { rule in
      guard let predicate = PredicateText.canonical(rule.predicate) else {
        notes.add("A rule of \(ModelNotes.quoted(name)) is not understood and was left out")
        return nil
      }
      return ValidationRule(predicate, warning: rule.warning)
    }
  }

  /// The rules in the words of the compiler.
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
      add("SELF", moment(element["minDateTimeInterval"]), .dateTooSoon)
      add("SELF", moment(element["maxDateTimeInterval"]), .dateTooLate)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      add("SELF", element.text("minValueString"), .numberTooSmall)
      add("SELF", element.text("maxValueString"), .numberTooLarge)
    default: break
    }
    return rules
  }

  private static func moment(_ seconds: String?) -> String? {
    seconds.flatMap { Double($0) }.map { seconds in
      FetchPredicate.Expression.constant(.date(Date(timeIntervalSinceReferenceDate: seconds))).text
    }
  }
}

/// The numbers of the errors that Core Data gives for a bound that is not kept, as its compiler writes them.
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
