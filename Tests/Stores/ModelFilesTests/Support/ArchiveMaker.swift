import Foundation

@testable import ModelFiles

/// Builds keyed archives for tests, object by object; methods that add an object return its UID.
struct ArchiveMaker {
  private var objects: [PropertyListValue] = ["$null"]
  private var classes: [String: PropertyListValue] = [:]
  static let null = PropertyListValue.uid(0)

  /// Adds a plain value, or an object without a class.
  mutating func add(_ value: PropertyListValue) -> PropertyListValue {
    objects.append(value)
    return .uid(objects.count - 1)
  }

  /// Adds an object of a class.
  mutating func object(
    _ className: String, _ fields: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    set(reserve(), className, fields)
  }

  /// Reserves a UID for an object that other objects refer to before it is set.
  mutating func reserve() -> PropertyListValue { add(.null) }

  /// Sets the object of a reserved UID.
  @discardableResult
  mutating func set(
    _ uid: PropertyListValue, _ className: String, _ fields: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    guard case .uid(let index) = uid else { return uid }
    if classes[className] == nil {
      classes[className] = add(["$classname": .string(className), "$classes": [.string(className)]])
    }
    objects[index] = .dictionary(fields.merging(["$class": classes[className] ?? .null]) { $1 })
    return uid
  }

  mutating func array(_ members: [PropertyListValue], _ name: String = "NSArray")
    -> PropertyListValue
  {
    object(name, ["NS.objects": .array(members)])
  }

  mutating func dictionary(_ members: [(String, PropertyListValue)]) -> PropertyListValue {
    let keys = members.map { add(.string($0.0)) }
    return object(
      "NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(members.map(\.1))])
  }

  /// The archive as a property list.
  func list(root: PropertyListValue) -> PropertyListValue {
    [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": root],
      "$objects": .array(objects),
    ]
  }

  /// The archive as a binary property list.
  func data(root: PropertyListValue) -> Data { list(root: root).binaryPropertyList() }
}
