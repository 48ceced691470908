import Foundation

@testable import ModelFiles

/// Makes keyed archives for tests, object by object.
struct ArchiveMaker {
  private var objects: [PropertyListValue] = ["$null"]
  private var classes: [String: PropertyListValue] = [:]
  static let null = PropertyListValue.uid(0)

  /// Adds a plain value or an object as it is; its reference.
  mutating func add(_ value: PropertyListValue) -> PropertyListValue {
    objects.append(value)
    return .uid(objects.count - 1)
  }

  /// Adds an object of a class; its reference.
  mutating func object(
    _ className: String, _ fields: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    set(reserve(), className, fields)
  }

  /// Adds nothing yet, for an object that others must name before it can be made.
  mutating func reserve() -> PropertyListValue { add(.null) }

  /// Makes an object at a reserved reference.
  @discardableResult
  mutating func set(
    _ reference: PropertyListValue, _ className: String, _ fields: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    guard case .uid(let place) = reference else { return reference }
    if classes[className] == nil {
      classes[className] = add(["$classname": .string(className), "$classes": [.string(className)]])
    }
    objects[place] = .dictionary(fields.merging(["$class": classes[className] ?? .null]) { $1 })
    return reference
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

  /// The property list of the archive.
  func list(root: PropertyListValue) -> PropertyListValue {
    [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": root],
      "$objects": .array(objects),
    ]
  }

  /// The archive's bytes.
  func data(root: PropertyListValue) -> Data { list(root: root).binaryPropertyList() }
}
