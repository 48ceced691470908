package import Foundation

/// A property list value, binary or XML.
///
/// Objects that a binary file shares are shared in memory too, so a value is never larger than its
/// file allows. Walking over it can still take exponentially many steps: code that walks an
/// untrusted value must count them.
package enum PropertyListValue: Hashable, Sendable {
  /// Values by key.
  case dictionary([String: PropertyListValue])
  /// Values in order; a set of a binary property list is read as an array.
  case array([PropertyListValue])
  /// Text.
  case string(String)
  /// A signed 64-bit integer.
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// A boolean.
  case bool(Bool)
  /// A date in seconds since 2001-01-01 UTC; any double, so it may be outside of every calendar's
  /// range.
  case date(Double)
  /// Bytes.
  case data(Data)
  /// The index of an object in a keyed archive.
  case uid(Int)
  /// Null.
  case null
}

extension PropertyListValue {
  /// The maximum number of elements in a property list, far above that of any known model.
  static let maximumElements = 2_000_000
  /// The maximum nesting depth of a property list.
  static let maximumDepth = 200

  /// The value for a key; nil if this is not a dictionary or the key is missing.
  package subscript(key: String) -> PropertyListValue? {
    if case .dictionary(let values) = self { values[key] } else { nil }
  }

  /// The string; nil if this is not a string.
  package var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The members of a dictionary; nil if this is not a dictionary.
  package var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let values) = self { values } else { nil }
  }

  /// The elements of an array; nil if this is not an array.
  package var array: [PropertyListValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The bytes; nil if this is not data.
  package var data: Data? { if case .data(let bytes) = self { bytes } else { nil } }
}
