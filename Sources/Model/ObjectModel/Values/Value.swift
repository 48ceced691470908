public import Foundation

/// A value of an attribute: one of a closed set of kinds.
///
/// SQLite stores only five kinds (null, integer, double, string, data): these are the *stored*
/// values in a ``RowSnapshot``. An attribute's ``ValueEncoding`` decodes a stored value to the
/// *decoded* one (a date, a boolean, a decimal) and encodes it again. A stored value that does not
/// match its encoding is kept unchanged.
public enum Value: Sendable {
  /// SQL's NULL, Core Data's nil.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A double.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// Text, compared by its UTF-8 bytes unless a comparison option says otherwise.
  ///
  /// Of stored text that is not UTF-8 each byte that belongs to no character is U+10FF00 plus the
  /// byte; saving it writes the same bytes again.
  case string(String)
  /// A boolean.
  case bool(Bool)
  /// A date.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A URL.
  case url(URL)
}

extension Value {
  /// Whether this is ``null``.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

// Not by `nil`: where a `Value?` is wanted, the compiler takes `isKnown ? value : nil` for null.
extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// Creates a ``string(_:)``.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an ``integer(_:)``.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a ``double(_:)``.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a ``bool(_:)``.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
