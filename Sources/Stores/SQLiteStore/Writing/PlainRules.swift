import ObjectModel
import SQLQueries

/// What a save writes into plain tables beside the values of objects.
final class PlainRules: LayoutRules {
  let rows: SaveRows
  private var nextKeys: [String: Int64] = [:]
  /// The table that got the last key, and its next one, which is not in ``nextKeys``: most keys in
  /// a row are of one table.
  private var current: (table: String, nextKey: Int64)?
  let orders: OrderWriter

  init(_ rows: SaveRows) {
    self.rows = rows
    orders = OrderWriter(rows)
  }

  /// A join table has positions instead of order keys.
  var hasOrderKeys: Bool { false }

  func observeTriggers(_ areObserved: Bool) {}

  /// One more than the greatest key that the table or the request has.
  func nextKey(column: String, in scope: QueryScope) throws(StoreError) -> Int64 {
    let table = scope.table.name
    let key: Int64
    if let current, current.table == table {
      key = current.nextKey
    } else {
      if let current { nextKeys[current.table] = current.nextKey }
      key =
        if let known = nextKeys[table] { known } else {
          try firstKey(column: column, table: table)
        }
    }
    current = (table, key.successor)
    return key
  }

  private func firstKey(column: String, table: String) throws(StoreError) -> Int64 {
    var last = [rows.reserved.lastKey(inTable: table)]
    let largest = try rows.statements.row(
      "SELECT max(\(name: column)) FROM \(name: table)")
    if case .integer(let key)? = largest?.first { last.append(key) }
    // With AUTOINCREMENT a key is never used again.
    let sequences: SQL = "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'"
    if try rows.statements.row(sequences) != nil {
      let sequence = try rows.statements.row(
        "SELECT seq FROM sqlite_sequence WHERE name = \(.string(table))")
      if case .integer(let key)? = sequence?.first { last.append(key) }
    }
    let inserted = rows.request.inserted
    for run in inserted.runsOfEntities {
      let scope = try rows.scope(inserted[run.lowerBound].id.entityName)
      guard scope.table.name == table else { continue }
      let key = scope.changedColumn(column)
      // A change is large: only what is read of it is copied.
      for index in run {
        if case .integer(let own)? = key?.value(in: inserted[index].values) {
          last.append(own)
        } else if case .integer(let own) = inserted[index].id.key {
          last.append(own)
        }
      }
    }
    return (last.max() ?? 0).successor
  }

  func ownColumns(of change: RowChange, besides written: [ColumnValue], in scope: QueryScope)
    -> [ColumnValue]
  {
    guard let column = scope.table.entityColumn, let mark = column.values[scope.entity.name] else {
      return []
    }
    return [(column.name, mark)]
  }

  func columns(
    with toOne: EntityTable.ToOne, to destination: ObjectID?, key: [Value], of change: RowChange,
    in scope: QueryScope
  ) throws(StoreError) -> [ColumnValue] {
    guard let column = toOne.orderColumn else { return [] }
    return [(column, try orders.orderKey(of: toOne, owner: key, in: scope.table.name))]
  }

  func update(_ id: ObjectID, with body: ([SQL]) throws(StoreError) -> Void) throws(StoreError) {
    try body([])
  }

  /// The position after all others of the source.
  func orderColumns(of source: [Value], _ destination: [Value], in table: EntityTable.JoinTable)
    -> [(name: String, value: SQL)]
  {
    guard let order = table.orderColumn else { return [] }
    let own = SQL.equal(table.sourceColumns.map(SQL.name), source.map(SQL.value))
    let last: SQL = "SELECT coalesce(max(\(name: order)), 0) FROM \(name: table.name) WHERE \(own)"
    return [(order, "(\(last)) + 1")]
  }

  func isMirrored(_ table: EntityTable.JoinTable) -> Bool { false }

  func otherColumns(of id: ObjectID) -> [String: Value] { [:] }

  func describe(_ detail: String, of id: ObjectID) -> String { detail }

  var needsDeletedRows: Bool { false }

  func begin(before: [RowSnapshot?], deleted: [RowSnapshot]) {}

  func noteChange(of id: ObjectID, _ properties: @autoclosure () -> Set<String>) {}

  func finish(deleted: [RowSnapshot]) throws(StoreError) -> [ObjectID] {
    var changed: [ObjectID] = []
    try orders.writeOrders { id, assignments throws(StoreError) in
      try rows.update(id, set: assignments)
    } note: {
      if case .member(let id, _) = $0 { changed.append(id) }
    }
    return changed
  }

  func changedKeys(of id: ObjectID) -> Set<String>? { nil }
}

extension Int64 {
  /// The next number; the greatest stays.
  fileprivate var successor: Int64 { self == .max ? .max : self + 1 }
}
