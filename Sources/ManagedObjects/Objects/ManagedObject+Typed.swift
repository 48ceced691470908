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
  public func optionalString(_ key: String) -> String? {
    if case .string(let text) = self[key] { text } else { nil }
  }

  /// An attribute as an integer.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil if the value is nil or not an integer.
  public func integer(_ key: String) -> Int64? {
    if case .integer(let number) = self[key] { number } else { nil }
  }

  /// An attribute as a number.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil if the value is nil or not a number.
  public func double(_ key: String) -> Double? {
    switch self[key] {
    case .double(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// An attribute as a Boolean; false if it is nil.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: Whether it is true.
  public func bool(_ key: String) -> Bool { self[key] == .bool(true) }

  /// An attribute as a date.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The date; nil if the value is nil or not a date.
  public func date(_ key: String) -> Date? {
    if case .date(let date) = self[key] { date } else { nil }
  }

  /// An attribute as a Boolean.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The Boolean; nil if the value is nil or not a Boolean.
  public func optionalBool(_ key: String) -> Bool? {
    if case .bool(let truth) = self[key] { truth } else { nil }
  }

  /// An attribute as a decimal number.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil if the value is nil or not a number.
  public func decimal(_ key: String) -> Decimal? {
    switch self[key] {
    case .decimal(let number): number
    case .integer(let number): Decimal(number)
    case .double(let number) where number.isFinite: Decimal(number)
    default: nil
    }
  }

  /// An attribute as bytes, never truncated.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The bytes; nil if the value is nil or not bytes.
  public func data(_ key: String) -> Data? {
    if case .data(let bytes) = self[key] { bytes } else { nil }
  }

  /// An attribute as a UUID.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The UUID; nil if the value is nil or not a UUID.
  public func uuid(_ key: String) -> UUID? {
    if case .uuid(let uuid) = self[key] { uuid } else { nil }
  }

  /// An attribute as a URL.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The URL; nil if the value is nil or not a URL.
  public func url(_ key: String) -> URL? {
    if case .url(let url) = self[key] { url } else { nil }
  }
}
