import Foundation

/// Collects the objects of a keyed archive; equal strings and classes are written once
/// (core-data-stores 3.1).
///
/// The methods that add an object return its UID.
struct KeyedArchiveWriter {
  /// The UID of the null object.
  static let null = PropertyListValue.uid(0)

  private var objects: [PropertyListValue] = ["$null"]
  /// The indexes of strings by their UTF-8 bytes, because canonically equivalent strings are equal
  /// as values.
  private var texts: [[UInt8]: Int] = [:]
  private var classes: [String: Int] = [:]

  /// Adds an object; a string that was added before is not added again.
  mutating func add(_ value: PropertyListValue) -> PropertyListValue {
    guard case .string(let text) = value else {
      objects.append(value)
      return .uid(objects.count - 1)
    }
    if let index = texts[Array(text.utf8)] { return .uid(index) }
    objects.append(value)
    texts[Array(text.utf8)] = objects.count - 1
    return .uid(objects.count - 1)
  }

  /// Adds a string; nil gives the null object.
  mutating func text(_ text: String?) -> PropertyListValue {
    text.map { add(.string($0)) } ?? Self.null
  }

  /// Reserves a UID for an object that is set later, so that other objects can refer to it.
  mutating func reserve() -> PropertyListValue { add(.null) }

  /// Adds an object of a class.
  mutating func add(
    _ className: ArchivedClass, _ values: [String: PropertyListValue]
  ) -> PropertyListValue {
    let uid = reserve()
    set(uid, className, values)
    return uid
  }

  /// Sets the object of a reserved UID.
  mutating func set(
    _ uid: PropertyListValue, _ archivedClass: ArchivedClass,
    _ values: [String: PropertyListValue]
  ) {
    guard case .uid(let index) = uid, objects.indices.contains(index) else { return }
    var values = values
    values["$class"] = reference(to: archivedClass)
    objects[index] = .dictionary(values)
  }

  /// Adds an array, or a set.
  mutating func array(
    _ members: [PropertyListValue], _ archivedClass: ArchivedClass = .mutableArray
  ) -> PropertyListValue {
    add(archivedClass, ["NS.objects": .array(members)])
  }

  /// Adds a dictionary with its members sorted by key.
  mutating func dictionary(
    _ members: [String: PropertyListValue], _ archivedClass: ArchivedClass = .mutableDictionary
  ) -> PropertyListValue {
    let sorted = members.sorted { $0.key < $1.key }
    let keys = sorted.map { text($0.key) }
    return add(archivedClass, ["NS.keys": .array(keys), "NS.objects": .array(sorted.map(\.value))])
  }

  private mutating func reference(to archivedClass: ArchivedClass) -> PropertyListValue {
    if let index = classes[archivedClass.name] { return .uid(index) }
    let names = [archivedClass.name] + archivedClass.ancestors + ["NSObject"]
    let uid = add([
      "$classname": .string(archivedClass.name),
      "$classes": .array(names.map { .string($0) }),
    ])
    if case .uid(let index) = uid { classes[archivedClass.name] = index }
    return uid
  }

  /// Returns the archive with all objects added so far.
  func archive(root: PropertyListValue) -> PropertyListValue {
    [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": .dictionary(["root": root]),
      "$objects": .array(objects),
    ]
  }
}
