import Foundation
import ObjectModel

/// The rows of a store as JSON, and JSON as rows.
///
/// An object has its key, and its properties by name; what is NULL is missing. A relationship has
/// references, `"Person/7"`, in order.
struct JSONRows {
  let model: ManagedObjectModel
  let storeIdentifier: String

  private static let key = "id"

  /// The objects by entity.
  func json(of rows: InMemoryRows) throws(StoreError) -> JSONValue {
    var entities: [String: JSONValue] = [:]
    for (entityName, ids) in Dictionary(grouping: rows.objectIDs, by: \.entityName) {
      guard let entity = model.entity(named: entityName) else { continue }
      var links: [String: [ObjectID: [ObjectID]]] = [:]
      for relationship in entity.relationships {
        links[relationship.name] = try rows.destinations(of: relationship.name, from: ids)
      }
      entities[entityName] = .array(
        ids.sorted().compactMap { id in
          rows.row(of: id).map { row in
            var object: [String: JSONValue] = [Self.key: key(of: id)]
            var properties: [String: JSONValue] = [:]
            for (attribute, value) in zip(entity.attributes, row.values) where !value.isNull {
              properties[attribute.name] = json(attribute.decode(value))
            }
            for relationship in entity.relationships {
              guard let found = links[relationship.name]?[id], !found.isEmpty else { continue }
              properties[relationship.name] = .array(found.map { .string(reference(to: $0)) })
            }
            object["properties"] = .object(properties)
            return .object(object)
          }
        })
    }
    return .object(entities)
  }

  /// Reads what ``json(of:)`` wrote.
  ///
  /// - Throws: ``StoreError`` that names the object and the property that cannot be read.
  func rows(of json: JSONValue) throws(StoreError) -> InMemoryRows {
    guard case .object(let entities) = json else { throw damaged("it has no objects") }
    var rows: [RowSnapshot] = []
    var links: [ObjectLink] = []
    for (entityName, objects) in entities {
      guard let entity = model.entity(named: entityName) else {
        throw damaged("its model has no entity \(entityName)")
      }
      guard case .array(let objects) = objects else {
        throw damaged("the objects of \(entityName) are no array")
      }
      for object in objects {
        guard let id = object[Self.key].flatMap({ self.id(of: entityName, $0) }),
          case .object(let properties)? = object["properties"]
        else { throw damaged("an object of \(entityName) has no id or no properties") }
        var row = RowSnapshot(
          id: id, version: 0, values: [Value](repeating: .null, count: entity.attributes.count),
          toOne: [ObjectID?](repeating: nil, count: entity.toOneRelationships.count))
        for (name, json) in properties {
          let subject = "\(reference(to: id)).\(name)"
          if let index = entity.attributeIndex(name) {
            let attribute = entity.attributes[index]
            guard let value = value(of: json, attribute.type),
              let stored = try? attribute.encode(value)
            else { throw damaged("\(subject) is no value of the type \(attribute.type)") }
            row.values[index] = stored
          } else if entity.relationship(named: name) != nil {
            guard case .array(let texts) = json else { throw damaged("\(subject) is no array") }
            let destinations = texts.compactMap(self.id)
            guard destinations.count == texts.count else {
              throw damaged("\(subject) is no array of references")
            }
            if let index = entity.toOneIndex(name) {
              row.toOne[index] = destinations.first
            } else {
              links += destinations.map { ObjectLink(name, from: id, to: $0) }
            }
          } else {
            throw damaged("its model has no property \(entityName).\(name)")
          }
        }
        rows.append(row)
      }
    }
    return InMemoryRows(
      model: model, storeIdentifier: storeIdentifier, rows: rows, links: links)
  }

  private func damaged(_ detail: String) -> StoreError {
    StoreError(.corrupt, doing: "opening", detail: detail)
  }

  private func key(of id: ObjectID) -> JSONValue {
    if case .integer(let number) = id.key {
      .integer(number)
    } else {
      .string(id.uriRepresentation)
    }
  }

  private func id(of entityName: String, _ json: JSONValue) -> ObjectID? {
    switch json {
    case .integer(let number):
      ObjectID(storeIdentifier: storeIdentifier, entityName: entityName, key: .integer(number))
    case .string(let uri): ObjectID(uriRepresentation: uri)
    default: nil
    }
  }

  private func reference(to id: ObjectID) -> String {
    if case .integer(let number) = id.key {
      "\(id.entityName)/\(number)"
    } else {
      id.uriRepresentation
    }
  }

  private func id(_ json: JSONValue) -> ObjectID? {
    guard case .string(let text) = json else { return nil }
    if let slash = text.lastIndex(of: "/"), let number = Int64(text[slash...].dropFirst()),
      model.entity(named: String(text[..<slash])) != nil
    {
      return id(of: String(text[..<slash]), .integer(number))
    }
    return ObjectID(uriRepresentation: text)
  }

  /// A value as JSON: dates are seconds since 2001, bytes are base64, and what JSON has not is text.
  private func json(_ value: Value) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .integer(let integer): .integer(integer)
    case .double(let number): number.isFinite ? .number(number.exactText) : .string("\(number)")
    case .date(let date): json(.double(date.timeIntervalSinceReferenceDate))
    case .decimal(let number): .string("\(number)")
    case .string(let text): .string(text)
    case .data(let data): .string(data.base64EncodedString())
    case .uuid(let uuid): .string(uuid.uuidString)
    case .url(let url): .string(url.absoluteString)
    }
  }

  /// The value of an attribute; nil if it can be none.
  private func value(of json: JSONValue, _ type: AttributeType) -> Value? {
    switch (json, type) {
    case (.bool(let bool), .boolean), (.bool(let bool), .undefined): .bool(bool)
    case (.integer(let number), .date):
      .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    case (.number(let text), .date):
      Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case (.integer(let number), .double), (.integer(let number), .float): .double(Double(number))
    case (.integer(let number), _): .integer(number)
    case (.number(let text), _): Double(text).map { .double($0) }
    case (.string(let text), .double), (.string(let text), .float): Double(text).map { .double($0) }
    case (.string(let text), .date):
      Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case (.string(let text), .decimal): Decimal(string: text).map { .decimal($0) }
    case (.string(let text), .binaryData), (.string(let text), .transformable):
      Data(base64Encoded: text).map { .data($0) }
    case (.string(let text), .uuid): UUID(uuidString: text).map { .uuid($0) }
    case (.string(let text), .uri): URL(string: text).map { .url($0) }
    case (.string(let text), _): .string(text)
    default: nil
    }
  }
}
