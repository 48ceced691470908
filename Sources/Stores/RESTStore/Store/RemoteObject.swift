import ObjectModel

/// An entity as all of its objects share it: a description is large, and a copy of it for each object
/// takes longer than to read the object.
final class RemoteEntity: Sendable {
  let description: EntityDescription
  let name: String
  let attributeNames: [String]
  /// The places of to-one relationships in a row.
  let toOneIndexes: [String: Int]
  /// The to-one relationships whose foreign key is one attribute.
  let foreignKeys: [(relationship: String, attribute: String, destination: String)]

  init(_ description: EntityDescription) {
    (self.description, name) = (description, description.name)
    attributeNames = description.attributes.map(\.name)
    toOneIndexes = Dictionary(
      firstOf: description.toOneRelationships.enumerated().map { ($1.name, $0) })
    foreignKeys = description.toOneRelationships.filter { $0.foreignKeyAttributes.count == 1 }
      .map { ($0.name, $0.foreignKeyAttributes[0], $0.destinationEntityName) }
  }
}

/// An object as the service represents it, read with the model.
struct RemoteObject: Sendable {
  let shared: RemoteEntity
  let key: RESTKey
  /// Its version in the service; nil if that was not said.
  var version: String?
  /// The values that came, decoded.
  var values: [String: Value]
  /// Where the relationships lead that came.
  var references: [String: [RESTReference]]

  var entity: EntityDescription { shared.description }
}

extension RESTClient {
  /// The objects of an answer, and those that came inside of them.
  func objects(in answer: RESTAnswer) throws(StoreError) -> [RemoteObject] {
    var found: [RemoteObject] = []
    let representations = try representations(in: answer)
    found.reserveCapacity(representations.count)
    let shared = RemoteEntity(answer.entity)
    for representation in representations { try read(representation, in: shared, into: &found) }
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
    try read(representation, in: RemoteEntity(entity), into: &found)
    return found
  }

  private func read(
    _ representation: JSONValue, in shared: RemoteEntity, into found: inout [RemoteObject]
  ) throws(StoreError) {
    let name = entityName(of: representation, in: shared.description)
    guard name == shared.name else {
      return try read(representation, in: RemoteEntity(entity(name)), into: &found)
    }
    let entity = shared.description
    guard let key = identifier(of: representation, in: entity) else {
      let text = String(decoding: representation.bytes.prefix(80), as: UTF8.self)
      throw StoreError(
        .other, doing: "reading", subject: entity.name, detail: "an object has no key: \(text)",
        remedy: "override identifier(of:in:)")
    }
    let values = try attributes(of: representation, in: entity)
    var references = try relationships(of: representation, in: entity)
    for (relationship, attribute, destination) in shared.foreignKeys
    where references[relationship] == nil {
      guard let value = values[attribute] else { continue }
      references[relationship] =
        RESTKey(JSONValue(value)).map { [RESTReference(destination, $0)] } ?? []
    }
    let index = found.count
    found.append(
      RemoteObject(
        shared: shared, key: key, version: version(of: representation, in: entity),
        values: values, references: references))
    for (name, references) in references
    where references.contains(where: { $0.representation != nil }) {
      guard let relationship = entity.relationship(named: name) else { continue }
      for reference in references {
        guard let inner = reference.representation,
          let destination = model.entity(named: reference.entityName)
        else { continue }
        let start = found.count
        try read(inner, in: RemoteEntity(destination), into: &found)
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
