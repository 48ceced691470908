import Foundation
import ObjectModel

/// Writes the comparison of a property with a value, or with another property.
struct ODataComparison {
  typealias Condition = ODataFilter.Condition
  typealias Comparison = FetchPredicate.Comparison

  /// The operators of OData.
  static let words: [FetchPredicate.Operator: String] = [
    .equal: "eq", .notEqual: "ne", .less: "lt", .lessOrEqual: "le", .greater: "gt",
    .greaterOrEqual: "ge",
  ]

  private let text: String
  private let kind: ODataModel.Kind
  private let isNegated: Bool

  /// - Parameters:
  ///   - text: The path of the property.
  ///   - property: The property.
  ///   - isNegated: Whether the condition is inside of `not`.
  init(_ text: String, _ property: ODataModel.Property, isNegated: Bool) {
    (self.text, kind, self.isNegated) = (text, property.kind, isNegated)
  }

  /// Writes a comparison with the property on its left; nil if it cannot be sent.
  ///
  /// `other` says where the expression on its right leads.
  func condition(
    _ comparison: Comparison,
    other: (FetchPredicate.Expression) -> (String, ODataModel.Property)?
  ) -> Condition? {
    // A double is written with few digits where the service has a float.
    if case .primitive(.single, _) = kind, comparison.right != .constant(.null) { return nil }
    switch comparison.right {
    case .constant(let value): return condition(comparison, value)
    case .list(let items):
      let values = items.compactMap { item -> Value? in
        if case .constant(let value) = item { value } else { nil }
      }
      guard values.count == items.count else { return nil }
      return condition(comparison, values)
    default:
      guard let (path, property) = other(comparison.right), property.kind == kind else {
        return nil
      }
      return condition(comparison, path)
    }
  }

  /// With another property of the same kind.
  private func condition(_ comparison: Comparison, _ other: String) -> Condition? {
    guard comparison.options.isEmpty, let word = Self.words[comparison.operation] else {
      return nil
    }
    let isEquality = [.equal, .notEqual].contains(comparison.operation)
    guard case .primitive(let type, _) = kind else { return nil }
    switch type {
    case .string, .guid, .binary, .boolean: guard isEquality else { return nil }
    case .dateTimeOffset, .duration, .timeOfDay, .single: return nil
    default: break
    }
    if isNegated, !isEquality { return nil }
    return Condition(text: "\(text) \(word) \(other)")
  }

  /// With the members of a list.
  private func condition(_ comparison: Comparison, _ values: [Value]) -> Condition? {
    switch comparison.operation {
    case .in:
      let conditions = values.filter { !$0.isNull }.map { value in
        var single = comparison
        single.operation = .equal
        return condition(single, value)
      }
      let known = conditions.compactMap(\.self)
      return known.count == conditions.count ? ODataFilter.joined(known, by: "or") : nil
    case .between:
      guard values.count == 2 else { return nil }
      var (low, high) = (comparison, comparison)
      (low.operation, high.operation) = (.greaterOrEqual, .lessOrEqual)
      guard let low = condition(low, values[0]), let high = condition(high, values[1]) else {
        return nil
      }
      return ODataFilter.joined([low, high], by: "and")
    default: return nil
    }
  }

  /// With a value.
  private func condition(_ comparison: Comparison, _ value: Value) -> Condition? {
    if value.isNull {
      switch comparison.operation {
      case .equal: return Condition(text: "\(text) eq null")
      case .notEqual: return Condition(text: "\(text) ne null")
      default: return .constant(false)
      }
    }
    switch kind {
    case .primitive(.string, _):
      guard case .string(let sought) = value else { return nil }
      return ODataTextCondition(text, isNegated: isNegated)
        .condition(comparison.operation, sought, comparison.options)
    case .enumeration: return equality(comparison, value, unknown: isKnown(value) ? nil : false)
    case .primitive(.boolean, _), .primitive(.guid, _), .primitive(.binary, _):
      return equality(comparison, value, unknown: nil)
    case .primitive(.duration, _), .primitive(.timeOfDay, _):
      // `PT60M` and `PT1H` are the same there, and two texts here.
      guard comparison.operation == .equal else { return nil }
      return inexact(equality(comparison, value, unknown: nil))
    case .primitive(.date, _):
      guard case .date(let date) = value else { return nil }
      return day(comparison.operation, date)
    case .primitive(.dateTimeOffset, let precision):
      guard case .date(let date) = value else { return nil }
      return moment(comparison.operation, date, precision)
    case .primitive:
      guard let word = Self.words[comparison.operation],
        let literal = ODataValue(kind).literal(value)
      else { return nil }
      return guarded(comparison.operation, "\(word) \(literal)")
    case .json: return nil
    }
  }

  /// A comparison that is false for null inside of `not`, too, where services differ.
  private func guarded(_ operation: FetchPredicate.Operator, _ test: String) -> Condition {
    let isEquality = [.equal, .notEqual].contains(operation)
    return isNegated && !isEquality
      ? Condition(text: "\(text) ne null and \(text) \(test)", isAtom: false)
      : Condition(text: "\(text) \(test)")
  }

  /// Whether a value may be one of the members of the enumeration.
  private func isKnown(_ value: Value) -> Bool {
    guard case .enumeration(_, let members, isFlags: false) = kind, case .string(let name) = value
    else { return true }
    return members.contains(name)
  }

  /// `unknown` is what `==` is for a value that the property never has; nil if it may have it.
  private func equality(_ comparison: Comparison, _ value: Value, unknown: Bool?) -> Condition? {
    guard comparison.options.isEmpty || !isText,
      [.equal, .notEqual].contains(comparison.operation)
    else { return nil }
    if let unknown { return .constant(unknown == (comparison.operation == .equal)) }
    guard let word = Self.words[comparison.operation], let literal = ODataValue(kind).literal(value)
    else { return nil }
    return Condition(text: "\(text) \(word) \(literal)")
  }

  private var isText: Bool { if case .enumeration = kind { true } else { false } }

  private func inexact(_ condition: Condition?) -> Condition? {
    condition.map { Condition(text: $0.text, isExact: false, isAtom: $0.isAtom) }
  }

  /// A day is a date at midnight here.
  private func day(_ operation: FetchPredicate.Operator, _ date: Date) -> Condition? {
    guard var word = Self.words[operation] else { return nil }
    let day = Date(
      timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate / 86_400).rounded(.down)
        * 86_400)
    if day != date {
      switch operation {
      case .equal: return .constant(false)
      case .notEqual: return .constant(true)
      case .less, .lessOrEqual: word = "le"
      default: word = "gt"
      }
    }
    return ODataValue(kind).literal(.date(day)).map { guarded(operation, "\(word) \($0)") }
  }

  /// A service may have more digits than `Date` keeps: then what is asked for is a little more.
  private func moment(_ operation: FetchPredicate.Operator, _ date: Date, _ precision: Int?)
    -> Condition?
  {
    guard let word = Self.words[operation], let literal = ODataValue.moment(date) else {
      return nil
    }
    let isSame =
      ISODate(literal)?.referenceSeconds == date.timeIntervalSinceReferenceDate
    if isSame, let precision, precision <= 6 {
      return guarded(operation, "\(word) \(literal)")
    }
    guard let before = ODataValue.moment(date - 2e-6), let after = ODataValue.moment(date + 2e-6)
    else { return nil }
    let condition: String
    switch operation {
    case .equal: condition = "\(text) ge \(before) and \(text) le \(after)"
    case .less, .lessOrEqual: condition = "\(text) le \(after)"
    case .greater, .greaterOrEqual: condition = "\(text) ge \(before)"
    default: return nil
    }
    return Condition(text: condition, isExact: false, isAtom: false)
  }
}

/// Writes conditions on text.
struct ODataTextCondition {
  typealias Condition = ODataFilter.Condition

  private let path: String
  private let isNegated: Bool

  init(_ path: String, isNegated: Bool) { (self.path, self.isNegated) = (path, isNegated) }

  /// - Returns: Nil if it cannot be sent: an order, diacritics, letters outside of ASCII without
  ///   case, a pattern with more than stars at its ends.
  func condition(
    _ operation: FetchPredicate.Operator, _ sought: String, _ options: FetchPredicate.Options
  ) -> Condition? {
    guard !options.contains(.d), !sought.unicodeScalars.contains("\0") else { return nil }
    let ignoresCase = options.contains(.c)
    guard !ignoresCase || sought.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    switch operation {
    case .equal: return test(nil, sought, ignoresCase)
    case .notEqual:
      guard !ignoresCase else { return nil }
      return Condition(text: "\(path) ne \(ODataValue.quoted(sought))")
    case .contains: return test("contains", sought, ignoresCase)
    case .beginsWith: return test("startswith", sought, ignoresCase)
    case .endsWith: return test("endswith", sought, ignoresCase)
    case .like: return like(sought, ignoresCase)
    default: return nil
    }
  }

  /// A pattern that has stars at its ends only.
  private func like(_ pattern: String, _ ignoresCase: Bool) -> Condition? {
    let startsOpen = pattern.hasPrefix("*")
    let endsOpen = pattern.hasSuffix("*") && pattern.count > 1
    let text = String(pattern.dropFirst(startsOpen ? 1 : 0).dropLast(endsOpen ? 1 : 0))
    guard !text.contains(where: { "*?\\".contains($0) }) else { return nil }
    if text.isEmpty, startsOpen || endsOpen {
      return Condition(text: "\(path) ne null")
    }
    switch (startsOpen, endsOpen) {
    case (false, false): return test(nil, text, ignoresCase)
    case (true, true): return test("contains", text, ignoresCase)
    case (true, false): return test("endswith", text, ignoresCase)
    case (false, true): return test("startswith", text, ignoresCase)
    }
  }

  /// A function of the text, or equality with nil.
  private func test(_ function: String?, _ sought: String, _ ignoresCase: Bool) -> Condition {
    // As in NSPredicate, the empty text is never contained.
    if sought.isEmpty, function != nil { return .constant(false) }
    let subject = ignoresCase ? "tolower(\(path))" : path
    let literal = ODataValue.quoted(ignoresCase ? sought.lowercased() : sought)
    let main = function.map { "\($0)(\(subject),\(literal))" } ?? "\(subject) eq \(literal)"
    guard ignoresCase else {
      return isNegated && function != nil
        ? Condition(text: "\(path) ne null and \(main)", isAtom: false) : Condition(text: main)
    }
    // Signs whose folding has ASCII letters, which `tolower` need not make of them.
    let letters = Set(sought.lowercased())
    let others = Self.foldedToASCII.filter { !letters.isDisjoint(with: $0.letters) }
      .map { "contains(\(path),'\($0.sign)')" }
    return Condition(
      text: ([main] + others).joined(separator: " or "), isExact: false,
      isAtom: others.isEmpty)
  }

  /// The signs outside of ASCII that case folding makes letters of ASCII of.
  static let foldedToASCII: [(sign: String, letters: Set<Character>)] =
    "ßẞſKİŉǰẖẗẘẙẚﬀﬁﬂﬃﬄﬅﬆ".unicodeScalars.map { sign in
      let folded = TextFolding.fold(String(sign), .case)
      return (
        String(sign), Set(folded.unicodeScalars.filter(\.isASCII).map { Character($0) })
      )
    }
}
