import Foundation
import ModelFiles
import ObjectModel

/// The objects of an XML store as rows of a model.
struct XMLRows: StoredRows {
  let model: ManagedObjectModel
  private let table: RowTable
  /// The destinations of to-many relationships, by entity and name.
  private var links: [Link: [ObjectID: [ObjectID]]] = [:]

  private struct Link: Hashable {
    let entityName: String
    let name: String
  }

  /// Finds the entities and properties of a model that the names in a file mean, and reads the
  /// values.
  ///
  /// - Throws: ``StoreError`` if the model does not have one, or a text is no value of its type.
  init(_ database: XMLDatabase, model: ManagedObjectModel, storeIdentifier: String)
    throws(StoreError)
  {
    self.model = model
    let entities = Dictionary(firstOf: model.entities.map { ($0.name.uppercased(), $0) })
    var ids: [String: ObjectID] = [:]
    for object in database.objects {
      guard let entity = entities[object.type.uppercased()] else {
        throw StoreError(
          .unsupported, doing: "opening", detail: "the model has no entity \(object.type)",
          remedy: "--model with the model of the app that made it")
      }
      let number = object.id.hasPrefix("z") ? Int64(object.id.dropFirst()) : nil
      ids[object.id] = ObjectID(
        storeIdentifier: storeIdentifier, entityName: entity.name,
        key: number.map { .integer($0) } ?? .composite([.string(object.id)]))
    }
    let texts = XMLText(framework: database.metadata?["NSPersistenceFrameworkVersion"])
    var rows: [RowSnapshot] = []
    for object in database.objects {
      guard let id = ids[object.id], let entity = model.entity(named: id.entityName) else {
        continue
      }
      let names = Dictionary(
        firstOf: (entity.attributes.map(\.name) + entity.relationships.map(\.name))
          .map { ($0.lowercased(), $0) })
      var values = [Value](repeating: .null, count: entity.attributes.count)
      for attribute in object.attributes {
        guard let index = names[attribute.name.lowercased()].flatMap(entity.attributeIndex) else {
          throw Self.unknown(attribute.name, of: entity)
        }
        values[index] = try texts.value(of: attribute, as: entity.attributes[index])
      }
      var toOne = [ObjectID?](repeating: nil, count: entity.toOneRelationships.count)
      for relationship in object.relationships {
        guard let name = names[relationship.name.lowercased()],
          let found = entity.relationship(named: name)
        else { throw Self.unknown(relationship.name, of: entity) }
        // A reference to an object that the file does not have leads nowhere.
        let destinations = relationship.ids.compactMap { ids[$0] }
        if let index = entity.toOneIndex(name) {
          toOne[index] = destinations.first
        } else {
          links[Link(entityName: entity.name, name: name), default: [:]][id] =
            found.isOrdered ? destinations : destinations.sorted()
        }
      }
      rows.append(RowSnapshot(id: id, version: 0, values: values, toOne: toOne))
    }
    table = RowTable(rows, model: model)
  }

  private static func unknown(_ name: String, of entity: EntityDescription) -> StoreError {
    StoreError(
      .unsupported, doing: "opening", detail: "the model has no \(entity.name).\(name)",
      remedy: "--model with the model of the app that made it")
  }

  var objectIDs: some Collection<ObjectID> { table.objectIDs }

  func row(of id: ObjectID) -> RowSnapshot? { table.row(of: id) }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    guard let first = ids.first,
      model.entity(named: first.entityName)?.relationship(named: relationship)?.isToMany == true
    else { return try table.destinations(of: relationship, from: ids) }
    return ids.reduce(into: [:]) { found, id in
      found[id] = links[Link(entityName: id.entityName, name: relationship)]?[id]
    }
  }
}

/// Reads the texts of an XML store as values.
struct XMLText {
  /// Whether `<`, `>` and `&` are written as `\u3c00`: a UTF-16 unit with its bytes swapped, as old
  /// frameworks do.
  private let isEscaped: Bool

  /// - Parameter framework: The version of the framework that wrote the file.
  init(framework: PropertyListValue?) {
    isEscaped = if case .integer(let version)? = framework { version < 400 } else { false }
  }

  /// Reads a value.
  ///
  /// - Returns: The value as a row has it.
  /// - Throws: ``StoreError`` if the text is no value of its type.
  func value(of written: XMLDatabase.Attribute, as attribute: AttributeDescription)
    throws(StoreError) -> Value
  {
    // What is written as text may be a UUID or a URI.
    let type = AttributeType(xmlName: written.type) ?? attribute.type
    for type in type == .string ? [type, attribute.type] : [type] {
      if let value = value(written.text, as: type), let stored = try? attribute.encode(value) {
        return stored
      }
    }
    throw StoreError(
      .corrupt, doing: "opening",
      detail: "“\(written.text.prefix(40))” of \(attribute.name) is no \(written.type)")
  }

  private func value(_ text: String, as type: AttributeType) -> Value? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return switch type {
    case .string, .undefined: .string(unescaped(text))
    case .integer16, .integer32, .integer64: Int64(trimmed).map { .integer($0) }
    case .boolean: Int64(trimmed).map { .bool($0 != 0) }
    case .float: Float(trimmed).map { .double(Double($0)) }
    case .double: Double(trimmed).map { .double($0) }
    case .decimal: Decimal(string: trimmed).map { .decimal($0) }
    case .date: Double(trimmed).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .binaryData, .transformable:
      Data(base64Encoded: trimmed, options: .ignoreUnknownCharacters).map { .data($0) }
    case .uuid: UUID(uuidString: trimmed).map { .uuid($0) }
    case .uri: URL(string: trimmed).map { .url($0) }
    }
  }

  private func unescaped(_ text: String) -> String {
    guard isEscaped, text.contains("\\u") else { return text }
    return text.replacingOccurrences(of: "\\u3c00", with: "<")
      .replacingOccurrences(of: "\\u3e00", with: ">")
      .replacingOccurrences(of: "\\u2600", with: "&")
  }
}
