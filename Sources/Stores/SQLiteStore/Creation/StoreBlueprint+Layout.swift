import ObjectModel
import SQLQueries

extension StoreBlueprint {
  /// The layout of the entities in the tables.
  var layout: StoreLayout {
    let entities = topology.model.entities
    return StoreLayout(
      model: ManagedObjectModel(
        entities: entities.map(declared), details: topology.model.details),
      tables: Dictionary(firstOf: entities.map { ($0.name, table(of: $0)) }),
      otherTables: Set(pairs.values.map(\.table)).sorted().map { name in
        let owner = pairs.values.first { $0.table == name }?.owner
        return StoreSummary.OtherTable(
          name: name, purpose: "links of \(owner?.entity ?? "").\(owner?.relationship ?? "")")
      })
  }

  /// An entity whose attributes have the declared types of their columns.
  private func declared(_ entity: EntityDescription) -> EntityDescription {
    entity.changed(
      attributes: entity.attributes.map { attribute in
        var attribute = attribute
        attribute.declaredType = TableBlueprint.Column.declaredType(of: attribute)
        return attribute
      }, keyAttributes: [])
  }

  private func table(of entity: EntityDescription) -> EntityTable {
    let root = topology.root(of: entity.name)
    let key = keyColumns[root] ?? "rowid"
    let own = columns[entity.name] ?? [:]
    var table = EntityTable(
      name: root, key: .rowid(name: key), entityColumn: entityColumn(of: root),
      columns: entity.attributes.map { own[$0.name] ?? $0.name })
    for relationship in entity.relationships {
      let destination = relationship.destinationEntityName
      let destinationKey = keyColumns[topology.root(of: destination)] ?? "rowid"
      if topology.needsPairs(relationship) {
        table.toMany[relationship.name] = joinTable(relationship, of: entity.name)
          .map(EntityTable.ToMany.join)
      } else if let column = own[relationship.name] {
        table.toOne[relationship.name] = EntityTable.ToOne(
          columns: [column], referenced: [destinationKey], referencesKey: true,
          orderColumn: orderColumns[entity.name]?[relationship.name])
      } else if let column = relationship.inverseName.flatMap({ columns[destination]?[$0] }) {
        if relationship.isToMany {
          table.toMany[relationship.name] = .foreignKey(
            EntityTable.ForeignKey(
              columns: [column], referenced: [key],
              orderColumn: relationship.inverseName.flatMap { orderColumns[destination]?[$0] }))
        } else {
          table.toOne[relationship.name] = EntityTable.ToOne(
            columns: [key], referenced: [column], referencesKey: false, isInverse: true)
        }
      }
    }
    return table
  }

  private func entityColumn(of root: String) -> EntityTable.EntityColumn? {
    entityColumns[root].map { column in
      let names = topology.family(of: root).map(\.name)
      return EntityTable.EntityColumn(
        name: column,
        values: Dictionary(firstOf: names.map { ($0, .string($0)) })
      )
    }
  }
}
