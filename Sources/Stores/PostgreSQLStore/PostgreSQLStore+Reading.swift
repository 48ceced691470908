package import ObjectModel
import SQLQueries

extension PostgreSQLStore {
  /// The most keys in one statement.
  static let keysPerStatement = 1_000

  package func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try pool.read { connection throws(StoreError) in
      try rows(of: ids, on: connection)
    }
  }

  /// Reads rows on a connection.
  ///
  /// - Parameters:
  ///   - ids: The objects, of any entities.
  ///   - connection: The connection.
  ///   - isWhole: Whether long values are read whole.
  ///   - isLocking: Whether the rows are locked until the transaction ends.
  /// - Returns: A snapshot for each ID, nil for an object that does not exist.
  /// - Throws: ``StoreError``.
  func rows(
    of ids: [ObjectID], on connection: ServerConnection, isWhole: Bool = false,
    isLocking: Bool = false
  ) throws(StoreError) -> [RowSnapshot?] {
    var found: [ObjectID: RowSnapshot] = [:]
    for (entityName, ids) in Dictionary(grouping: ids, by: \.entityName).sorted(by: {
      $0.key < $1.key
    }) {
      let selection = try selection(entityName, cutsLongValues: !isWhole)
      let keys = schema.keys(of: ids.filter { $0.storeIdentifier == identifier }, entityName)
      for start in stride(from: 0, to: keys.count, by: Self.keysPerStatement) {
        let part = Array(keys[start...].prefix(Self.keysPerStatement))
        let condition = try QueryScope.condition(
          selection.scope.keyColumns, in: part, types: schema.keyTypeNames(of: entityName))
        let lock: SQL = isLocking ? " FOR UPDATE OF \(selection.scope.wholeRow)" : ""
        try connection.run(
          """
          SELECT \(selection.columns) FROM \(selection.scope.from) WHERE \(condition)\(lock)
          """
        ) { row in
          let snapshot = selection.snapshot(row)
          found[snapshot.id] = snapshot
        }
      }
    }
    return ids.map { found[$0] }
  }

  package func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    let selection = try selection(id.entityName, only: [attribute], cutsLongValues: false)
    guard let index = selection.scope.entity.attributeIndex(attribute) else {
      throw StoreError(.unknownName, doing: "reading a value", subject: attribute)
    }
    var value = Value.null
    guard let key = schema.keys(of: [id], id.entityName).first else { return .null }
    let condition = try QueryScope.condition(
      selection.scope.keyColumns, in: [key], types: schema.keyTypeNames(of: id.entityName))
    try pool.read { connection throws(StoreError) in
      _ = try connection.run(
        "SELECT \(selection.columns) FROM \(selection.scope.from) WHERE \(condition)"
      ) { row in value = selection.snapshot(row).value(at: index) }
    }
    return value
  }

  package func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try pool.read { connection throws(StoreError) in
      try destinations(of: relationship, from: ids, on: connection)
    }
  }

  /// Reads where a relationship of objects of one entity leads.
  func destinations(
    of name: String, from ids: [ObjectID], on connection: ServerConnection
  ) throws(StoreError) -> [ObjectID: [ObjectID]] {
    guard let entityName = ids.first?.entityName else { return [:] }
    guard let entity = model.entity(named: entityName),
      let relationship = entity.relationship(named: name)
    else { throw StoreError(.unknownName, doing: "reading", subject: name) }
    if !relationship.isToMany {
      return try toOneDestinations(of: relationship, entity, ids, connection)
    }
    let source = try QueryScope(entityName: entityName, layout: schema.layout)
    let destination = try QueryScope(
      entityName: relationship.destinationEntityName, layout: schema.layout,
      aliases: source.aliases)
    let join: SQL
    switch source.table.toMany[name] {
    case .foreignKey(let key):
      join =
        "JOIN \(destination.from) ON \(SQL.equal(destination.columns(key.columns), source.columns(key.referenced)))"
    case .join(let table):
      let link = try QueryScope(
        entityName: table.name, layout: schema.layout, aliases: source.aliases)
      let left = SQL.equal(
        link.columns(table.sourceColumns), source.columns(table.sourceReferenced))
      let right = SQL.equal(
        destination.columns(table.destinationReferenced), link.columns(table.destinationColumns))
      join = "JOIN \(link.from) ON \(left) JOIN \(destination.from) ON \(right)"
    case nil: return [:]
    }
    let (sourceTypes, types) = (
      schema.keyTypes(of: entityName), schema.keyTypes(of: destination.entity.name)
    )
    let (sourceScope, idScope) = (
      ObjectIDScope.of(storeIdentifier: identifier, entityName: entityName),
      ObjectIDScope.of(storeIdentifier: identifier, entityName: destination.entity.name)
    )
    var found: [ObjectID: [ObjectID]] = [:]
    let keys = schema.keys(of: ids, entityName)
    for start in stride(from: 0, to: keys.count, by: Self.keysPerStatement) {
      let condition = try QueryScope.condition(
        source.keyColumns, in: Array(keys[start...].prefix(Self.keysPerStatement)),
        types: schema.keyTypeNames(of: entityName))
      try connection.run(
        """
        SELECT \(source.keyColumns + destination.keyColumns) FROM \(source.from) \(join) \
        WHERE \(condition) ORDER BY \(keyOrder(destination).map(\.sql))
        """
      ) { row in
        guard let key = schema.key(row, from: 0, sourceTypes),
          let other = schema.key(row, from: sourceTypes.count, types)
        else { return }
        let end = ObjectID(idScope, key: other)
        // Two rows of a join table may make the same link.
        if found[ObjectID(sourceScope, key: key)]?.last != end {
          found[ObjectID(sourceScope, key: key), default: []].append(end)
        }
      }
    }
    return found
  }

  private func toOneDestinations(
    of relationship: RelationshipDescription, _ entity: EntityDescription, _ ids: [ObjectID],
    _ connection: ServerConnection
  ) throws(StoreError) -> [ObjectID: [ObjectID]] {
    guard let index = entity.toOneIndex(relationship.name) else { return [:] }
    var found: [ObjectID: [ObjectID]] = [:]
    for case let row? in try rows(of: ids, on: connection) {
      if let destination = row.destination(at: index) { found[row.id] = [destination] }
    }
    return found
  }
}
