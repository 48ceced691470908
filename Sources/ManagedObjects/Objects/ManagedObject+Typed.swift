public import Foundation
import ObjectModel

// What typed properties of a subclass are made of.
extension ManagedObject {
  /// An attribute as text; "" when it is nil or no text.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The text.
  public func string(_ key: String) -> String { optionalString(key) ?? "" }

  /// An attribute as text, the whole of it.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The text; nil when it is nil or no text.
  public func optionalString(_ key: String) -> String? {
    if case .string(let text) = whole(key) { text } else { nil }
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

  /// An attribute as true or false.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: Whether it is true; nil when it is nil or neither.
  public func optionalBool(_ key: String) -> Bool? {
    if case .bool(let truth) = self[key] { truth } else { nil }
  }

  /// An attribute as a decimal number.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The number; nil when it is nil or no number.
  public func decimal(_ key: String) -> Decimal? {
    switch self[key] {
    case .decimal(let number): number
    case .integer(let number): Decimal(number)
    case .double(let number) where number.isFinite: Decimal(number)
    default: nil
    }
  }

  /// An attribute as bytes, the whole of them.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The bytes; nil when it is nil or no bytes.
  public func data(_ key: String) -> Data? {
    if case .data(let bytes) = whole(key) { bytes } else { nil }
  }

  /// An attribute as a UUID.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The UUID; nil when it is nil or none.
  public func uuid(_ key: String) -> UUID? {
    if case .uuid(let uuid) = self[key] { uuid } else { nil }
  }

  /// An attribute as a URL.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The URL; nil when it is nil or none.
  public func url(_ key: String) -> URL? {
    if case .url(let url) = self[key] { url } else { nil }
  }

  /// A value that is not held cut; an error is told to the context's `onError`.
  private func whole(_ key: String) -> Value {
    do {
      return try wholeValue(forKey: key)
    } catch {
      managedObjectContext?.report(error)
      return .null
    }
  }
}
