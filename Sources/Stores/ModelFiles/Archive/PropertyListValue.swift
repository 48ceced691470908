package import Foundation
import ObjectModel

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

extension PropertyListValue {
  /// Reads a property list, binary or XML, in time and memory linear in its length even if it is
  /// untrusted.
  ///
  /// - Throws: ``ModelFileError`` when the data is not a property list, is damaged, or exceeds a
  ///   limit.
  package static func read(_ data: Data) throws(ModelFileError) -> PropertyListValue {
    data.starts(with: BinaryPropertyListReader.signature)
      ? try BinaryPropertyListReader.value(of: data) : try XMLPropertyListReader.value(of: data)
  }
}

/// Literals make property lists in code: `["NSIsOptional": true, "NSMaxCount": 1]`. The first of
/// two equal keys wins.
extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(Dictionary(firstOf: elements))
  }
}
