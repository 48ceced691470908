import ObjectModel
import SQLQueries

extension MigrationMapping {
  /// A join table.
  struct Join {
    let name: String
    /// The table that has its links in the source; nil if it has none.
    let source: String?
    /// Whether the source has the same table with the same rows.
    let isKept: Bool
    /// The statements that fill it.
    let insertions: [SQL]
  }

  /// The join tables of the destination.
  var joins: [Join] {
    var joins: [Join] = []
    for entity in destination.model.entities {
      for relationship in destination.model.ownRelationships(of: entity) {
        guard case .join(let join)? = destination.tables[entity.name]?.toMany[relationship.name],
          !joins.contains(where: { $0.name == join.name })
        else { continue }
        joins.append(self.join(join, of: relationship, entity))
      }
    }
    return joins
  }

  /// The join tables of the source.
  var sourceJoins: Set<String> {
    Set(
      source.tables.values.flatMap { table in
        table.toMany.values.compactMap { if case .join(let join) = $0 { join.name } else { nil } }
      })
  }

  private func join(
    _ join: EntityTable.JoinTable, of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> Join {
    var links = owners(of: relationship, of: entity.name)
    let isKept = links.count == 1 && isKept(join, links[0], entity, relationship)
    // A link of a relationship that is its own inverse has a row in each direction.
    if !isKept, RelationshipInfo(relationship, of: entity, in: destination.model).isSymmetric {
      links += links.map(\.flipped)
    }
    return Join(
      name: join.name, source: links.first?.table, isKept: isKept,
      insertions: links.map { insertion(join, $0, entity, relationship) })
  }

  /// Whether a join table of the source has the same name, columns and rows.
  private func isKept(
    _ join: EntityTable.JoinTable, _ link: SourceLink, _ entity: EntityDescription,
    _ relationship: RelationshipDescription
  ) -> Bool {
    link.table == join.name && [link.owner] == join.sourceColumns
      && [link.target] == join.destinationColumns && link.order == join.orderColumn
      && link.inverseOrder == join.inverseOrderColumn
      && targets(of: link, in: relationship.destinationEntityName).kept == nil
      && targets(of: link.flipped, in: entity.name).kept == nil
  }

  private func insertion(
    _ join: EntityTable.JoinTable, _ link: SourceLink, _ entity: EntityDescription,
    _ relationship: RelationshipDescription
  ) -> SQL {
    let (owner, target) = (SQL.column(link.owner, of: "p"), SQL.column(link.target, of: "p"))
    func place(_ column: String?, _ list: SQL, _ member: SQL) -> SQL {
      column.map { .column($0, of: "p") }
        ?? "\(number: OrderKeys.step) * row_number() OVER (PARTITION BY \(list) ORDER BY \(member))"
    }
    var columns = join.sourceColumns + join.destinationColumns
    var values = [owner, target]
    if let order = join.orderColumn {
      columns.append(order)
      values.append(place(link.order, owner, target))
    }
    if let order = join.inverseOrderColumn {
      columns.append(order)
      values.append(place(link.inverseOrder, target, owner))
    }
    return """
      INSERT OR IGNORE INTO \(name: join.name) (\(names: columns)) \
      SELECT \(values) FROM \(name: current(link.table)) p\
      \(where: [
        exists(owner, targets(of: link.flipped, in: entity.name)),
        exists(target, targets(of: link, in: relationship.destinationEntityName)),
      ])
      """
  }

  /// The condition that a key is that of a row that is kept.
  private func exists(_ key: SQL, _ rows: (table: EntityTable?, kept: Set<String>?)) -> SQL {
    guard let table = rows.table, let column = table.keyColumnNames.first,
      rows.kept?.isEmpty != true
    else { return "0" }
    let membership = rows.kept.flatMap { source.isRow(of: $0, in: table, alias: "d") }
    return """
      EXISTS (SELECT 1 FROM \(name: current(table.name)) d\
      \(where: ["\(column: column, of: "d") = \(key)", membership]))
      """
  }
}

extension MigrationMapping {
  /// Links that must lead from each owner to one target: those of to-one relationships, and of
  /// hidden foreign keys, that they did not have.
  var exclusiveLinks: [(name: String, link: SourceLink)] {
    var found: [(name: String, link: SourceLink)] = []
    func add(_ name: String, _ links: [SourceLink]) {
      for link in links {
        let key = source.tables[link.ownerEntity]?.keyColumnNames.first
        // In a row of the owner there is one target.
        let isOwn = source.tables[link.ownerEntity]?.name == link.table && link.owner == key
        if !isOwn, !found.contains(where: { $0.link == link }) { found.append((name, link)) }
      }
    }
    for entity in destination.model.entities {
      for relationship in destination.model.ownRelationships(of: entity) {
        let name = "\(entity.name).\(relationship.name)"
        if !relationship.isToMany {
          let links = owners(of: relationship, of: entity.name)
          // The other end of a one-to-one relationship had a column of its own, or none.
          add(name, links.filter { !isOneToOne($0) })
        } else if case .foreignKey(let key)? = destination.tables[entity.name]?
          .toMany[relationship.name], key.isHidden
        {
          let inverse = "the inverse of \(name)"
          add(inverse, owners(of: relationship, of: entity.name).map(\.flipped))
        }
      }
    }
    return found
  }

  /// Whether links are the other side of a one-to-one relationship of the source.
  private func isOneToOne(_ link: SourceLink) -> Bool {
    source.model.entities.contains { entity in
      entity.toOneRelationships.contains { relationship in
        guard let inverse = source.model.inverse(of: relationship), !inverse.isToMany else {
          return false
        }
        return source.link(relationship, of: entity.name) == link
      }
    }
  }

  /// The columns of a table that its entities' properties use, and those that belong to none.
  func knownColumns(of table: String) -> Set<String> {
    var known: Set = [
      ActualTable.keyColumn, ActualTable.entityColumn, ActualTable.versionColumn,
    ]
    for entity in source.entities(in: table) { known.formUnion(claims(of: entity.name)) }
    for table in source.tables.values {
      for case .join(let join) in table.toMany.values {
        known.formUnion(join.sourceColumns + join.destinationColumns)
        known.formUnion([join.orderColumn, join.inverseOrderColumn].compactMap(\.self))
      }
    }
    return known
  }
}
