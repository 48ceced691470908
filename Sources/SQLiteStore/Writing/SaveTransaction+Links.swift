import ObjectModel

extension SaveTransaction {
  /// Puts a link in; one that is there already stays as it is.
  func link(_ link: ObjectLink) throws(StoreError) {
    if case .foreignKey(let key)? = try scope(link.source.entityName).table
      .toMany[link.relationshipName]
    {
      // The order of objects whose own column refers back is told by `arrangeOrderedEnds`.
      if key.isHidden { try setHidden(key, link, isLinked: true) }
      return
    }
    let (table, source, destination) = try ends(link)
    guard try put(source, destination, into: table) else { return }
    if isReflexive(link) { _ = try put(destination, source, into: table) }
    noteEnds(of: link)
  }

  /// Puts a pair in, unless it is there.
  ///
  /// - Returns: Whether it was not there.
  private func put(
    _ source: [Value], _ destination: [Value], into table: EntityTable.JoinTable
  ) throws(StoreError) -> Bool {
    let pair = zip(table.sourceColumns + table.destinationColumns, source + destination)
    let condition = pair.map { .name($0) + .raw(" = ") + .value($1) }.joined(" AND ")
    let exists = .raw("SELECT 1 FROM ") + SQL.name(table.name) + .raw(" WHERE ") + condition
    if try statements.row(exists, columns: 1) != nil { return false }
    var columns = pair.map { ($0, $1) }
    columns += try places(of: source, destination, in: table)
    try statements.run(insertion(of: columns, source: source, into: table))
    return true
  }

  private func insertion(
    of pair: [(String, Value)], source: [Value], into table: EntityTable.JoinTable
  ) -> SQL {
    var columns = pair.map { SQL.name($0.0) }
    var values = pair.map { SQL.value($0.1) }
    if coreData == nil, let order = table.orderColumn {
      let own = zip(table.sourceColumns, source).map { .name($0) + .raw(" = ") + .value($1) }
      columns.append(.name(order))
      values.append(
        .raw("(SELECT coalesce(max(") + .name(order) + .raw("), 0) + 1 FROM ") + .name(table.name)
          + .raw(" WHERE ") + own.joined(" AND ") + .raw(")"))
    }
    return .raw("INSERT INTO ") + .name(table.name) + .raw(" ")
      + columns.joined(", ").inParentheses + .raw(" VALUES ") + values.joined(", ").inParentheses
  }

  /// Takes a link out.
  func unlink(_ link: ObjectLink) throws(StoreError) {
    if case .foreignKey(let key)? = try scope(link.source.entityName).table
      .toMany[link.relationshipName], key.isHidden
    {
      return try setHidden(key, link, isLinked: false)
    }
    let (table, source, destination) = try ends(link)
    try statements.run(deletion(source, destination, from: table))
    if isReflexive(link) { try statements.run(deletion(destination, source, from: table)) }
    noteEnds(of: link)
  }

  private func deletion(
    _ source: [Value]?, _ destination: [Value]?, from table: EntityTable.JoinTable
  ) -> SQL {
    var pair = source.map { Array(zip(table.sourceColumns, $0)) } ?? []
    if let destination { pair += zip(table.destinationColumns, destination) }
    return .raw("DELETE FROM ") + .name(table.name) + .raw(" WHERE ")
      + pair.map { .name($0) + .raw(" = ") + .value($1) }.joined(" AND ")
  }

  /// Takes out the links of objects that are about to be deleted.
  ///
  /// - Returns: The links, so that they can be put back.
  func removeLinksOfDeleted() throws(StoreError) -> [ObjectLink] {
    // Pairs that are objects of their own are deleted as such.
    let entityTables = Set(layout.tables.values.map(\.name))
    var links: [ObjectLink] = []
    let groups = Dictionary(grouping: request.deleted.map(\.id), by: \.entityName)
    for (entityName, ids) in groups.sorted(by: { $0.key < $1.key }) {
      let scope = try scope(entityName)
      for relationship in scope.entity.relationships {
        if case .foreignKey(let key)? = scope.table.toMany[relationship.name], key.isHidden {
          links += try removeHidden(key, relationship, of: ids)
        }
        guard case .join(let table)? = scope.table.toMany[relationship.name],
          !entityTables.contains(table.name)
        else { continue }
        let destinations = try reader.destinations(
          of: relationship.name, from: ids, on: connection)
        for id in ids {
          for other in destinations[id] ?? [] {
            let link = ObjectLink(relationship.name, from: id, to: other)
            noteEnds(of: link)
            links.append(link)
          }
          // Pairs whose other end is gone go too, though they are no links.
          let source = try values(ofColumns: table.sourceReferenced, of: id, referredToBy: id)
          try statements.run(deletion(source, nil, from: table))
          if relationship.inverseName == relationship.name, coreData != nil {
            try statements.run(deletion(nil, source, from: table))
          }
        }
      }
    }
    return links
  }

  /// The table of a link, and what stands in it for the two ends.
  private func ends(_ link: ObjectLink) throws(StoreError) -> (
    EntityTable.JoinTable, source: [Value], destination: [Value]
  ) {
    let scope = try scope(link.source.entityName)
    guard case .join(let table)? = scope.table.toMany[link.relationshipName] else {
      throw StoreError(
        .unknownName, doing: request.phrase, subject: link.source.phrase,
        detail: "\"\(link.relationshipName)\" is no many-to-many relationship")
    }
    return (
      table,
      try values(ofColumns: table.sourceReferenced, of: link.source, referredToBy: link.source),
      try values(
        ofColumns: table.destinationReferenced, of: link.destination, referredToBy: link.source)
    )
  }
}
