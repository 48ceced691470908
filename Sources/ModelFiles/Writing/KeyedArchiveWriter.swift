import Foundation

/// Gathers the objects of a keyed archive; equal texts and classes are written once (core-data-stores 3.1).
struct KeyedArchiveWriter {
  /// The null object.
  static let null = PropertyListValue.uid(0)

  private var objects: [PropertyListValue] = ["$null"]
  /// By their bytes, because texts that look the same are equal as values.
  private var texts: [[UInt8]: Int] = [:]
  private var classes: [String: Int] = [:]

  /// Adds an object; texts that are there are named again.
  mutating func add(_ value: PropertyListValue) -> PropertyListValue {
    guard case .string(let text) = value else {
      objects.append(value)
      return .uid(objects.count - 1)
    }
    if let place = texts[Array(text.utf8)] { return .uid(place) }
    objects.append(value)
    texts[Array(text.utf8)] = objects.count - 1
    return .uid(objects.count - 1)
  }

  /// Adds a text; the null object for none.
  mutating func text(_ text: String?) -> PropertyListValue {
    text.map { add(.string($0)) } ?? Self.null
  }

  /// Keeps a place for an object that is described later, so that others can name it.
  mutating func reserve() -> PropertyListValue { add(.null) }

  /// Adds an object of a class.
  mutating func add(
    _ className: ArchivedClass, _ values: [String: PropertyListValue]
  ) -> PropertyListValue {
    let place = reserve()
    set(place, className, values)
    return place
  }

  /// Describes the object of a place.
  mutating func set(
    _ place: PropertyListValue, _ archivedClass: ArchivedClass,
    _ values: [String: PropertyListValue]
  ) {
    guard case .uid(let index) = place, objects.indices.contains(index) else { return }
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

  /// Adds a dictionary, sorted by its keys.
  mutating func dictionary(
    _ members: [String: PropertyListValue], _ archivedClass: ArchivedClass = .mutableDictionary
  ) -> PropertyListValue {
    let sorted = members.sorted { $0.key < $1.key }
    let keys = sorted.map { text($0.key) }
    return add(archivedClass, ["NS.keys": .array(keys), "NS.objects": .array(sorted.map(\.value))])
  }

  private mutating func reference(to archivedClass: ArchivedClass) -> PropertyListValue {
    if let place = classes[archivedClass.name] { return .uid(place) }
    let names = [archivedClass.name] + archivedClass.ancestors + ["NSObject"]
    let place = add([
      "$classname": .string(archivedClass.name),
      "$classes": .array(names.map { .string($0) }),
    ])
    if case .uid(let index) = place { classes[archivedClass.name] = index }
    return place
  }

  /// The archive.
  ///
  /// - Parameter root: The object that all others hang on.
  /// - Returns: The archive as a property list.
  func archive(root: PropertyListValue) -> PropertyListValue {
    [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": .dictionary(["root": root]),
      "$objects": .array(objects),
    ]
  }
}
