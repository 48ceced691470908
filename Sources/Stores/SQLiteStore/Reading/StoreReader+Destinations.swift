import ObjectModel
import SQLQueries

extension StoreReader {
  /// Reads the existing destinations of a to-many or to-one relationship for objects of one entity,
  /// by source, in the order of the relationship, else by key; sources without destinations are
  /// omitted.
  ///
  /// - Throws: ``StoreError``.
  func destinations(of name: String, from ids: [ObjectID], on connection: Connection)
    throws(StoreError) -> [ObjectID: [ObjectID]]
  {
    guard let entityName = ids.first?.entityName else { return [:] }
    let source = try QueryScope(entityName: entityName, layout: layout)
    guard let relationship = source.entity.relationship(named: name) else {
      throw StoreError(
        .unknownName, doing: "reading", subject: entityName,
        detail: "there is no relationship \"\(name)\" in \(entityName)")
    }
    let destination = try QueryScope(
      entityName: relationship.destinationEntityName, layout: layout, aliases: source.aliases)
    var columns: [SQL] = []
    let near = IDColumns(source.object, storeIdentifier: storeIdentifier, in: &columns)
    let far = IDColumns(destination.object, storeIdentifier: storeIdentifier, in: &columns)
    let link = try Link(relationship, from: source, to: destination)
    let select: SQL = """
      SELECT \(columns) FROM \(source.from)\(link.joins) \
      JOIN \(destination.from) ON \(link.condition)
      """
    let order = link.order + destination.keyOrder

    var result: [ObjectID: [ObjectID]] = [:]
    let requested = Set(ids.filter { $0.storeIdentifier == storeIdentifier && !$0.isTemporary })
    for chunk in Array(requested).chunks(of: QueryScope.keysPerStatement) {
      let keys = source.condition(keys: chunk.map(\.key))
      let row = try Statement(
        "\(select) WHERE \(keys) ORDER BY \(order)", on: connection, doing: "reading",
        subject: "\(entityName).\(name)")
      while try row.step() {
        guard let from = near.id(row), let to = far.id(row), requested.contains(from) else {
          continue
        }
        result[from, default: []].append(to)
      }
    }
    if !relationship.isToMany { return result.mapValues { Array($0.prefix(1)) } }
    if link.mayRepeat {
      for (source, ids) in result {
        var seen: Set<ObjectID> = []
        result[source] = ids.filter { seen.insert($0).inserted }
      }
    }
    return result
  }

  /// Reads the links of a to-many relationship that lead to some objects of the store, in no order.
  ///
  /// - Parameters:
  ///   - name: The relationship.
  ///   - entityName: The entity that declares it.
  ///   - ids: The objects, of any entities of its destination.
  ///   - connection: The connection.
  /// - Returns: The links.
  /// - Throws: ``StoreError``.
  func sources(
    of name: String, in entityName: String, leadingTo ids: [ObjectID], on connection: Connection
  ) throws(StoreError) -> [ObjectLink] {
    let source = try QueryScope(entityName: entityName, layout: layout)
    guard !ids.isEmpty, let relationship = source.entity.relationship(named: name) else {
      return []
    }
    let destination = try QueryScope(
      entityName: relationship.destinationEntityName, layout: layout, aliases: source.aliases)
    var columns: [SQL] = []
    let near = IDColumns(source.object, storeIdentifier: storeIdentifier, in: &columns)
    let far = IDColumns(destination.object, storeIdentifier: storeIdentifier, in: &columns)
    let link = try Link(relationship, from: source, to: destination)
    var links: Set<ObjectLink> = []
    let requested = Set(ids)
    for chunk in ids.chunks(of: QueryScope.keysPerStatement) {
      let row = try Statement(
        """
        SELECT \(columns) FROM \(source.from)\(link.joins) \
        JOIN \(destination.from) ON \(link.condition) \
        WHERE \(destination.condition(keys: chunk.map(\.key)))
        """, on: connection, doing: "reading", subject: "\(entityName).\(name)")
      while try row.step() {
        guard let from = near.id(row), let to = far.id(row), requested.contains(to) else {
          continue
        }
        links.insert(ObjectLink(name, from: from, to: to))
      }
    }
    return Array(links)
  }

  /// The join between the two ends of a relationship.
  private struct Link {
    var joins: SQL = ""
    let condition: SQL
    var order: [SQL] = []
    /// Whether a join table may repeat a pair.
    var mayRepeat = false

    init(_ relationship: RelationshipDescription, from source: QueryScope, to other: QueryScope)
      throws(StoreError)
    {
      if let toOne = source.table.toOne[relationship.name] {
        condition = .equal(other.columns(toOne.referenced), source.columns(toOne.columns))
        return
      }
      switch source.table.toMany[relationship.name] {
      case .foreignKey(let key)?:
        condition = .equal(source.columns(key.referenced), other.columns(key.columns))
        if let column = key.orderColumn { order = [other.column(column)] }
      case .join(let table)?:
        let pair = source.aliases.next()
        let near = SQL.equal(
          source.columns(table.sourceReferenced), .columns(table.sourceColumns, of: pair))
        joins = " JOIN \(name: table.name) \(pair) ON \(near)"
        condition = .equal(
          other.columns(table.destinationReferenced), .columns(table.destinationColumns, of: pair))
        if let column = table.orderColumn { order = [.column(column, of: pair)] }
        mayRepeat = true
      case nil:
        throw source.unsupported("the relationship \"\(relationship.name)\" has no columns")
      }
    }
  }
}
