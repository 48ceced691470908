public import Foundation

/// A value of an attribute: one of a closed set of kinds, so that it can be stored, compared and sent anywhere.
///
/// A store keeps only five kinds (null, integer, double, string, data): those are *stored* values, found in a
/// ``RowSnapshot``. An attribute's ``ValueEncoding`` turns a stored value into what a person means by it (a date, a
/// boolean, a decimal) and back, so that what was read is never lost by being understood.
public enum Value: Sendable {
  /// No value: SQL's NULL, Core Data's nil.
  case null
  /// A whole number.
  case integer(Int64)
  /// A binary floating-point number.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// Text, compared by its UTF-8 bytes unless asked otherwise.
  case string(String)
  /// True or false.
  case bool(Bool)
  /// A moment.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A uniform resource locator.
  case url(URL)
}

extension Value {
  /// Whether this is ``null``.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Makes a ``string(_:)``.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes an ``integer(_:)``.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a ``double(_:)``.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Makes a ``bool(_:)``.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes ``null``.
  public init(nilLiteral: ()) { self = .null }
}
