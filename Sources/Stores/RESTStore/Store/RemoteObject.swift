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

/// The objects that are read of an answer, and the entities that they share.
private struct RepresentationReading {
  var found: [RemoteObject] = []
  private var entities: [String: RemoteEntity] = [:]

  /// The entity of a description, made once for all objects.
  mutating func shared(_ description: EntityDescription) -> RemoteEntity {
    if let known = entities[description.name] { return known }
    let shared = RemoteEntity(description)
    entities[description.name] = shared
    return shared
  }

  /// The entity with a name, if an object of it was read before.
  func known(_ name: String) -> RemoteEntity? { entities[name] }
}

extension RESTClient {
  /// The objects of an answer, and those that came inside of them.
  func objects(in answer: RESTAnswer) throws(StoreError) -> [RemoteObject] {
    var reading = RepresentationReading()
    let representations = try representations(in: answer)
    reading.found.reserveCapacity(representations.count)
    let shared = reading.shared(answer.entity)
    for representation in representations { try read(representation, in: shared, into: &reading) }
    if representations.count == 1, reading.found.indices.contains(0),
      reading.found[0].version == nil
    {
      reading.found[0].version = answer.response.headers["etag"]
    }
    return reading.found
  }

  /// The object that an answer about one of them has; nil if the answer is empty.
  func object(in representation: JSONValue, of entity: EntityDescription) throws(StoreError)
    -> [RemoteObject]
  {
    var reading = RepresentationReading()
    try read(representation, in: reading.shared(entity), into: &reading)
    return reading.found
  }

  private func read(
    _ representation: JSONValue, in shared: RemoteEntity, into reading: inout RepresentationReading
  ) throws(StoreError) {
    let name = entityName(of: representation, in: shared.description)
    guard name == shared.name else {
      let other =
        if let known = reading.known(name) { known } else { try reading.shared(entity(name)) }
      return try read(representation, in: other, into: &reading)
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
    let index = reading.found.count
    reading.found.append(
      RemoteObject(
        shared: shared, key: key, version: version(of: representation, in: entity),
        values: values, references: references))
    for (name, references) in references
    where references.contains(where: { $0.representation != nil }) {
      guard let relationship = entity.relationship(named: name) else { continue }
      for reference in references {
        guard let inner = reference.representation,
          let destination = reading.known(reference.entityName)
            ?? model.entity(named: reference.entityName).map({ reading.shared($0) })
        else { continue }
        let start = reading.found.count
        try read(inner, in: destination, into: &reading)
        // An object inside of its owner need not say whose it is.
        if let inverse = model.inverse(of: relationship), !inverse.isToMany, start > index,
          reading.found[start].references[inverse.name] == nil
        {
          reading.found[start].references[inverse.name] = [RESTReference(entity.name, key)]
        }
      }
    }
  }
}
