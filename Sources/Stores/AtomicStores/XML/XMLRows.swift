import ModelFiles
import ObjectModel

extension InMemoryRows {
  /// Reads the objects of an XML store as rows of a model.
  ///
  /// It finds the entities and properties of the model that the names in the file mean.
  ///
  /// - Throws: ``StoreError`` if the model does not have one, or a text is no value of its type.
  init(_ database: XMLDatabase, model: ManagedObjectModel, storeIdentifier: String)
    throws(StoreError)
  {
    let entities = Dictionary(firstOf: model.entities.map { ($0.name.uppercased(), $0) })
    var ids: [String: ObjectID] = [:]
    for object in database.objects {
      guard let entity = entities[object.type.uppercased()] else {
        throw StoreError(
          .unsupported, doing: "opening", detail: "the model has no entity \(object.type)",
          remedy: "--model with the model of the app that made it")
      }
      let id = ObjectID(
        storeIdentifier: storeIdentifier, entityName: entity.name, key: XMLText.key(of: object.id))
      guard ids.updateValue(id, forKey: object.id) == nil else {
        throw StoreError(
          .corrupt, doing: "opening", detail: "two objects have the id \(object.id)")
      }
    }
    let texts = XMLText(framework: database.metadata?["NSPersistenceFrameworkVersion"])
    var rows: [RowSnapshot] = []
    var links: [ObjectLink] = []
    /// The other ends of what leads to objects by relationships whose inverse is to-one.
    var ends: [ObjectID: [(name: String, source: ObjectID)]] = [:]
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
          entity.relationship(named: name) != nil
        else { throw Self.unknown(relationship.name, of: entity) }
        // A reference to an object that the file does not have leads nowhere.
        let destinations = relationship.ids.compactMap { ids[$0] }
        if let inverse = entity.relationship(named: name).flatMap(model.inverse), !inverse.isToMany
        {
          for other in destinations { ends[other, default: []].append((inverse.name, id)) }
        }
        if let index = entity.toOneIndex(name) {
          toOne[index] = destinations.first
        } else {
          links += destinations.map { ObjectLink(name, from: id, to: $0) }
        }
      }
      rows.append(RowSnapshot(id: id, version: 0, values: values, toOne: toOne))
    }
    // A file that was not written by Core Data may have one end only.
    for index in rows.indices {
      for (name, source) in ends[rows[index].id] ?? [] {
        guard let place = model.entity(named: rows[index].id.entityName)?.toOneIndex(name),
          rows[index].toOne[place] == nil
        else { continue }
        rows[index].toOne[place] = source
      }
    }
    self.init(
      model: model, storeIdentifier: storeIdentifier, rows: rows, links: links,
      sharesKeys: true)
    // Objects that were deleted had numbers too.
    if let entity = model.entities.first, let number = database.lastNumber?.value {
      use(
        ObjectID(
          storeIdentifier: storeIdentifier, entityName: entity.name, key: .integer(number)))
    }
  }

  private static func unknown(_ name: String, of entity: EntityDescription) -> StoreError {
    StoreError(
      .unsupported, doing: "opening", detail: "the model has no \(entity.name).\(name)",
      remedy: "--model with the model of the app that made it")
  }
}
