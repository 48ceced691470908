import ModelFiles
import ObjectModel
import SQLQueries

extension CoreDataLayoutBuilder {
  /// The part of the model that is in the store.
  var model: ManagedObjectModel {
    ManagedObjectModel(
      entities: naming.model.entities.map(reduced), details: naming.model.details)
  }

  /// The tables by entity name.
  var entityTables: [String: EntityTable] {
    Dictionary(
      firstOf: naming.model.entities.compactMap { entity in
        table(of: entity).map { (entity.name, $0) }
      })
  }

  /// An entity with only the properties that have columns or a join table.
  private func reduced(_ entity: EntityDescription) -> EntityDescription {
    let here = found[entity.name] ?? Found()
    let attributes = entity.attributes.compactMap { attribute in
      here.attributes[attribute.name].map { column in
        var attribute = attribute
        attribute.declaredType = column.declaredType
        attribute.encoding = attribute.type.coreDataEncoding(
          isExternal: attribute.details.allowsExternalBinaryDataStorage)
        return attribute
      }
    }
    let relationships = entity.relationships.filter { here.has($0) }.map { relationship in
      let inverse = naming.model.inverse(of: relationship)
      let other = found[relationship.destinationEntityName] ?? Found()
      var relationship = relationship
      if !(inverse.map(other.has) ?? false) { relationship.inverseName = nil }
      return relationship
    }
    let names = Set(attributes.map(\.name) + relationships.map(\.name))
    return entity.changed(
      attributes: attributes, relationships: relationships,
      uniquenessConstraints: entity.uniquenessConstraints.filter(names.isSuperset),
      keyAttributes: [])
  }

  private func table(of entity: EntityDescription) -> EntityTable? {
    guard let location = locations[entity.name] else { return nil }
    let here = found[entity.name] ?? Found()
    return EntityTable(
      name: location.table.name, key: .rowid(name: ActualTable.keyColumn),
      entityColumn: location.isShared ? entityColumn(of: location.table) : nil,
      columns: entity.attributes.compactMap { here.attributes[$0.name]?.name },
      toOne: here.toOne, toMany: here.toMany)
  }

  /// The column Z_ENT with the numbers of the table's entities.
  private func entityColumn(of table: ActualTable) -> EntityTable.EntityColumn {
    let values = locations.filter { $0.value.table.name == table.name }
      .mapValues { Value.integer($0.number) }
    return EntityTable.EntityColumn(name: ActualTable.entityColumn, values: values)
  }
}

extension CoreDataLayoutBuilder.Found {
  /// Whether a relationship has a column or a join table.
  func has(_ relationship: RelationshipDescription) -> Bool {
    relationship.isToMany ? toMany[relationship.name] != nil : toOne[relationship.name] != nil
  }
}
