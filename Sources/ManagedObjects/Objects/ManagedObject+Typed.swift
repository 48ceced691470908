public import Foundation
import ObjectModel

// What typed properties of a subclass are made of.
extension ManagedObject {
  /// An attribute as text; "" when it is nil or no text.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The text.
  public func string(_ key: String) -> String { optionalString(key) ?? "" }

  /// An attribute as text.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The text; nil when it is nil or no text.
  public func optionalString(_ key: String) -> String? {
    if case .string(let text) = self[key] { text } else { nil }
  }

  /// An attribute as a whole number.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil when it is nil or no whole number.
  public func integer(_ key: String) -> Int64? {
    if case .integer(let number) = self[key] { number } else { nil }
  }

  /// An attribute as a number.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil when it is nil or no number.
  public func double(_ key: String) -> Double? {
    switch self[key] {
    case .double(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// An attribute as true or false; false when it is nil.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: Whether it is true.
  public func bool(_ key: String) -> Bool { self[key] == .bool(true) }

  /// An attribute as a moment.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The moment; nil when it is nil or no date.
  public func date(_ key: String) -> Date? {
    if case .date(let date) = self[key] { date } else { nil }
  }
}
