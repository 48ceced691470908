import ObjectModel
import SQLQueries

/// Writes the order keys of ordered relationships, in columns of the objects or of join tables:
/// core-data-stores 4.4 and 4.7.
final class OrderWriter {
  /// The objects of one ordered relationship of one owner, by the columns of their order keys.
  struct OrderedList: Hashable {
    let table: String
    let orderColumn: String
    let ownerColumn: String
    let owner: Int64
  }

  private let rows: SaveRows
  /// The greatest order keys that are known.
  private var lastOrderKeys: [OrderedList: Int64] = [:]

  init(_ rows: SaveRows) { self.rows = rows }

  /// The order key of an object that gets an owner: after all others, unless it comes back and had
  /// one that no other has now; null without an owner.
  ///
  /// - Parameters:
  ///   - toOne: The columns of its to-one relationship.
  ///   - key: The key of the owner.
  ///   - table: Its table.
  ///   - old: The order key that an object had that comes back; nil for other objects.
  /// - Returns: The order key, or null.
  /// - Throws: ``StoreError``.
  func orderKey(
    of toOne: EntityTable.ToOne, owner key: [Value], in table: String, before old: Value? = nil
  ) throws(StoreError) -> Value {
    guard let column = toOne.orderColumn, let ownerColumn = toOne.columns.first,
      case .integer(let owner)? = key.first
    else { return .null }
    let list = OrderedList(
      table: table, orderColumn: column, ownerColumn: ownerColumn, owner: owner)
    if case .integer(let old)? = old, try isFree(old, in: list) {
      // A key that comes next comes after it.
      lastOrderKeys[list] = lastOrderKeys[list].map { max($0, old) }
      return .integer(old)
    }
    return try nextOrderKey(in: list)
  }

  private func isFree(_ key: Int64, in list: OrderedList) throws(StoreError) -> Bool {
    try rows.statements.row(
      """
      SELECT 1 FROM \(name: list.table) AS t \
      WHERE t.\(name: list.ownerColumn) = \(list.owner) AND t.\(name: list.orderColumn) = \(key)
      """) == nil
  }

  /// The order key after all others of a list; null if numbers end.
  func nextOrderKey(in list: OrderedList) throws(StoreError) -> Value {
    var last = lastOrderKeys[list]
    if last == nil {
      let stored = try rows.statements.row(
        """
        SELECT max(t.\(name: list.orderColumn)) FROM \(name: list.table) AS t \
        WHERE t.\(name: list.ownerColumn) = \(list.owner)
        """)
      if case .integer(let key)? = stored?.first { last = key }
    }
    guard let next = OrderKeys.next(after: last) else { return .null }
    lastOrderKeys[list] = next
    return .integer(next)
  }

  // MARK: New orders

  /// What a new order changed.
  enum Note {
    /// An owner, and its ordered relationship.
    case owner(ObjectID, String)
    /// An object in the relationship, and its to-one to the owner.
    case member(ObjectID, String)
  }

  /// Gives the objects of ordered relationships the order of the request, changing as few order
  /// keys as possible.
  ///
  /// - Parameters:
  ///   - update: Updates the row of an object that holds its own order key.
  ///   - note: Called with an object and its ordered relationship, or with one of its objects and
  ///     the to-one that is the inverse.
  /// - Throws: ``StoreError``, and what `update` throws.
  func writeOrders(
    update: (ObjectID, [SQL]) throws(StoreError) -> Void, note: (Note) -> Void
  ) throws(StoreError) {
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
      try order(
        (members[owner] ?? []).compactMap(rows.storedID), of: id, relationship, update, note)
    }
  }

  /// Writes the order keys of the objects of a relationship; objects without a row are left out.
  private func order(
    _ ids: [ObjectID], of owner: ObjectID, _ relationship: RelationshipDescription,
    _ update: (ObjectID, [SQL]) throws(StoreError) -> Void, _ note: (Note) -> Void
  ) throws(StoreError) {
    let toMany = try rows.scope(owner.entityName).table.toMany[relationship.name]
    guard let toMany, let column = toMany.orderColumn else { return }
    func keyedRows(_ ids: [ObjectID]) throws(StoreError) -> [KeyedRow] {
      var found: [KeyedRow] = []
      for id in ids {
        let row = try orderRow(of: id, in: toMany, of: owner)
        let values = try rows.statements.row(
          "SELECT \(name: column) FROM \(name: row.table) WHERE \(row.condition)")
        guard let value = values?.first else { continue }
        let key: Int64? = if case .integer(let key) = value { key } else { nil }
        found.append((id, row, key))
      }
      return found
    }
    let stored = try keyedRows(ids)
    let keys = OrderKeys.ascending(stored.map(\.key))
    var changed = zip(stored, keys).filter { $0.key != $1 }
    if !changed.isEmpty {
      // Objects that were added by others since the order was read.
      let known = Set(ids)
      let members = try rows.reader.destinations(
        of: relationship.name, from: [owner], on: rows.statements.connection)
      let others = try keyedRows((members[owner] ?? []).filter { !known.contains($0) })
      changed += Self.moved(others, awayFrom: keys)
    }
    for (old, key) in changed {
      let assignment: SQL = "\(name: column) = \(key)"
      if case .join = toMany {
        try rows.statements.write(
          "UPDATE \(name: old.row.table) SET \(assignment) WHERE \(old.row.condition)")
      } else {
        try update(old.id, [assignment])
        if let inverse = relationship.inverseName { note(.member(old.id, inverse)) }
      }
    }
    if !changed.isEmpty { note(.owner(owner, relationship.name)) }
  }

  /// The rows of other objects that have one of some keys too, with new keys after all others.
  private static func moved(_ others: [KeyedRow], awayFrom keys: [Int64]) -> [(KeyedRow, Int64)] {
    let taken = Set(keys)
    var last = (keys + others.compactMap(\.key)).max()
    var moved: [(KeyedRow, Int64)] = []
    for keyed in others {
      guard let key = keyed.key, taken.contains(key), let next = OrderKeys.next(after: last)
      else { continue }
      moved.append((keyed, next))
      last = next
    }
    return moved
  }

  /// An object in an ordered relationship: the row with its order key, and the key.
  private typealias KeyedRow = (id: ObjectID, row: OrderRow, key: Int64?)
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
