import ObjectModel
import SQLQueries

extension SaveTransaction {
  /// Adds a link; one that exists already stays as it is.
  func link(_ link: ObjectLink) throws(StoreError) {
    switch try toMany(link) {
    case .foreignKey(let key):
      // Otherwise the destination's own to-one writes the key.
      if key.isHidden { try setHiddenKey(key, link, isLinked: true) }
    case .join(let table):
      let (source, destination) = try ends(link, in: table)
      guard try insert(source, destination, into: table) else { return }
      if rules.isMirrored(table) { _ = try insert(destination, source, into: table) }
      noteChange(of: link)
    }
  }

  /// Removes a link.
  func unlink(_ link: ObjectLink) throws(StoreError) {
    switch try toMany(link) {
    case .foreignKey(let key):
      guard key.isHidden else { throw noLink(link) }
      try setHiddenKey(key, link, isLinked: false)
    case .join(let table):
      let (source, destination) = try ends(link, in: table)
      try delete(source, destination, from: table)
      if rules.isMirrored(table) { try delete(destination, source, from: table) }
      noteChange(of: link)
    }
  }

  /// Removes the links of objects that are about to be deleted.
  ///
  /// - Returns: The links, so that they can be added again.
  func removeLinksOfDeleted() throws(StoreError) -> [ObjectLink] {
    // Join rows that are objects of their own are deleted as such.
    let entityTables = Set(layout.tables.values.map(\.name))
    var links: [ObjectLink] = []
    for entityName in deletedEntityNames.sorted() {
      let scope = try scope(entityName)
      lazy var ids = request.deleted.map(\.id).filter { $0.entityName == entityName }
      for relationship in scope.entity.relationships {
        switch scope.table.toMany[relationship.name] {
        case .foreignKey(let key)? where key.isHidden:
          links += try clearHiddenKeys(key, relationship, of: ids)
        case .join(let table)? where !entityTables.contains(table.name):
          links += try deletePairs(table, relationship, of: ids)
        default: continue
        }
      }
    }
    return links + (try removeLinksToDeleted(except: entityTables))
  }

  /// Removes the links of to-many relationships without an inverse that lead to objects which are
  /// about to be deleted.
  ///
  /// - Returns: The links, so that they can be added again.
  private func removeLinksToDeleted(except entityTables: Set<String>) throws(StoreError)
    -> [ObjectLink]
  {
    var links: [ObjectLink] = []
    for entity in layout.model.entities {
      for relationship in layout.model.ownRelationships(of: entity)
      where relationship.isToMany && relationship.inverseName == nil {
        let table = try scope(entity.name).table
        guard case .join(let pairs)? = table.toMany[relationship.name],
          !entityTables.contains(pairs.name)
        else { continue }
        let names = Set(
          layout.model.entityNames(inheritingFrom: relationship.destinationEntityName))
        let targets = request.deleted.map(\.id).filter { names.contains($0.entityName) }
        let found = try reader.sources(
          of: relationship.name, in: entity.name, leadingTo: targets, on: connection)
        for link in found.sorted(by: { ($0.source, $0.destination) < ($1.source, $1.destination) })
        {
          try unlink(link)
          links.append(link)
        }
      }
    }
    return links
  }

  private func deletePairs(
    _ table: EntityTable.JoinTable, _ relationship: RelationshipDescription, of ids: [ObjectID]
  ) throws(StoreError) -> [ObjectLink] {
    let destinations = try reader.destinations(
      of: relationship.name, from: ids, on: connection)
    var links: [ObjectLink] = []
    for id in ids {
      for other in destinations[id] ?? [] {
        links.append(ObjectLink(relationship.name, from: id, to: other))
        noteChange(of: links[links.count - 1])
      }
      // Rows whose other end does not exist are deleted too, though they are no links.
      let source = try rows.values(ofColumns: table.sourceReferenced, of: id, referredToBy: id)
      try delete(source, nil, from: table)
      if rules.isMirrored(table) { try delete(nil, source, from: table) }
    }
    return links
  }

  /// Notes that both ends of a link have changed.
  private func noteChange(of link: ObjectLink) {
    guard let source = rows.storedID(link.source),
      let destination = rows.storedID(link.destination)
    else { return }
    rules.noteChange(of: source, [link.relationshipName])
    let relationship = rows.relationship(link.relationshipName, of: source.entityName)
    if let inverse = relationship?.inverseName { rules.noteChange(of: destination, [inverse]) }
  }

  // MARK: Join tables

  /// Inserts a row into a join table, unless it exists.
  ///
  /// - Returns: Whether it was inserted.
  private func insert(
    _ source: [Value], _ destination: [Value], into table: EntityTable.JoinTable
  ) throws(StoreError) -> Bool {
    let names = table.sourceColumns + table.destinationColumns
    let values = (source + destination).map(SQL.value)
    let condition = SQL.equal(names.map(SQL.name), values)
    let exists: SQL = "SELECT 1 FROM \(name: table.name) WHERE \(condition)"
    if try rows.statements.row(exists) != nil { return false }
    let order = try rules.orderColumns(of: source, destination, in: table)
    try rows.statements.write(
      """
      INSERT INTO \(name: table.name) (\(names: names + order.map(\.name))) \
      VALUES (\(values + order.map(\.value)))
      """)
    return true
  }

  /// Deletes rows of a join table; an end that is nil may be any.
  private func delete(
    _ source: [Value]?, _ destination: [Value]?, from table: EntityTable.JoinTable
  ) throws(StoreError) {
    let names =
      (source == nil ? [] : table.sourceColumns)
      + (destination == nil ? [] : table.destinationColumns)
    let values = (source ?? []) + (destination ?? [])
    let condition = SQL.equal(names.map(SQL.name), values.map(SQL.value))
    try rows.statements.write("DELETE FROM \(name: table.name) WHERE \(condition)")
  }

  /// The columns of a link's relationship.
  private func toMany(_ link: ObjectLink) throws(StoreError) -> EntityTable.ToMany {
    let table = try scope(link.source.entityName).table
    guard let toMany = table.toMany[link.relationshipName] else { throw noLink(link) }
    return toMany
  }

  private func noLink(_ link: ObjectLink) -> StoreError {
    StoreError(
      .unknownName, doing: request.phrase, subject: link.source.phrase,
      detail: "\"\(link.relationshipName)\" is no many-to-many relationship")
  }

  /// The values that a join table has for the two ends of a link.
  private func ends(_ link: ObjectLink, in table: EntityTable.JoinTable) throws(StoreError) -> (
    source: [Value], destination: [Value]
  ) {
    (
      try rows.values(
        ofColumns: table.sourceReferenced, of: link.source, referredToBy: link.source),
      try rows.values(
        ofColumns: table.destinationReferenced, of: link.destination, referredToBy: link.source)
    )
  }

  // MARK: Hidden foreign keys

  /// Writes an owner's key into the destination's column, or clears it.
  private func setHiddenKey(_ key: EntityTable.ForeignKey, _ link: ObjectLink, isLinked: Bool)
    throws(StoreError)
  {
    guard let column = key.columns.first, let owner = rows.storedID(link.source),
      let destination = rows.storedID(link.destination), case .integer(let ownerKey) = owner.key
    else { return }
    let before = try rows.values(of: [column], in: destination)?.first
    guard (before == .integer(ownerKey)) != isLinked else { return }
    // The owner that it had loses it.
    if isLinked, case .integer(let old)? = before,
      let former = try rows.existingID(owner.entityName, old)
    {
      rules.noteChange(of: former, [link.relationshipName])
      replacedLinks.append(ObjectLink(link.relationshipName, from: former, to: destination))
    }
    let value = isLinked ? Value.integer(ownerKey) : .null
    var assignments: [SQL] = ["\(name: column) = \(value)"]
    if let orderColumn = key.orderColumn {
      let list = OrderWriter.OrderedList(
        table: try scope(destination.entityName).table.name, orderColumn: orderColumn,
        ownerColumn: column, owner: ownerKey)
      let order = isLinked ? try rules.orders.nextOrderKey(in: list) : .null
      assignments.append("\(name: orderColumn) = \(order)")
    }
    try rules.update(destination, set: assignments)
    rules.noteChange(of: owner, [link.relationshipName])
  }

  /// Clears the keys of objects that are about to be deleted.
  ///
  /// - Returns: The links, so that they can be added again.
  private func clearHiddenKeys(
    _ key: EntityTable.ForeignKey, _ relationship: RelationshipDescription, of ids: [ObjectID]
  ) throws(StoreError) -> [ObjectLink] {
    let deleted = Set(request.deleted.map(\.id))
    let contents = try reader.destinations(of: relationship.name, from: ids, on: connection)
    var links: [ObjectLink] = []
    for id in ids {
      for destination in contents[id] ?? [] where !deleted.contains(destination) {
        let link = ObjectLink(relationship.name, from: id, to: destination)
        try setHiddenKey(key, link, isLinked: false)
        links.append(link)
      }
    }
    return links
  }
}
