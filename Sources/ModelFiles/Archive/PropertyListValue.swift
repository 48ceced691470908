package import Foundation

/// A value of a property list, binary or XML.
///
/// Parts that a file shares are shared in memory too, so that a value is never larger than its file allows. A walk over
/// such a value can still be long: whoever walks over a file's value counts the steps.
package enum PropertyListValue: Hashable, Sendable {
  /// Values by text.
  case dictionary([String: PropertyListValue])
  /// Values in order; sets are read as arrays.
  case array([PropertyListValue])
  /// Text.
  case string(String)
  /// A whole number of 64 bits.
  case integer(Int64)
  /// A whole number beyond 64 bits with a sign.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// True or false.
  case bool(Bool)
  /// A moment, in seconds since 2001; any double, so it may be out of every calendar.
  case date(Double)
  /// Bytes.
  case data(Data)
  /// The place of an object in a keyed archive.
  case uid(Int)
  /// No value.
  case null
}

extension PropertyListValue {
  /// The most elements that a property list may have in all; no model comes near.
  static let maximumElements = 2_000_000
  /// The deepest that a property list may be nested.
  static let maximumDepth = 200

  /// The value of a key; nil when this is no dictionary or has no such key.
  package subscript(key: String) -> PropertyListValue? {
    if case .dictionary(let values) = self { values[key] } else { nil }
  }

  /// The text; nil when this is none.
  package var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The values of a dictionary; nil when this is none.
  package var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let values) = self { values } else { nil }
  }

  /// The values of an array; nil when this is none.
  package var array: [PropertyListValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The bytes; nil when these are none.
  package var data: Data? { if case .data(let bytes) = self { bytes } else { nil } }
}
