import Foundation
import ObjectModel
import SQLQueries

extension TableBlueprint.Column {
  /// The column of an attribute.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - isShared: Whether the table also contains rows of entities without the attribute.
  init(_ attribute: AttributeDescription, isShared: Bool) {
    self.init(
      name: attribute.name, declaredType: Self.declaredType(of: attribute),
      isRequired: !attribute.isOptional && !isShared && attribute.details.derivation == nil,
      defaultText: isShared ? nil : Self.defaultText(of: attribute))
  }

  /// A declared type whose affinity keeps the encoded values, and that describes them to a reader
  /// of the schema.
  static func declaredType(of attribute: AttributeDescription) -> String {
    switch attribute.encoding {
    case .isoText, .decimalText, .uuidText, .urlText: "TEXT"
    case .unixSeconds, .referenceSeconds, .julianDay, .oleDays, .decimalNumber: "NUMERIC"
    case .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .referenceNanoseconds,
      .webKitMicroseconds, .fileTime, .dotNetTicks, .calendarNumber:
      "INTEGER"
    case .booleanInteger: "BOOLEAN"
    case .uuidData, .externalData: "BLOB"
    case .native:
      switch attribute.type {
      case .integer16, .integer32, .integer64: "INTEGER"
      case .double, .float: "REAL"
      case .string, .uri: "TEXT"
      case .binaryData, .transformable: "BLOB"
      case .boolean: "BOOLEAN"
      case .undefined, .decimal, .date, .uuid: ""
      }
    }
  }

  /// The SQL literal of an attribute's default value; nil if it has none, or there is no literal
  /// for it.
  private static func defaultText(of attribute: AttributeDescription) -> String? {
    guard let stored = try? attribute.encode(attribute.defaultValue) else { return nil }
    switch stored {
    case .integer(let number): return "\(number)"
    case .double(let number): return number.isFinite ? "\(number)" : nil
    case .string(let text):
      return text.utf8.contains(0) ? nil : SQL.literal(text)
    case .data(let data):
      return "x'" + data.map(\.hexDigits).joined() + "'"
    default: return nil
    }
  }
}
