package import ObjectModel

/// What a key path leads to in a query.
package enum KeyPathTarget {
  /// An attribute of the object itself or of one reached through to-one relationships.
  case attribute(ColumnOperand)
  /// An object: the columns with its key, which are NULL if there is no object.
  case object(ObjectOperand)
  /// The objects of a to-many relationship, and the remaining key path.
  case collection(CollectionOperand)
}

/// An object in a query.
package struct ObjectOperand {
  package let entityName: String
  package let keyColumns: [SQL]
  /// Whether the key is a 64-bit rowid.
  package let isRowid: Bool
  /// The column that identifies the object's entity; nil if it has only one possible entity.
  package let entityColumn: SQL?
  /// The entity name by the value of that column.
  package let entityNames: [Value: String]
}

extension ObjectOperand {
  /// The condition that the object is of an entity; nil if it has only one possible entity.
  ///
  /// An object whose entity is missing or unknown is of the declared entity.
  func isOfEntity(_ name: String) -> SQL? {
    guard let entityColumn else { return nil }
    let isDeclared = name == entityName
    let values = entityNames.filter { ($0.value == name) != isDeclared }.map { $0 }
      .sorted { $0.value < $1.value }.map(\.key)
    guard !values.isEmpty else { return isDeclared ? nil : "0" }
    let isOneOfThem: SQL = "\(entityColumn) IN (\(values))"
    return isDeclared ? "(\(isOneOfThem) IS NOT TRUE)" : isOneOfThem
  }
}

/// The objects of a to-many relationship in a query.
package struct CollectionOperand {
  /// The scope of the relationship's source.
  let source: QueryScope
  let relationship: RelationshipDescription
  /// The keys after the relationship in the key path.
  let rest: [String]
}

extension QueryScope {
  /// The object of a row.
  package var object: ObjectOperand {
    ObjectOperand(
      entityName: entity.name, keyColumns: keyColumns, isRowid: table.hasRowid,
      entityColumn: entityColumn, entityNames: table.entityColumn?.entityNames ?? [:])
  }

  /// Follows a key path.
  package func follow(_ keyPath: some Collection<String>) throws(StoreError) -> KeyPathTarget {
    guard let key = keyPath.first else { return .object(object) }
    let rest = keyPath.dropFirst()
    if let relationship = entity.relationship(named: key) {
      if relationship.isToMany {
        return .collection(
          CollectionOperand(source: self, relationship: relationship, rest: Array(rest)))
      }
      if rest.isEmpty { return .object(try object(of: relationship)) }
      return try destination(of: relationship).follow(rest)
    }
    guard let attribute = entity.attribute(named: key), let operand = operand(attribute) else {
      if key == VirtualKey.entity, rest.isEmpty { return .attribute(entityName) }
      throw StoreError(
        .unknownName, doing: "reading", subject: entity.name,
        detail: "there is no attribute or relationship \"\(key)\" in \(entity.name)")
    }
    if rest.elementsEqual([VirtualKey.length]) { return .attribute(operand.length) }
    guard rest.isEmpty else {
      throw unsupported("\"\(key)\" is an attribute: no key path goes on from it")
    }
    return .attribute(operand)
  }

  /// The name of the object's entity as a text column, NULL if there is no object.
  private var entityName: ColumnOperand {
    let names = table.entityColumn?.entityNames ?? [:]
    var sql: SQL = "\(Value.string(entity.name))"
    if let entityColumn {
      let cases = names.sorted { $0.value < $1.value }.map {
        "WHEN \($0.key) THEN \(Value.string($0.value))" as SQL
      }
      sql = "CASE \(entityColumn) \(cases.joined(" ")) ELSE \(sql) END"
    }
    let isMissing = keyColumns.map { "\($0) IS NULL" as SQL }.joined(" OR ")
    return ColumnOperand(
      sql: "(CASE WHEN \(isMissing) THEN NULL ELSE \(sql) END)",
      attribute: AttributeDescription(VirtualKey.entity, .string), affinity: .none)
  }

  /// The destination of a to-one relationship, by the foreign key alone if it refers to the key.
  private func object(of relationship: RelationshipDescription) throws(StoreError) -> ObjectOperand
  {
    guard let toOne = table.toOne[relationship.name],
      let destination = layout.tables[relationship.destinationEntityName]
    else { throw unsupported("the relationship \"\(relationship.name)\" has no columns") }
    guard toOne.referencesKey else { return try self.destination(of: relationship).object }
    return ObjectOperand(
      entityName: relationship.destinationEntityName,
      keyColumns: columns(toOne.keyColumns(of: destination)),
      isRowid: destination.hasRowid, entityColumn: ownEntity(of: relationship, toOne),
      entityNames: destination.entityColumn?.entityNames ?? [:])
  }

  /// A subquery for the entity of the destination; nil if it has only one possible entity.
  ///
  /// It is NULL for an object that does not exist, which counts as one of the declared entity.
  private func ownEntity(of relationship: RelationshipDescription, _ toOne: EntityTable.ToOne)
    -> SQL?
  {
    let name = relationship.destinationEntityName
    guard layout.entityNames(of: name).count > 1, let destination = layout.tables[name],
      let mark = destination.entityColumn
    else { return nil }
    let other = aliases.next()
    let condition = SQL.equal(.columns(toOne.referenced, of: other), columns(toOne.columns))
    return """
      (SELECT \(column: mark.name, of: other) FROM \(destination.source) \(other) \
      WHERE \(condition))
      """
  }
}
