import Foundation

/// An object of a keyed archive, or a plain value within one.
///
/// Every property is nil when the object is of another kind, so that damaged archives need no
/// checks by the caller.
struct ArchivedObject: Sendable {
  private let archive: KeyedArchive
  /// The stored property list value: a dictionary for most objects, else a string, a number or
  /// bytes.
  let value: PropertyListValue
  /// The index in the archive's `$objects`; nil for a value that is stored inside another object.
  let index: Int?

  init(_ archive: KeyedArchive, _ value: PropertyListValue, index: Int?) {
    self.archive = archive
    self.value = value
    self.index = index
  }

  /// The object for a key; nil if the key is missing or its value is null.
  subscript(key: String) -> ArchivedObject? {
    value[key].flatMap { archive.object($0) }
  }

  /// The sorted keys of the object, without `$class`.
  var keys: [String] {
    (value.dictionary?.keys.filter { $0 != "$class" } ?? []).sorted()
  }

  /// The class name; nil for a plain value.
  var className: String? { self["$class"]?.value["$classname"]?.string }

  /// The text of a string object.
  var string: String? {
    if case .string(let text) = value { return text }
    return value["NS.string"]?.string
      ?? value["NS.bytes"]?.data.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of an integer number; true is 1; nil for a number with a fraction.
  var integer: Int? {
    switch value {
    case .integer(let number): return Int(number)
    case .real(let number): return Int(exactly: number)
    case .bool(let truth): return truth ? 1 : 0
    default: return self["NS.intval"]?.integer
    }
  }

  /// The value of a number; true is 1.
  var double: Double? {
    switch value {
    case .integer(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .real(let number): return number
    case .bool(let truth): return truth ? 1 : 0
    default: return self["NS.dblval"]?.double ?? self["NS.intval"]?.double
    }
  }

  /// Whether a number is not 0.
  var bool: Bool? { double.map { $0 != 0 } }

  /// The time of a date, in seconds since 2001-01-01 UTC.
  var seconds: Double? {
    if case .date(let seconds) = value { return seconds }
    return self["NS.time"]?.double
  }

  /// The bytes of a data object.
  var data: Data? { value.data ?? self["NS.data"]?.value.data }

  /// Whether it is an array or a set.
  var isArray: Bool {
    value["NS.keys"] == nil && (value.array ?? value["NS.objects"]?.array) != nil
  }

  /// The number of members of an array, a set or a dictionary, nulls included; 0 for anything else.
  var memberCount: Int {
    (value.array ?? value["NS.objects"]?.array ?? self["values"]?.value["NS.objects"]?.array)?.count
      ?? 0
  }

  /// The members of an array or a set in archive order, without nulls.
  ///
  /// - Complexity: O(*n*) in the number of members.
  var array: [ArchivedObject]? {
    guard value["NS.keys"] == nil else { return nil }
    return (value.array ?? value["NS.objects"]?.array)?.compactMap(archive.object)
  }

  /// The keys and values of a dictionary in archive order, without null values.
  ///
  /// An `NSKnownKeysDictionary1` stores its keys in a separate object (core-data-stores 3.1).
  ///
  /// - Complexity: O(*n*) in the number of keys.
  var members: [(key: ArchivedObject, value: ArchivedObject)]? {
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
