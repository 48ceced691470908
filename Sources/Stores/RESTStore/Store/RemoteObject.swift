import ObjectModel

/// An object as the service represents it, read with the model.
struct RemoteObject: Sendable {
  var entity: EntityDescription
  var key: RESTKey
  /// Its version in the service; nil if that was not said.
  var version: String?
  /// The values that came, decoded.
  var values: [String: Value]
  /// Where the relationships lead that came.
  var references: [String: [RESTReference]]
}

extension RESTClient {
  /// The objects of an answer, and those that came inside of them.
  func objects(in answer: RESTAnswer) throws(StoreError) -> [RemoteObject] {
    var found: [RemoteObject] = []
    let representations = try representations(in: answer)
    for representation in representations {
      try read(representation, in: answer.entity, into: &found)
    }
    if representations.count == 1, found.indices.contains(0), found[0].version == nil {
      found[0].version = answer.response.headers["etag"]
    }
    return found
  }

  /// The object that an answer about one of them has; nil if the answer is empty.
  func object(in representation: JSONValue, of entity: EntityDescription) throws(StoreError)
    -> [RemoteObject]
  {
    var found: [RemoteObject] = []
    try read(representation, in: entity, into: &found)
    return found
  }

  private func read(
    _ representation: JSONValue, in entity: EntityDescription, into found: inout [RemoteObject]
  ) throws(StoreError) {
    let entity = try self.entity(entityName(of: representation, in: entity))
    guard let key = identifier(of: representation, in: entity) else {
      let text = String(decoding: representation.bytes.prefix(80), as: UTF8.self)
      throw StoreError(
        .other, doing: "reading", subject: entity.name, detail: "an object has no key: \(text)",
        remedy: "override identifier(of:in:)")
    }
    let values = try attributes(of: representation, in: entity)
    var references = try relationships(of: representation, in: entity)
    for relationship in entity.toOneRelationships where references[relationship.name] == nil {
      // The foreign key may be an attribute.
      guard relationship.foreignKeyAttributes.count == 1,
        let value = values[relationship.foreignKeyAttributes[0]]
      else { continue }
      references[relationship.name] =
        RESTKey(JSONValue(value)).map {
          [RESTReference(relationship.destinationEntityName, $0)]
        } ?? []
    }
    let index = found.count
    found.append(
      RemoteObject(
        entity: entity, key: key, version: version(of: representation, in: entity),
        values: values, references: references))
    for (name, references) in references {
      guard let relationship = entity.relationship(named: name) else { continue }
      for reference in references {
        guard let inner = reference.representation,
          let destination = model.entity(named: reference.entityName)
        else { continue }
        let start = found.count
        try read(inner, in: destination, into: &found)
        // An object inside of its owner need not say whose it is.
        if let inverse = model.inverse(of: relationship), !inverse.isToMany, start > index,
          found[start].references[inverse.name] == nil
        {
          found[start].references[inverse.name] = [RESTReference(entity.name, key)]
        }
      }
    }
  }
}
