import ObjectModel
import SQLQueries

// Ordered relationships and join tables as Core Data stores them: core-data-stores 4.4 and 4.7.
extension CoreDataRules {
  /// The objects of one ordered relationship of one owner, by the columns of their order keys.
  struct OrderedList: Hashable {
    let table: String
    let orderColumn: String
    let ownerColumn: String
    let owner: Int64
  }

  /// The order key after all others of a list; null if numbers end.
  func nextOrderKey(in list: OrderedList) throws(StoreError) -> Value {
    var last = lastOrderKeys[list]
    if last == nil {
      let stored = try rows.statements.row(
        """
        SELECT max(t.\(name: list.orderColumn)) FROM \(name: list.table) AS t \
        WHERE t.\(name: list.ownerColumn) = \(list.owner)
        """, columns: 1)
      if case .integer(let key)? = stored?.first { last = key }
    }
    guard let next = OrderKeys.next(after: last) else { return .null }
    lastOrderKeys[list] = next
    return .integer(next)
  }

  /// The order keys of a new row of a join table: after all others of both ends.
  func orderColumns(of source: [Value], _ destination: [Value], in table: EntityTable.JoinTable)
    throws(StoreError) -> [(name: String, value: SQL)]
  {
    var columns: [(name: String, value: SQL)] = []
    let ends = [
      (table.orderColumn, table.sourceColumns, source),
      (table.inverseOrderColumn, table.destinationColumns, destination),
    ]
    for (orderColumn, ownerColumns, owner) in ends {
      guard let orderColumn, let ownerColumn = ownerColumns.first,
        case .integer(let key)? = owner.first
      else { continue }
      let list = OrderedList(
        table: table.name, orderColumn: orderColumn, ownerColumn: ownerColumn, owner: key)
      columns.append((orderColumn, .value(try nextOrderKey(in: list))))
    }
    return columns
  }

  /// Whether the table is of a relationship that is its own inverse.
  func isMirrored(_ table: EntityTable.JoinTable) -> Bool {
    table.sourceColumns == [CoreDataNaming.Join.reflexiveColumn]
  }

  // MARK: New orders

  /// Gives the objects of ordered relationships the order of the request, changing as few order
  /// keys as possible.
  func writeOrders() throws(StoreError) {
    var owners: [ObjectLink] = []
    var members: [ObjectLink: [ObjectID]] = [:]
    for link in rows.request.linked {
      // A link from the owner to itself is the key of its relationship.
      let owner = ObjectLink(link.relationshipName, from: link.source, to: link.source)
      if members[owner] == nil { owners.append(owner) }
      members[owner, default: []].append(link.destination)
    }
    for owner in owners {
      guard let id = rows.storedID(owner.source),
        let relationship = rows.relationship(owner.relationshipName, of: id.entityName),
        relationship.isOrdered
      else { continue }
      try order((members[owner] ?? []).compactMap(rows.storedID), of: id, relationship)
    }
  }

  /// Writes the order keys of the objects of a relationship; objects without a row are left out.
  private func order(
    _ ids: [ObjectID], of owner: ObjectID, _ relationship: RelationshipDescription
  ) throws(StoreError) {
    let toMany = try rows.scope(owner.entityName).table.toMany[relationship.name]
    guard let toMany, let column = toMany.orderColumn else { return }
    var stored: [(id: ObjectID, row: OrderRow, key: Int64?)] = []
    for id in ids {
      let row = try orderRow(of: id, in: toMany, of: owner)
      let values = try rows.statements.row(
        "SELECT \(name: column) FROM \(name: row.table) WHERE \(row.condition)", columns: 1)
      guard let value = values?.first else { continue }
      let key: Int64? = if case .integer(let key) = value { key } else { nil }
      stored.append((id, row, key))
    }
    let keys = OrderKeys.ascending(stored.map(\.key))
    let changed = zip(stored, keys).filter { $0.key != $1 }
    for (old, key) in changed {
      let assignment: SQL = "\(name: column) = \(key)"
      if case .join = toMany {
        try rows.statements.write(
          "UPDATE \(name: old.row.table) SET \(assignment) WHERE \(old.row.condition)")
      } else {
        try update(old.id, set: [assignment])
        if let inverse = relationship.inverseName {
          noteChange(of: old.id, Change(orders: [inverse]))
        }
      }
    }
    if !changed.isEmpty { noteChange(of: owner, [relationship.name]) }
  }

  /// The row that holds an order key.
  private typealias OrderRow = (table: String, condition: SQL)

  /// The row with the order key of an object: its own, or that of a join table.
  private func orderRow(
    of id: ObjectID, in toMany: EntityTable.ToMany, of owner: ObjectID
  ) throws(StoreError) -> OrderRow {
    guard case .join(let table) = toMany else {
      return (try rows.scope(id.entityName).table.name, try rows.identity(id))
    }
    let source = try rows.values(
      ofColumns: table.sourceReferenced, of: owner, referredToBy: owner)
    let destination = try rows.values(
      ofColumns: table.destinationReferenced, of: id, referredToBy: owner)
    return (
      table.name,
      SQL.equal(
        (table.sourceColumns + table.destinationColumns).map(SQL.name),
        (source + destination).map(SQL.value))
    )
  }
}

extension EntityTable.ToMany {
  /// The column of the order keys; nil without an order.
  fileprivate var orderColumn: String? {
    switch self {
    case .foreignKey(let key): key.orderColumn
    case .join(let table): table.orderColumn
    }
  }
}
