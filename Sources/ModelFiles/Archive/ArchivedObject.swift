package import Foundation

/// An object of a keyed archive, or a value within one.
///
/// Every question is answered with nil when the object is of another kind; nothing is ever a mistake of the caller.
package struct ArchivedObject: Sendable {
  private let archive: KeyedArchive
  /// What is stored: a dictionary for most objects, else text, a number or bytes.
  package let value: PropertyListValue
  /// Its place among the archive's objects; nil for a value within another.
  package let place: Int?

  init(_ archive: KeyedArchive, _ value: PropertyListValue, place: Int?) {
    self.archive = archive
    self.value = value
    self.place = place
  }

  /// The object under a key; nil when there is none, or it is null.
  package subscript(key: String) -> ArchivedObject? {
    value[key].flatMap { archive.object($0) }
  }

  /// The names of the keys, sorted, without the archiver's own.
  package var keys: [String] {
    (value.dictionary?.keys.filter { $0 != "$class" } ?? []).sorted()
  }

  /// The name of its class; nil for plain values.
  package var className: String? { self["$class"]?.value["$classname"]?.string }

  /// The text of a string.
  package var string: String? {
    if case .string(let text) = value { return text }
    return value["NS.string"]?.string
      ?? value["NS.bytes"]?.data.map { String(decoding: $0, as: UTF8.self) }
  }

  /// A whole number; true is 1.
  package var integer: Int? {
    switch value {
    case .integer(let number): return Int(number)
    case .real(let number): return Int(exactly: number)
    case .bool(let truth): return truth ? 1 : 0
    default: return self["NS.intval"]?.integer
    }
  }

  /// A number.
  package var double: Double? {
    switch value {
    case .integer(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .real(let number): return number
    case .bool(let truth): return truth ? 1 : 0
    default: return self["NS.dblval"]?.double ?? self["NS.intval"]?.double
    }
  }

  /// Whether a number is not 0.
  package var bool: Bool? { double.map { $0 != 0 } }

  /// Seconds since 2001 of a date.
  package var seconds: Double? {
    if case .date(let seconds) = value { return seconds }
    return self["NS.time"]?.double
  }

  /// The bytes of a data object.
  package var data: Data? { value.data ?? self["NS.data"]?.value.data }

  /// Whether it is an array or a set.
  package var isArray: Bool {
    value["NS.keys"] == nil && (value.array ?? value["NS.objects"]?.array) != nil
  }

  /// How many members an array, a set or a dictionary has; 0 for anything else.
  package var memberCount: Int {
    (value.array ?? value["NS.objects"]?.array ?? self["values"]?.value["NS.objects"]?.array)?.count
      ?? 0
  }

  /// The members of an array or a set, in the order of the archive; null members are left out.
  ///
  /// - Complexity: O(*n*) in the number of members.
  package var array: [ArchivedObject]? {
    guard value["NS.keys"] == nil else { return nil }
    return (value.array ?? value["NS.objects"]?.array)?.compactMap(archive.object)
  }

  /// The keys and values of a dictionary, in the order of the archive; null values are left out.
  ///
  /// A dictionary with known keys keeps them apart from its values (core-data-stores 3.1).
  ///
  /// - Complexity: O(*n*) in the number of keys.
  package var members: [(key: ArchivedObject, value: ArchivedObject)]? {
    if let keys = value["NS.keys"]?.array, let values = value["NS.objects"]?.array {
      return Self.pairs(keys, values, in: archive, emptyToken: nil)
    }
    guard let keys = self["searchMapping"]?["keys"]?.value["NS.objects"]?.array,
      let values = self["values"]?.value["NS.objects"]?.array
    else { return nil }
    return Self.pairs(keys, values, in: archive, emptyToken: self["emptyToken"]?.string ?? "")
  }

  private static func pairs(
    _ keys: [PropertyListValue], _ values: [PropertyListValue], in archive: KeyedArchive,
    emptyToken: String?
  ) -> [(key: ArchivedObject, value: ArchivedObject)] {
    zip(keys, values).compactMap { key, value in
      guard let key = archive.object(key), let value = archive.object(value),
        emptyToken == nil || value.string != emptyToken
      else { return nil }
      return (key, value)
    }
  }
}
