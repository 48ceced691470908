import Foundation
import ObjectModel

/// In which form values are read.
enum ValueForm {
  /// As they are stored, long ones as far as snapshots hold them: to be looked at.
  case shown
  /// As they are stored, whole.
  case stored
  /// What a model means by them, whole, as values that JSON has: of a Core Data store, whose stored values say little.
  case logical

  /// Whether long values are wanted whole.
  var isWhole: Bool { self != .shown }

  /// Turns a stored value of an attribute into this form.
  func field(_ stored: Value, of attribute: AttributeDescription) -> OutputField {
    self == .logical ? Self.logical(stored, of: attribute) : .value(stored)
  }

  /// Values that do not fit their type are handed on as they are stored: core-data-stores 4.3 and 4.6.
  private static func logical(_ stored: Value, of attribute: AttributeDescription) -> OutputField {
    switch (attribute.encoding, stored) {
    case (.native, _), (_, .null): .value(stored)
    case (.booleanInteger, .integer(let number)): .value(.bool(number != 0))
    case (.decimalNumber, .integer), (.decimalNumber, .double):
      .value(.string(stored.plainText))
    case (.referenceSeconds, .integer(let seconds)):
      .value(dateText(Double(seconds)) ?? stored)
    case (.referenceSeconds, .double(let seconds)): .value(dateText(seconds) ?? stored)
    case (.uuidData, .data), (.urlText, .string):
      .value(.string(attribute.decode(stored).plainText))
    case (.externalData, .data):
      attribute.externalFileName(in: stored).map(OutputField.missingFile)
        ?? .value(attribute.decode(stored))
    default: .value(stored)
    }
  }

  /// A decoded value as one that JSON has.
  static func forJSON(_ decoded: Value) -> Value {
    switch decoded {
    case .date(let date):
      dateText(date.timeIntervalSinceReferenceDate) ?? .double(date.timeIntervalSinceReferenceDate)
    case .decimal, .uuid, .url: .string(decoded.plainText)
    default: decoded
    }
  }

  /// How dates are written: `2001-01-01T00:00:00.000Z`.
  private static let dateForm = ISODate("2001-01-01T00:00:00.000Z")

  /// A moment as text; nil outside the years 1 to 9999.
  private static func dateText(_ secondsSince2001: Double) -> Value? {
    let seconds = secondsSince2001 + Date.timeIntervalBetween1970AndReferenceDate
    guard let text = dateForm?.text(secondsSince1970: seconds), !text.hasPrefix("0000") else {
      return nil
    }
    return .string(text)
  }
}
