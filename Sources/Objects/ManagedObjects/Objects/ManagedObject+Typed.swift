public import Foundation
import ObjectModel

// The accessors that typed properties of a subclass call.
extension ManagedObject {
  /// An attribute as text; "" if it is nil or not text.
  public func string(_ key: String) -> String { String(attributeValue: self[key]) ?? "" }

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

  /// An attribute as a date.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The date; nil if the value is nil or not a date.
  public func date(_ key: String) -> Date? { Date(attributeValue: self[key]) }
}
