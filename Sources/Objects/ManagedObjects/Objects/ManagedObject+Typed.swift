public import Foundation
import ObjectModel

// The accessors that typed properties of a subclass call.
extension ManagedObject {
  /// An attribute as text; "" if it is nil or not text.
  public func string(_ key: String) -> String { optionalString(key) ?? "" }

  /// An attribute as text, never truncated.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The text; nil if the value is nil or not text.
  public func optionalString(_ key: String) -> String? { String(attributeValue: self[key]) }

  /// An attribute as an integer.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil if the value is nil or not an integer.
  public func integer(_ key: String) -> Int64? { Int64(attributeValue: self[key]) }

  /// An attribute as a number.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil if the value is nil or not a number.
  public func double(_ key: String) -> Double? { Double(attributeValue: self[key]) }

  /// An attribute as a Boolean; false if it is nil.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: Whether it is true.
  public func bool(_ key: String) -> Bool { self[key] == .bool(true) }

  /// An attribute as a date.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The date; nil if the value is nil or not a date.
  public func date(_ key: String) -> Date? { Date(attributeValue: self[key]) }

  /// An attribute as a Boolean.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The Boolean; nil if the value is nil or not a Boolean.
  public func optionalBool(_ key: String) -> Bool? { Bool(attributeValue: self[key]) }

  /// An attribute as a decimal number.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil if the value is nil or not a number.
  public func decimal(_ key: String) -> Decimal? { Decimal(attributeValue: self[key]) }

  /// An attribute as bytes, never truncated.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The bytes; nil if the value is nil or not bytes.
  public func data(_ key: String) -> Data? { Data(attributeValue: self[key]) }

  /// An attribute as a UUID.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The UUID; nil if the value is nil or not a UUID.
  public func uuid(_ key: String) -> UUID? { UUID(attributeValue: self[key]) }

  /// An attribute as a URL.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The URL; nil if the value is nil or not a URL.
  public func url(_ key: String) -> URL? { URL(attributeValue: self[key]) }
}
