public import Foundation

extension ManagedObjectModel {
  /// Reads a model from its JSON.
  ///
  /// - Parameter json: What ``json()`` gave. A file that says less is understood: what it leaves out has its usual value.
  /// - Throws: ``ModelError`` when it is no such JSON, or of a later version, or the model is not whole.
  public init(json: Data) throws(ModelError) {
    let file: ModelFile
    do {
      file = try JSONDecoder().decode(ModelFile.self, from: json)
    } catch let error as DecodingError {
      throw ModelError(.unreadableModel(Self.reason(error)))
    } catch {
      throw ModelError(.unreadableModel("\(error)"))
    }
    guard file.version <= ModelFile.currentVersion else {
      throw ModelError(
        .unreadableModel("it is of version \(file.version), later than \(ModelFile.currentVersion)")
      )
    }
    self.init(entities: file.entities.map(\.description))
    try validate()
  }

  /// The model as JSON: readable, the same bytes for the same model, and nothing of it lost.
  ///
  /// - Returns: The JSON, keys sorted, what is usual left out.
  /// - Throws: ``ModelError`` when a name cannot be written.
  public func json() throws(ModelError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(ModelFile(self))
    } catch {
      throw ModelError(.unreadableModel("\(error)"))
    }
  }

  private static func reason(_ error: DecodingError) -> String {
    let context: DecodingError.Context
    var missing = ""
    switch error {
    case .keyNotFound(let key, let found):
      (context, missing) = (found, "“\(key.stringValue)” is missing")
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      .joined(separator: ".")
    let what = missing.isEmpty ? context.debugDescription : missing
    return (path.isEmpty ? "" : "at \(path): ")
      + (what.hasSuffix(".") ? String(what.dropLast()) : what)
  }
}

/// The JSON of a model.
private struct ModelFile: Codable {
  static let currentVersion = 1

  var version: Int
  var entities: [EntityRecord]

  init(_ model: ManagedObjectModel) {
    version = Self.currentVersion
    entities = model.entities.map(EntityRecord.init)
  }
}

/// The JSON of an entity.
///
/// What is nil is usual.
private struct EntityRecord: Codable {
  var name: String
  var extends: String?
  var isAbstract: Bool?
  var attributes: [AttributeRecord]?
  var relationships: [RelationshipRecord]?
  var unique: [[String]]?
  var key: [String]?
  var readOnlyReason: String?

  init(_ entity: EntityDescription) {
    name = entity.name
    extends = entity.superentityName
    isAbstract = entity.isAbstract ? true : nil
    attributes = entity.attributes.map(AttributeRecord.init).nonEmpty
    relationships = entity.relationships.map(RelationshipRecord.init).nonEmpty
    unique = entity.uniquenessConstraints.nonEmpty
    key = entity.keyAttributes.nonEmpty
    readOnlyReason = entity.readOnlyReason
  }

  var description: EntityDescription {
    EntityDescription(
      name: name, superentityName: extends, isAbstract: isAbstract ?? false,
      attributes: (attributes ?? []).map(\.description),
      relationships: (relationships ?? []).map(\.description),
      uniquenessConstraints: unique ?? [], keyAttributes: key ?? [],
      readOnlyReason: readOnlyReason)
  }
}

/// The JSON of an attribute.
///
/// What is nil is usual.
private struct AttributeRecord: Codable {
  var name: String
  var type: AttributeType
  var encoding: ValueEncoding?
  var isOptional: Bool?
  var defaultValue: Value?
  var isReadOnly: Bool?
  var declaredType: String?

  init(_ attribute: AttributeDescription) {
    name = attribute.name
    type = attribute.type
    encoding = attribute.encoding == attribute.type.usualEncoding ? nil : attribute.encoding
    isOptional = attribute.isOptional ? nil : false
    defaultValue = attribute.defaultValue.isNull ? nil : attribute.defaultValue
    isReadOnly = attribute.isReadOnly ? true : nil
    declaredType = attribute.declaredType.isEmpty ? nil : attribute.declaredType
  }

  var description: AttributeDescription {
    AttributeDescription(
      name, type, encoding: encoding, isOptional: isOptional ?? true,
      defaultValue: defaultValue ?? .null, isReadOnly: isReadOnly ?? false,
      declaredType: declaredType ?? "")
  }
}

/// The JSON of a relationship.
///
/// What is nil is usual.
private struct RelationshipRecord: Codable {
  var name: String
  var destination: String
  var inverse: String?
  var isToMany: Bool?
  var isOrdered: Bool?
  var isOptional: Bool?
  var deleteRule: DeleteRule?
  var foreignKey: [String]?

  init(_ relationship: RelationshipDescription) {
    name = relationship.name
    destination = relationship.destinationEntityName
    inverse = relationship.inverseName
    isToMany = relationship.isToMany ? true : nil
    isOrdered = relationship.isOrdered ? true : nil
    isOptional = relationship.isOptional ? nil : false
    deleteRule = relationship.deleteRule == .nullify ? nil : relationship.deleteRule
    foreignKey = relationship.foreignKeyAttributes.nonEmpty
  }

  var description: RelationshipDescription {
    RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: isToMany ?? false,
      isOrdered: isOrdered ?? false, isOptional: isOptional ?? true,
      deleteRule: deleteRule ?? .nullify, foreignKeyAttributes: foreignKey ?? [])
  }
}

extension Array {
  /// The array; nil when it is empty.
  fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}
