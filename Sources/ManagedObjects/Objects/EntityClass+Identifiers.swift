import Foundation
public import ObjectModel

// Objects by the identifier that a server or a file knows them by.
extension EntityClass {
  /// "objectId".
  public static var uniqueIdentifier: String { "objectId" }

  /// True.
  public static var shouldAutoGenerateGloballyUniqueIdentifiers: Bool { true }

  /// Finds the object with a value of the attribute ``uniqueIdentifier``, unsaved ones included.
  ///
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - context: The context.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``ManagedObjectError`` if the entity has no such attribute; as
  ///   `ManagedObjectContext.fetch(_:)`.
  public static func object(
    forUniqueIdentifier identifier: some AttributeValue, in context: ManagedObjectContext
  ) throws -> Self? {
    let values = NewValues(Self.self, [uniqueIdentifier: identifier], context)
    return try values.existing(identifier.attributeValue)
  }

  /// Inserts an object with the values of a dictionary.
  ///
  /// If the class generates identifiers, one is generated unless the dictionary has it: a UUID, as
  /// text if the attribute is text. If it does not, the dictionary must have one, and the object that
  /// already has it is updated instead.
  ///
  /// - Parameters:
  ///   - dictionary: The values by attribute.
  ///   - context: The context.
  ///   - saves: Whether the context is saved afterwards, with all its changes.
  /// - Returns: The object.
  /// - Throws: ``ManagedObjectError`` that names the key, if an attribute is unknown, cannot have the
  ///   value, or the identifier is missing or taken: nothing is inserted or changed then. What the
  ///   save throws: the object is inserted and not saved then.
  @discardableResult
  public static func newObject(
    from dictionary: [String: any AttributeValue], in context: ManagedObjectContext,
    saves: Bool = false
  ) throws -> Self {
    let values = NewValues(Self.self, dictionary, context)
    let object =
      shouldAutoGenerateGloballyUniqueIdentifiers
      ? try values.insert(generating: true) : try values.upsert()
    if saves { try context.save() }
    return object
  }

  /// Updates the object that has the identifier of a dictionary, or inserts one.
  ///
  /// - Parameters:
  ///   - dictionary: The values by attribute, the identifier among them; others keep their value.
  ///   - context: The context.
  ///   - saves: Whether the context is saved afterwards, with all its changes.
  /// - Returns: The object.
  /// - Throws: As ``newObject(from:in:saves:)``.
  @discardableResult
  public static func upsert(
    from dictionary: [String: any AttributeValue], in context: ManagedObjectContext,
    saves: Bool = false
  ) throws -> Self {
    let object = try NewValues(Self.self, dictionary, context).upsert()
    if saves { try context.save() }
    return object
  }
}

/// The values of a dictionary, for an object of a class.
private struct NewValues<Object: EntityClass> {
  private let context: ManagedObjectContext
  private var values: [String: Value]
  private let key = Object.uniqueIdentifier

  init(
    _ type: Object.Type, _ dictionary: [String: any AttributeValue], _ context: ManagedObjectContext
  ) {
    self.context = context
    values = dictionary.mapValues(\.attributeValue)
  }

  /// The object that has an identifier.
  func existing(_ identifier: Value) throws -> Object? {
    let entity = try entity()
    guard entity.attribute(named: key) != nil else { throw unknownKey(key, in: entity) }
    return try Object.object(where: PropertyKey(path: [key]) == identifier, in: context)
  }

  func upsert() throws -> Object {
    guard let identifier = values[key], !identifier.isNull else {
      throw error(.wrongType, key, "the dictionary has no identifier", "give it a value for \(key)")
    }
    try check()
    guard let object = try existing(identifier) else { return try insert(generating: false) }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) where key != self.key {
      try object.setValue(value, forKey: key)
    }
    return object
  }

  /// Inserts an object; an identifier that another object has is an error.
  func insert(generating: Bool) throws -> Object {
    var values = values
    try check()
    if let attribute = try entity().attribute(named: key) {
      if let identifier = values[key], !identifier.isNull {
        guard try existing(identifier) == nil else {
          throw error(
            .keyTaken, key, "another \(Object.entityName) has the \(key) \(identifier)",
            "update that one, with upsert(from:in:)")
        }
      } else if generating {
        values[key] = try generated(for: attribute)
      }
    }
    let object = try Object.insert(into: context)
    do {
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        try object.setValue(value, forKey: key)
      }
    } catch {
      context.discardChanges(of: [object.objectID])
      throw error
    }
    return object
  }

  private func generated(for attribute: AttributeDescription) throws -> Value {
    switch attribute.type {
    case .uuid: return .uuid(UUID())
    case .string: return .string(UUID().uuidString)
    default:
      throw error(
        .wrongType, key, "an identifier can only be generated for text or a UUID",
        "give the dictionary a value for \(key)")
    }
  }

  /// Checks all keys and values, so that nothing is changed if one is wrong.
  private func check() throws {
    let entity = try entity()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let attribute = entity.attribute(named: key) else { throw unknownKey(key, in: entity) }
      if attribute.isReadOnly {
        throw error(.readOnly, key, "the store computes it", "leave it out")
      }
      do {
        _ = try attribute.encode(value)
      } catch {
        throw self.error(.wrongType, key, String(describing: error), "")
      }
    }
  }

  private func entity() throws -> EntityDescription {
    if let entity = context.model.entity(named: Object.entityName) { return entity }
    throw context.unknownEntity(Object.entityName, doing: "making an object")
  }

  private func unknownKey(_ key: String, in entity: EntityDescription) -> ManagedObjectError {
    let near = NearestNames.suggestions(for: key, in: entity.attributes.map(\.name))
    return error(.unknownKey, key, "", near.joined(separator: ", "))
  }

  private func error(
    _ reason: ManagedObjectError.Reason, _ key: String, _ detail: String, _ remedy: String
  ) -> ManagedObjectError {
    ManagedObjectError(
      reason, doing: "setting \(key)", subject: Object.entityName, detail: detail, remedy: remedy)
  }
}
