import GRDBSQLite
import ObjectModel

// Relationships as Core Data keeps them: hidden columns, mirrored pairs and places: core-data-stores 4.2, 4.4 and 4.7.
extension SaveTransaction {
  /// Whether a link leads back by its own name, so that its pair stands twice, mirrored.
  func isReflexive(_ link: ObjectLink) -> Bool {
    guard coreData != nil else { return false }
    return layout.model.entity(named: link.source.entityName)?
      .relationship(named: link.relationshipName)?.inverseName == link.relationshipName
  }

  /// The places of a new pair, after all others of both ends; nothing for a plain database.
  func places(of source: [Value], _ destination: [Value], in table: EntityTable.JoinTable)
    throws(StoreError) -> [(String, Value)]
  {
    guard let coreData else { return [] }
    var columns: [(String, Value)] = []
    let ends = [
      (table.orderColumn, table.sourceColumns, source),
      (table.inverseOrderColumn, table.destinationColumns, destination),
    ]
    for (orderColumn, ownerColumns, owner) in ends {
      guard let orderColumn, let ownerColumn = ownerColumns.first,
        case .integer(let key)? = owner.first
      else { continue }
      columns.append(
        (
          orderColumn,
          try coreData.nextPlace(
            in: .init(
              table: table.name, orderColumn: orderColumn, ownerColumn: ownerColumn, owner: key))
        ))
    }
    return columns
  }

  /// Writes or takes out an owner's key in the hidden column of an object.
  func setHidden(_ key: EntityTable.ForeignKey, _ link: ObjectLink, isLinked: Bool)
    throws(StoreError)
  {
    guard let column = key.columns.first, let owner = storedID(link.source),
      let destination = storedID(link.destination), case .integer(let ownerKey) = owner.key
    else { return }
    let table = try scope(destination.entityName).table
    let before = try statements.row(
      .raw("SELECT ") + SQL.name(column) + .raw(" FROM ") + .name(table.name) + .raw(" WHERE ")
        + (try identity(destination)), columns: 1)
    let holds = before?.first == .integer(ownerKey)
    guard holds != isLinked else { return }
    // It goes from the owner that it had.
    if isLinked, case .integer(let old)? = before?.first {
      coreData?.note(
        ObjectID(
          storeIdentifier: storeIdentifier, entityName: owner.entityName, key: .integer(old)),
        [link.relationshipName])
    }
    try set([(column, isLinked ? .integer(ownerKey) : .null)], of: destination)
    coreData?.note(owner, [link.relationshipName])
  }

  /// Takes the keys of objects that are about to be deleted out of hidden columns.
  ///
  /// - Returns: The links, so that they can be put back.
  func removeHidden(
    _ key: EntityTable.ForeignKey, _ relationship: RelationshipDescription, of ids: [ObjectID]
  ) throws(StoreError) -> [ObjectLink] {
    let deleted = Set(request.deleted.map(\.id))
    let contents = try reader.destinations(of: relationship.name, from: ids, on: connection)
    var links: [ObjectLink] = []
    for id in ids {
      for destination in contents[id] ?? [] where !deleted.contains(destination) {
        let link = ObjectLink(relationship.name, from: id, to: destination)
        try setHidden(key, link, isLinked: false)
        links.append(link)
      }
    }
    return links
  }

  /// Gives the objects of ordered relationships the places that the request tells, changing as few as possible.
  func arrangeOrderedEnds() throws(StoreError) {
    guard coreData != nil else { return }
    var ends: [ObjectLink] = []
    var members: [ObjectLink: [ObjectID]] = [:]
    for link in request.linked {
      // One link stands for its end.
      let end = ObjectLink(link.relationshipName, from: link.source, to: link.source)
      if members[end] == nil { ends.append(end) }
      members[end, default: []].append(link.destination)
    }
    for end in ends {
      guard let owner = storedID(end.source),
        let relationship = layout.model.entity(named: owner.entityName)?
          .relationship(named: end.relationshipName), relationship.isOrdered
      else { continue }
      let ids = (members[end] ?? []).compactMap(storedID)
      switch try scope(owner.entityName).table.toMany[relationship.name] {
      case .foreignKey(let key)?:
        guard let column = key.orderColumn else { continue }
        try arrange(ids, column: column, relationship, owner: owner)
      case .join(let table)?:
        guard let column = table.orderColumn else { continue }
        try arrange(ids, column: column, in: table, relationship, owner: owner)
      case nil: continue
      }
    }
  }

  /// Writes places that stand in the objects' own rows.
  private func arrange(
    _ ids: [ObjectID], column: String, _ relationship: RelationshipDescription, owner: ObjectID
  ) throws(StoreError) {
    let changes = try newPlaces(of: ids) { id throws(StoreError) in
      try self.statements.row(
        .raw("SELECT ") + SQL.name(column) + .raw(" FROM ")
          + .name(try self.scope(id.entityName).table.name) + .raw(" WHERE ")
          + (try self.identity(id)), columns: 1)
    }
    for (id, place) in changes {
      try set([(column, .integer(place))], of: id)
      if let inverse = relationship.inverseName { coreData?.note(id, [], orders: [inverse]) }
    }
    if !changes.isEmpty { coreData?.note(owner, [relationship.name]) }
  }

  /// Writes places that stand in pairs.
  private func arrange(
    _ ids: [ObjectID], column: String, in table: EntityTable.JoinTable,
    _ relationship: RelationshipDescription, owner: ObjectID
  ) throws(StoreError) {
    func pair(_ id: ObjectID) throws(StoreError) -> SQL {
      let source = try values(ofColumns: table.sourceReferenced, of: owner, referredToBy: owner)
      let other = try values(ofColumns: table.destinationReferenced, of: id, referredToBy: owner)
      return zip(table.sourceColumns + table.destinationColumns, source + other)
        .map { .name($0) + .raw(" = ") + .value($1) }.joined(" AND ")
    }
    let changes = try newPlaces(of: ids) { id throws(StoreError) in
      try self.statements.row(
        .raw("SELECT ") + SQL.name(column) + .raw(" FROM ") + .name(table.name) + .raw(" WHERE ")
          + (try pair(id)), columns: 1)
    }
    for (id, place) in changes {
      try statements.run(
        .raw("UPDATE ") + SQL.name(table.name) + .raw(" SET ") + .name(column) + .raw(" = ")
          + .value(.integer(place)) + .raw(" WHERE ") + (try pair(id)))
    }
    if !changes.isEmpty { coreData?.note(owner, [relationship.name]) }
  }

  /// The places that must change so that objects come in an order; objects without a row are left out.
  private func newPlaces(
    of ids: [ObjectID], _ row: (ObjectID) throws(StoreError) -> [Value]?
  ) throws(StoreError) -> [(ObjectID, Int64)] {
    var known: [(id: ObjectID, place: Int64?)] = []
    for id in ids {
      guard let value = try row(id)?.first else { continue }
      if case .integer(let place) = value {
        known.append((id, place))
      } else {
        known.append((id, nil))
      }
    }
    return zip(known, OrderKeys.ascending(known.map(\.place))).compactMap { old, place in
      old.place == place ? nil : (old.id, place)
    }
  }
}
