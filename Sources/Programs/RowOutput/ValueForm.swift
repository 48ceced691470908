import Foundation
package import ObjectModel

/// The form in which values are read.
package enum ValueForm: Sendable {
  /// As they are stored; long values are truncated as in snapshots.
  case shown
  /// As they are stored, in full.
  case stored
  /// Decoded by the model, in full, as types that JSON has: for Core Data stores, which encode
  /// values.
  case logical

  /// Whether long values are read in full.
  package var isWhole: Bool { self != .shown }

  /// Whether the form of an attribute's stored values is that in which they are stored.
  ///
  /// The mark before bytes that might be in a file is never shown: it would become part of them where
  /// they are read again.
  func keeps(_ attribute: AttributeDescription) -> Bool {
    attribute.encoding == .native || self != .logical && attribute.encoding != .externalData
  }

  /// Converts a stored value of an attribute to this form.
  package func field(_ stored: Value, of attribute: AttributeDescription) -> OutputField {
    keeps(attribute) ? .value(stored) : Self.logical(stored, of: attribute)
  }

  /// Values that do not have the type of their attribute stay as stored: core-data-stores 4.3 and
  /// 4.6.
  private static func logical(_ stored: Value, of attribute: AttributeDescription) -> OutputField {
    switch (attribute.encoding, stored) {
    case (_, .null): .value(stored)
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

  /// A decoded value as a type that JSON has.
  package static func forJSON(_ decoded: Value) -> Value {
    switch decoded {
    case .date(let date):
      dateText(date.timeIntervalSinceReferenceDate) ?? .double(date.timeIntervalSinceReferenceDate)
    case .decimal, .uuid, .url: .string(decoded.plainText)
    default: decoded
    }
  }

  /// The format of dates: `2001-01-01T00:00:00.000Z`.
  private static let dateForm = ISODate("2001-01-01T00:00:00.000Z")

  /// A date as text; nil outside the years 1 to 9999.
  private static func dateText(_ secondsSince2001: Double) -> Value? {
    let epoch = Int(Date.timeIntervalBetween1970AndReferenceDate)
    guard let text = dateForm?.text(secondsSince2001, since: epoch), !text.hasPrefix("0000") else {
      return nil
    }
    return .string(text)
  }
}
