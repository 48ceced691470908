import ObjectModel
import SQLQueries

extension StoreReader {
  /// Reads the objects of any entities that exist, by ID, whole or with long values truncated.
  ///
  /// - Throws: ``StoreError``.
  func snapshots(of ids: [ObjectID], isWhole: Bool = false, on connection: Connection)
    throws(StoreError) -> [ObjectID: RowSnapshot]
  {
    Dictionary(rows: try rows(of: ids, isWhole: isWhole, on: connection))
  }

  /// Reads objects of any entities, whole or with long values truncated, or without values where
  /// that costs less.
  ///
  /// - Returns: A snapshot for each ID, in the same order; nil for an object that does not exist.
  /// - Throws: ``StoreError``.
  func rows(
    of ids: [ObjectID], isWhole: Bool = false, hasValues: Bool = true, on connection: Connection
  ) throws(StoreError) -> [RowSnapshot?] {
    var rows = [RowSnapshot?](repeating: nil, count: ids.count)
    for (scope, positions) in positions(of: ids) {
      let query = try snapshotQuery(scope.entityName, isWhole: isWhole)
      if query.findsOnlyItsKeys {
        try read(ids, at: positions, query, hasValues: hasValues, into: &rows, on: connection)
      } else {
        try readExactly(ids, at: positions, query, into: &rows, on: connection)
      }
    }
    return rows
  }

  /// Reads objects of one entity that are alone in their table, by integer keys: by a range where
  /// the keys lie close together.
  private func read(
    _ ids: [ObjectID], at positions: [Int], _ query: SnapshotQuery, hasValues: Bool,
    into rows: inout [RowSnapshot?], on connection: Connection
  ) throws(StoreError) {
    var wanted = WantedKeys(ids, at: positions)
    var packer = query.packer
    for chunk in wanted.keys.chunks(of: QueryScope.keysPerStatement) {
      let run = KeyRun(chunk, hasLongColumns: query.hasLongColumns)
      let statement = try Statement(
        run.map(query.sql) ?? query.sql(keys: chunk.map(ObjectKey.integer)), on: connection,
        doing: "reading", subject: query.entityName)
      while try statement.step() {
        let found = wanted.indexes(of: query.key(statement))
        guard let last = found.last,
          let row = query.snapshot(statement, &packer, hasValues: hasValues)
        else { continue }
        // An ID may be wanted several times; the row is moved to its last position, not copied.
        for index in found.dropLast() { rows[wanted.positions[index]] = row }
        rows[wanted.positions[last]] = row
      }
    }
  }

  /// Reads objects of one entity by keys that may find other rows than theirs: keys are compared by
  /// the column's collation, and a key that differs in case is that of another object.
  private func readExactly(
    _ ids: [ObjectID], at positions: [Int], _ query: SnapshotQuery, into rows: inout [RowSnapshot?],
    on connection: Connection
  ) throws(StoreError) {
    let wanted = Dictionary(grouping: positions) { ids[$0] }
    var packer = query.packer
    for chunk in positions.chunks(of: QueryScope.keysPerStatement) {
      let statement = try Statement(
        query.sql(keys: chunk.map { ids[$0].key }), on: connection, doing: "reading",
        subject: query.entityName)
      while try statement.step() {
        guard let row = query.snapshot(statement, &packer) else { continue }
        for position in wanted[row.id] ?? [] { rows[position] = row }
      }
    }
  }

  /// The positions of the IDs of this store by entity; usually all are of one entity.
  private func positions(of ids: [ObjectID]) -> [ObjectIDScope: [Int]] {
    guard let first = ids.first else { return [:] }
    let positions =
      ids.allSatisfy { $0.hasScope(of: first) }
      ? [first.scope: Array(ids.indices)] : Dictionary(grouping: ids.indices) { ids[$0].scope }
    // Temporary IDs are of no store.
    return positions.filter { $0.key.storeIdentifier == storeIdentifier }
  }

  /// Reads a whole value that a snapshot contains truncated, if necessary from its external file;
  /// null if the object does not exist.
  ///
  /// - Throws: ``StoreError``.
  func value(of attribute: String, for id: ObjectID, on connection: Connection)
    throws(StoreError) -> Value
  {
    let scope = try QueryScope(entityName: id.entityName, layout: layout)
    guard case .attribute(let column) = try scope.follow([attribute]) else {
      throw StoreError(
        .unknownName, doing: "reading", subject: id.entityName,
        detail: "\"\(attribute)\" is not an attribute")
    }
    guard id.storeIdentifier == storeIdentifier else { return .null }
    let sql: SQL =
      "SELECT \(column.value) FROM \(scope.from) WHERE \(scope.condition(keys: [id.key]))"
    let statement = try Statement(sql, on: connection, doing: "reading", subject: id.entityName)
    guard try statement.step() else { return .null }
    return statement.value(0)
  }
}

/// The integer keys of objects that are to be read, in ascending order, with the positions of the
/// objects.
private struct WantedKeys {
  let keys: [Int64]
  /// The position of each key's object.
  let positions: [Int]
  /// The index of the key after the one that was found last: rows come in the order of their keys.
  private var next = 0

  /// Takes the integer keys at some positions of a list.
  init(_ ids: [ObjectID], at positions: [Int]) {
    var keys: [(key: Int64, position: Int)] = []
    keys.reserveCapacity(positions.count)
    var isAscending = true
    for position in positions {
      guard case .integer(let key) = ids[position].key else { continue }
      if let last = keys.last, last.key > key { isAscending = false }
      keys.append((key, position))
    }
    if !isAscending { keys.sort { $0.key < $1.key } }
    self.keys = keys.map(\.key)
    self.positions = keys.map(\.position)
  }

  /// The indexes at which a key is; empty if it is not wanted.
  mutating func indexes(of key: Int64) -> Range<Int> {
    if next > 0, keys[next - 1] >= key { next = 0 }
    while next < keys.count, keys[next] < key { next += 1 }
    let start = next
    while next < keys.count, keys[next] == key { next += 1 }
    return start..<next
  }
}
