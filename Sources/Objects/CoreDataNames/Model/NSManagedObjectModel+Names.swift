public import Foundation
import ModelFiles
public import ObjectModel
import PersistentContainers

extension ManagedObjectModel {
  /// Reads the model of a file.
  ///
  /// - Parameter url: The URL of a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`. The result is
  ///   nil if there is no such file or it has no model: `ModelFile.read(path:)` says why.
  public init?(contentsOf url: URL) {
    guard let model = try? ModelFile.read(path: url.path).model else { return nil }
    self = model
  }

  /// Merges the models of bundles into one.
  ///
  /// - Parameter bundles: The bundles; nil for the program and the resources in its folder.
  /// - Returns: The model; nil if no model was found, or two models declare an entity differently.
  public static func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let library =
      bundles.map { ModelLibrary(folders: $0.map { $0.resourcePath ?? $0.bundlePath }) }
      ?? .program
    return try? library.mergedModel()
  }

  /// The entities by name.
  public var entitiesByName: [String: NSEntityDescription] {
    Dictionary(firstOf: entities.map { ($0.name, $0) })
  }
}

extension EntityDescription {
  /// The attributes by name, inherited and transient ones too.
  public var attributesByName: [String: NSAttributeDescription] {
    Dictionary(firstOf: (attributes + details.transientAttributes).map { ($0.name, $0) })
  }

  /// The relationships by name, inherited ones too.
  public var relationshipsByName: [String: NSRelationshipDescription] {
    Dictionary(firstOf: relationships.map { ($0.name, $0) })
  }
}

extension AttributeDescription {
  /// The type of the values.
  public var attributeType: NSAttributeType { type }
}

extension AttributeType {
  /// Unknown.
  public static let undefinedAttributeType = AttributeType.undefined
  /// A 16-bit integer.
  public static let integer16AttributeType = AttributeType.integer16
  /// A 32-bit integer.
  public static let integer32AttributeType = AttributeType.integer32
  /// A 64-bit integer.
  public static let integer64AttributeType = AttributeType.integer64
  /// A decimal number.
  public static let decimalAttributeType = AttributeType.decimal
  /// A double.
  public static let doubleAttributeType = AttributeType.double
  /// A float.
  public static let floatAttributeType = AttributeType.float
  /// Text.
  public static let stringAttributeType = AttributeType.string
  /// A Boolean.
  public static let booleanAttributeType = AttributeType.boolean
  /// A date.
  public static let dateAttributeType = AttributeType.date
  /// Bytes.
  public static let binaryDataAttributeType = AttributeType.binaryData
  /// A UUID.
  public static let UUIDAttributeType = AttributeType.uuid
  /// A URI.
  public static let URIAttributeType = AttributeType.uri
  /// The ID of an object: of an expression, which needs no type here; no attribute has it.
  public static let objectIDAttributeType = AttributeType.undefined
  /// The bytes that a value transformer makes of an object; never decoded.
  public static let transformableAttributeType = AttributeType.transformable
}

extension DeleteRule {
  /// Nothing happens to the destinations.
  public static let noActionDeleteRule = DeleteRule.noAction
  /// The inverse of the destinations is set to nil.
  public static let nullifyDeleteRule = DeleteRule.nullify
  /// The destinations are deleted too.
  public static let cascadeDeleteRule = DeleteRule.cascade
  /// The deletion is refused while there are destinations.
  public static let denyDeleteRule = DeleteRule.deny
}
