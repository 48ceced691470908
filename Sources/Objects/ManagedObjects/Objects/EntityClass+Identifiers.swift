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
  /// - Returns: The object; nil if no object has the identifier.
  /// - Throws: ``ManagedObjectError`` if the entity has no such attribute; as
  ///   `ManagedObjectContext.fetch(_:)`.
  public static func object(
    forUniqueIdentifier identifier: some AttributeValue, in context: ManagedObjectContext
  ) throws -> Self? {
    try NewValues<Self>([:], context).existing(identifier.attributeValue)
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
    let values = NewValues<Self>(dictionary, context)
    let object =
      try shouldAutoGenerateGloballyUniqueIdentifiers ? values.insert() : values.upsert()
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
    let object = try NewValues<Self>(dictionary, context).upsert()
    if saves { try context.save() }
    return object
  }
}

/// The values of a dictionary, for an object of a class.
private struct NewValues<Object: EntityClass> {
  private let context: ManagedObjectContext
  private let values: [String: Value]
  private let key = Object.uniqueIdentifier

  init(_ dictionary: [String: any AttributeValue], _ context: ManagedObjectContext) {
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
    guard let object = try existing(identifier) else { return try inserted(values) }
    let others = values.filter { $0.key != key }
    try checkKeys(of: object, others)
    try set(others, on: object)
    return object
  }

  /// Inserts an object, with a generated identifier unless the values have one; one that another
  /// object has is an error.
  func insert() throws -> Object {
    try check()
    guard let attribute = try entity().attribute(named: key) else { return try inserted(values) }
    guard let identifier = values[key], !identifier.isNull else {
      return try inserted(values.merging([key: generated(for: attribute)]) { $1 })
    }
    guard try existing(identifier) == nil else {
      throw error(
        .keyTaken, key, "another \(Object.entityName) has the \(key) \(identifier)",
        "update that one, with upsert(from:in:)")
    }
    return try inserted(values)
  }

  private func inserted(_ values: [String: Value]) throws -> Object {
    let object = try Object.insert(into: context)
    do {
      try set(values, on: object)
    } catch {
      context.discardChanges(of: [object.objectID])
      throw error
    }
    return object
  }

  private func set(_ values: [String: Value], on object: Object) throws {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try object.setValue(value, forKey: key)
    }
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

  /// Checks that the key of a saved object stays, so that nothing is changed if it would not.
  private func checkKeys(of object: Object, _ values: [String: Value]) throws {
    guard !object.objectID.isTemporary else { return }
    for key in try entity().keyAttributes.sorted() where values[key] != nil {
      // It throws, or changes nothing.
      try object.setValue(values[key, default: .null], forKey: key)
    }
  }

  private func entity() throws -> EntityDescription {
    try context.entity(named: Object.entityName, doing: "making an object")
  }

  private func unknownKey(_ key: String, in entity: EntityDescription) -> ManagedObjectError {
    .unknownKey(
      key, among: entity.attributes.map(\.name), doing: "setting \(key)", subject: entity.name)
  }

  private func error(
    _ reason: ManagedObjectError.Reason, _ key: String, _ detail: String, _ remedy: String
  ) -> ManagedObjectError {
    ManagedObjectError(
      reason, doing: "setting \(key)", subject: Object.entityName, detail: detail, remedy: remedy)
  }
}
