import ObjectModel

/// What a key path leads to in a query.
enum KeyPathTarget {
  /// An attribute, perhaps of an object reached through to-one relationships.
  case attribute(ColumnOperand)
  /// An object: the columns that hold its key, NULL for none.
  case object(ObjectOperand)
  /// The objects of a to-many relationship, and the rest of the key path.
  case collection(CollectionOperand)
}

/// An object in a query.
struct ObjectOperand {
  let entityName: String
  let keyColumns: [SQL]
  /// Whether the key is a 64-bit rowid.
  let isRowid: Bool
  /// The column of the object's own entity, where several share a table.
  let entityColumn: SQL?
  /// The names of entities by what stands in that column.
  let entityNames: [Value: String]
}

extension ObjectOperand {
  /// Whether the object is of an entity; nil where it can be of no other.
  ///
  /// An object whose mark is missing or unknown is one of the declared entity.
  func isOfEntity(_ name: String) -> SQL? {
    guard let entityColumn else { return nil }
    let isDeclared = name == entityName
    let marks = entityNames.filter { ($0.value == name) != isDeclared }.map { $0 }
      .sorted { $0.value < $1.value }.map(\.key)
    guard !marks.isEmpty else { return isDeclared ? nil : "0" }
    let isMarked: SQL = "\(entityColumn) IN (\(marks))"
    return isDeclared ? "(\(isMarked) IS NOT TRUE)" : isMarked
  }
}

/// The objects of a to-many relationship in a query.
struct CollectionOperand {
  /// Where the relationship starts.
  let source: QueryScope
  let relationship: RelationshipDescription
  /// What stands after the relationship in the key path.
  let rest: [String]
}

extension QueryScope {
  /// The object of this scope itself.
  var object: ObjectOperand {
    ObjectOperand(
      entityName: entity.name, keyColumns: keyColumns, isRowid: table.hasRowid,
      entityColumn: entityColumn, entityNames: table.entityColumn?.entityNames ?? [:])
  }

  /// Follows a key path.
  func follow(_ keyPath: some Collection<String>) throws(StoreError) -> KeyPathTarget {
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
      if key.uppercased() == "SELF" { return try follow(rest) }
      throw StoreError(
        .unknownName, doing: "reading", subject: entity.name,
        detail: "there is no attribute or relationship \"\(key)\" in \(entity.name)")
    }
    guard rest.isEmpty else {
      throw unsupported("\"\(key)\" is an attribute: no key path goes on from it")
    }
    return .attribute(operand)
  }

  /// The destination of a to-one relationship, by this row's own columns where they hold its key.
  private func object(of relationship: RelationshipDescription) throws(StoreError) -> ObjectOperand
  {
    guard let toOne = table.toOne[relationship.name],
      let destination = layout.tables[relationship.destinationEntityName]
    else { throw unsupported("the relationship \"\(relationship.name)\" has no columns") }
    guard toOne.referencesKey else { return try self.destination(of: relationship).object }
    let columnOf = Dictionary(
      zip(toOne.referenced, toOne.columns), uniquingKeysWith: { first, _ in first })
    return ObjectOperand(
      entityName: relationship.destinationEntityName,
      keyColumns: toOne.keyColumns(of: destination, from: columnOf).map(column),
      isRowid: destination.hasRowid, entityColumn: ownEntity(of: relationship, toOne),
      entityNames: destination.entityColumn?.entityNames ?? [:])
  }

  /// The mark of the destination's own entity, looked up by its key; nil where it can be of one entity alone.
  ///
  /// An object that is gone has none, and is taken for one of the declared entity.
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

extension EntityTable {
  /// Whether rows are told by a 64-bit rowid, or by a place: both are integer keys.
  var hasRowid: Bool {
    switch key {
    case .rowid, .none: true
    case .columns: false
    }
  }
}

extension EntityTable.ToOne {
  /// The columns of this table in the order of the destination's key.
  func keyColumns(of destination: EntityTable, from columnOf: [String: String]) -> [String] {
    let ordered = destination.keyColumnNames.compactMap { columnOf[$0] }
    // A rowid may go by another name than the one the foreign key uses (`rowid` and `ArtistId`).
    return ordered.count == columns.count ? ordered : columns
  }
}
