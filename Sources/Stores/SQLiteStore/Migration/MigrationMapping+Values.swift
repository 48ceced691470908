import ObjectModel
import SQLQueries

extension MigrationMapping {
  /// The values of an entity's properties, by the columns that they get.
  func values(
    of entry: Entry, in old: EntityTable, _ renumbered: inout [String: String]
  ) -> [String: SQL] {
    guard let table = destination.tables[entry.entity.name] else { return [:] }
    var values: [String: SQL] = [:]
    let pairs = VersionPairs<AttributeDescription>(from: entry.source, to: entry.entity).pairs
    for (attribute, column) in zip(entry.entity.attributes, table.columns) {
      let before = pairs.first { $0.destination?.name == attribute.name }?.source
      values[column] = value(of: attribute, from: before, in: entry.source)
    }
    for relationship in entry.entity.toOneRelationships {
      guard let toOne = table.toOne[relationship.name], !toOne.isInverse,
        let column = toOne.columns.first
      else { continue }
      let reference = Reference(
        links(of: relationship, of: entry), to: relationship.destinationEntityName,
        from: old, in: self)
      values[column] = reference.key
      if let number = toOne.entityColumn {
        values[number] = reference.targetNumber
        renumbered[number] = reference.renumbered
      }
      if let order = toOne.orderColumn { values[order] = reference.order }
    }
    for (owner, relationship, key) in hiddenKeys(in: destination, table: table.name)
    where destination.model.entityNames(inheritingFrom: relationship.destinationEntityName)
      .contains(entry.entity.name)
    {
      let found = owners(of: relationship, of: owner.name).map(\.flipped)
        .filter { reaches(entry.source.name, $0) }
      let reference = Reference(found, to: owner.name, from: old, in: self)
      if let column = key.columns.first { values[column] = reference.key }
      if let order = key.orderColumn { values[order] = reference.order }
    }
    return values
  }

  /// Whether an entity of the source may be an owner of links.
  private func reaches(_ entityName: String, _ link: SourceLink) -> Bool {
    source.model.entityNames(inheritingFrom: link.ownerEntity).contains(entityName)
  }

  /// The value of an attribute.
  private func value(
    of attribute: AttributeDescription, from before: AttributeDescription?,
    in entity: EntityDescription
  ) -> SQL {
    let standard = (try? attribute.encode(attribute.defaultValue)) ?? .null
    guard let before, let index = entity.attributeIndex(before.name),
      let columns = source.tables[entity.name]?.columns
    else {
      return attribute.details.derivation == nil && !standard.isNull ? .value(standard) : "NULL"
    }
    var value = SQL.column(columns[index], of: "s")
    switch (before.encoding, attribute.encoding) {
    case (.externalData, .externalData): break
    case (.externalData, _):
      let bytes: SQL = "cardfile_external(\(value), -1)"
      value = "CASE WHEN substr(\(bytes), 1, 1) = x'01' THEN substr(\(bytes), 2) END"
    case (_, .externalData):
      value = "CASE WHEN \(value) IS NOT NULL THEN CAST(x'01' || \(value) AS BLOB) END"
    default: break
    }
    let mayBeNull = before.isOptional && !attribute.isOptional
    return mayBeNull && !standard.isNull ? "coalesce(\(value), \(standard))" : value
  }

  /// Where the links of a relationship of an entity are in the source: its own, and those of its
  /// inverse.
  func links(of relationship: RelationshipDescription, of entry: Entry) -> [SourceLink] {
    let before = relationshipSource(relationship.name, of: entry)
    var links = [before.flatMap { source.link($0, of: entry.source.name) }].compactMap(\.self)
    guard let inverse = destination.model.inverse(of: relationship) else { return links }
    for name in destination.model.entityNames(inheritingFrom: relationship.destinationEntityName) {
      guard let entity = destination.model.entity(named: name), let other = source(of: name),
        let theirs = relationshipSource(
          inverse.name, of: Entry(entity: entity, source: other)),
        before == nil || before?.inverseName != theirs.name,
        let link = source.link(theirs, of: other.name)?.flipped,
        reaches(entry.source.name, link), !links.contains(link)
      else { continue }
      links.append(link)
    }
    return links
  }

  /// The relationship of the source that a relationship of an entity was; nil if it is new.
  func relationshipSource(_ name: String, of entry: Entry) -> RelationshipDescription? {
    VersionPairs<RelationshipDescription>(from: entry.source, to: entry.entity).pairs
      .first { $0.destination?.name == name }?.source
  }

  /// Where the links of a to-many relationship are, of all entities that have it.
  func owners(of relationship: RelationshipDescription, of entityName: String) -> [SourceLink] {
    var found: [SourceLink] = []
    for name in destination.model.entityNames(inheritingFrom: entityName) {
      guard let entity = destination.model.entity(named: name), let before = source(of: name),
        let relationship = entity.relationship(named: relationship.name)
      else { continue }
      for link in links(of: relationship, of: Entry(entity: entity, source: before))
      where !found.contains(link) { found.append(link) }
    }
    return found
  }

  /// The entities of the source that can be targets of links, and become an entity or one of its
  /// subentities; nil for the second if all of them do.
  func targets(of link: SourceLink, in family: String) -> (table: EntityTable?, kept: Set<String>?)
  {
    let possible = source.model.entityNames(inheritingFrom: link.targetEntity)
      .filter { source.model.entity(named: $0)?.isAbstract == false }
    let kept = Set(possible).intersection(sources(ofFamily: family))
    return (source.tables[link.targetEntity], kept.count == possible.count ? nil : kept)
  }
}

extension MigrationMapping {
  /// The columns of a to-one, from the row `s` of its owner.
  struct Reference {
    /// The key of the destination.
    private(set) var key: SQL = "NULL"
    /// The number of its entity.
    private(set) var targetNumber: SQL = "NULL"
    /// Its index in the list of the destination.
    private(set) var order: SQL = "NULL"
    /// The column that has the number of the entity before the migration.
    private(set) var renumbered: String?

    /// Makes the columns of links, seen from the row with the foreign key.
    init(
      _ links: [SourceLink], to family: String, from old: EntityTable, in mapping: MigrationMapping
    ) {
      guard let rowKey = old.keyColumnNames.first else { return }
      let row = SQL.column(rowKey, of: "s")
      var keys: [SQL] = []
      var orderColumn: String?
      var foundOrder: SQL?
      for link in links {
        let (table, kept) = mapping.targets(of: link, in: family)
        guard let table, let targetKey = table.keyColumnNames.first, kept?.isEmpty != true else {
          continue
        }
        let isOwn = link.table == old.name && link.owner == rowKey
        if isOwn, links.count == 1 { orderColumn = link.inverseOrder }
        let rows = SQL.name(mapping.current(table.name))
        let membership = kept.flatMap {
          mapping.source.isRow(of: $0, in: table, alias: "d")
        }
        if isOwn {
          let column = SQL.column(link.target, of: "s")
          keys.append(
            kept == nil
              ? column
              : """
              (SELECT \(column: targetKey, of: "d") FROM \(rows) d\
              \(where: ["\(column: targetKey, of: "d") = \(column)", membership]))
              """)
          if link.targetNumber != nil, kept == nil, links.count == 1 {
            renumbered = link.targetNumber
          }
        } else {
          func found(_ column: String) -> SQL {
            """
            (SELECT \(column: column, of: "p") FROM \(name: mapping.current(link.table)) p \
            JOIN \(rows) d ON \(column: targetKey, of: "d") = \(column: link.target, of: "p")\
            \(where: ["\(column: link.owner, of: "p") = \(row)", membership]) \
            ORDER BY \(column: link.target, of: "p") LIMIT 1)
            """
          }
          keys.append(found(link.target))
          if links.count == 1 { foundOrder = link.inverseOrder.map(found) }
        }
      }
      guard let first = keys.first else { return }
      key = keys.count == 1 ? first : "coalesce(\(keys))"
      number(links, family, mapping)
      if let orderColumn {
        let column = SQL.column(orderColumn, of: "s")
        order =
          key == .column(links[0].target, of: "s")
          ? column : "CASE WHEN \(key) IS NOT NULL THEN \(column) END"
      } else if let foundOrder {
        order = foundOrder
      } else {
        order = """
          CASE WHEN \(key) IS NOT NULL THEN \(number: OrderKeys.step) * \
          row_number() OVER (PARTITION BY \(key) ORDER BY \(row)) END
          """
      }
    }

    /// Makes the column with the number of the destination's entity.
    private mutating func number(
      _ links: [SourceLink], _ family: String, _ mapping: MigrationMapping
    ) {
      let (source, destination) = (mapping.source.coreData, mapping.destination.coreData)
      guard let source, let destination,
        let table = links.lazy.compactMap({ mapping.source.tables[$0.targetEntity] }).first,
        let targetKey = table.keyColumnNames.first
      else { return }
      let numbers = mapping.source.entities(in: table.name).compactMap {
        entity -> (Value, Value)? in
        guard let before = source.entityNumbers[entity.name],
          let after = mapping.names.destinationName[entity.name]
            .flatMap({ destination.entityNumbers[$0] })
        else { return nil }
        return (.integer(before), .integer(after))
      }
      if let renumbered {
        targetNumber = MigrationMapping.replaced(.column(renumbered, of: "s"), numbers)
      } else {
        let mark = SQL.column(ActualTable.entityColumn, of: "d")
        targetNumber = """
          (SELECT \(MigrationMapping.replaced(mark, numbers)) \
          FROM \(name: mapping.current(table.name)) d \
          WHERE \(column: targetKey, of: "d") = \(key))
          """
      }
    }
  }
}
