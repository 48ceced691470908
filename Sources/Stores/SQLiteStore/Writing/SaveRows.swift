import ObjectModel
import SQLQueries

/// The rows of the objects of one save: their tables, their keys, and the statements that address
/// them.
final class SaveRows {
  let request: SaveRequest
  let layout: StoreLayout
  let storeIdentifier: String
  let statements: SaveStatements
  let reader: StoreReader
  /// The keys of objects that are not inserted yet.
  let reserved: ReservedKeys
  /// The IDs of new objects by their temporary ones; those of objects that come back stay.
  ///
  /// A composite key may be known only when its row is written.
  var permanentIDs: [ObjectID: ObjectID] = [:]
  /// The rows of the updated objects as they are in the transaction, in their order; nil if nobody
  /// has read them there.
  let updatedRows: [RowSnapshot?]?
  private var scopes: [String: QueryScope] = [:]

  init(
    _ request: SaveRequest, reader: StoreReader, statements: SaveStatements,
    reserved: ReservedKeys = ReservedKeys(), updatedRows: [RowSnapshot?]? = nil
  ) {
    self.request = request
    self.updatedRows = updatedRows
    self.reserved = reserved
    self.reader = reader
    self.statements = statements
    (layout, storeIdentifier) = (reader.layout, reader.storeIdentifier)
  }

  /// The table of an entity.
  func scope(_ entityName: String) throws(StoreError) -> QueryScope {
    if let known = scopes[entityName] { return known }
    let scope = try QueryScope(entityName: entityName, layout: layout)
    scopes[entityName] = scope
    return scope
  }

  /// The relationship of an entity; nil if there is none of that name.
  func relationship(_ name: String, of entityName: String) -> RelationshipDescription? {
    layout.model.entity(named: entityName)?.relationship(named: name)
  }

  // MARK: Keys

  /// The ID of an object with an integer key.
  func objectID(_ entityName: String, _ key: Int64) -> ObjectID {
    ObjectID(storeIdentifier: storeIdentifier, entityName: entityName, key: .integer(key))
  }

  /// The ID of the object with an integer key in the table of an entity, with the entity that it has
  /// there or that this save gives it; nil if there is no such object.
  ///
  /// - Throws: ``StoreError``.
  func existingID(_ entityName: String, _ key: Int64) throws(StoreError) -> ObjectID? {
    let (table, id) = (try scope(entityName).table, objectID(entityName, key))
    if let new = request.inserted.first(where: {
      $0.id.key == .integer(key) && layout.tables[$0.id.entityName]?.name == table.name
    }) {
      return new.id
    }
    guard let column = table.entityColumn else { return try exists(id) ? id : nil }
    guard let mark = try values(of: [column.name], in: id)?.first else { return nil }
    return objectID(column.entityNames[mark] ?? entityName, key)
  }

  /// The ID that an object has, or will have, in the store; nil while that is not known.
  func storedID(_ id: ObjectID) -> ObjectID? { id.isTemporary ? permanentIDs[id] : id }

  /// The IDs of the inserted objects, as far as they are known.
  var insertedIDs: [ObjectID] {
    let inserted = request.inserted
    return inserted.indices.compactMap { storedID(inserted[$0].id) }
  }

  /// The condition for the row of an object, without an alias.
  func identity(_ id: ObjectID) throws(StoreError) -> SQL {
    SQL.equal(
      try scope(id.entityName).table.keyColumnNames.map(SQL.name), id.keyValues.map(SQL.value))
  }

  /// The values of columns of an object that another object's foreign key refers to.
  ///
  /// - Throws: ``StoreError``: a constraint error if the object's row does not exist yet.
  func values(ofColumns names: [String], of id: ObjectID, referredToBy source: ObjectID)
    throws(StoreError) -> [Value]
  {
    let scope = try scope(id.entityName)
    let stored = storedID(id)
    if let key = stored?.keyValues {
      if names == scope.table.keyColumnNames { return key }
      let known = Dictionary(firstOf: zip(scope.table.keyColumnNames, key))
      let values = names.compactMap { known[$0] }
      if values.count == names.count { return values }
      // The rowid may be referenced by another of its names.
      if names.count == 1, key.count == 1, scope.table.hasRowid, scope.isRowidAlias(names[0]) {
        return key
      }
    }
    if let change = request.inserted.first(where: { $0.id == id }) {
      let values = names.compactMap { scope.value(ofColumn: $0, in: change.values) }
      if values.count == names.count, !values.contains(.null) { return values }
    }
    if let stored, let row = try values(of: names, in: stored) { return row }
    // Not there yet: tried again when it has been inserted, refused if it never is.
    throw StoreError(
      .constraint, doing: request.phrase, subject: source.phrase,
      detail: "it refers to \(id.phrase), which is not there", objectIDs: [source, id])
  }

  // MARK: Statements

  /// Whether an object has a row.
  func exists(_ id: ObjectID) throws(StoreError) -> Bool {
    let (table, identity) = (try scope(id.entityName).table.name, try identity(id))
    return try statements.row("SELECT 1 FROM \(name: table) WHERE \(identity)") != nil
  }

  /// The objects that have rows, of many.
  func existing(_ ids: [ObjectID]) throws(StoreError) -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    for run in ids.runsOfEntities {
      let scope = try scope(run[run.startIndex].entityName)
      guard scope.table.keyColumnNames.count == 1 else {
        for id in run where try exists(id) { found.insert(id) }
        continue
      }
      for chunk in run.chunks(of: QueryScope.keysPerStatement) {
        let condition = try identity(ofAny: chunk)
        let keys = try statements.rows(
          """
          SELECT \(names: scope.table.keyColumnNames) FROM \(name: scope.table.name) \
          WHERE \(condition)
          """)
        guard !keys.isEmpty else { continue }
        // Two keys may be equal to the column's collation only: these are asked for one by one.
        let same = Set(keys.map { $0[0] })
        for id in chunk where same.contains(id.keyValues[0]) { found.insert(id) }
        if keys.count != chunk.count(where: found.contains) {
          for id in chunk where try exists(id) { found.insert(id) }
        }
      }
    }
    return found
  }

  /// The condition for the rows of objects of one entity whose key has one column, without an alias.
  ///
  /// Integers one after the other are a range, which is faster than a list.
  func identity(ofAny ids: ArraySlice<ObjectID>) throws(StoreError) -> SQL {
    guard let first = ids.first else { return "0" }
    let table = try scope(first.entityName).table
    if case .rowid(let name) = table.key, let keys = ids.consecutiveKeys {
      return "\(name: name) BETWEEN \(keys.lowerBound) AND \(keys.upperBound)"
    }
    return "\(names: table.keyColumnNames) IN (\(ids.flatMap(\.keyValues)))"
  }

  /// The values of columns of an object's row; nil if it has no row.
  func values(of columns: [String], in id: ObjectID) throws(StoreError) -> [Value]? {
    let (table, identity) = (try scope(id.entityName).table.name, try identity(id))
    return try statements.row(
      "SELECT \(names: columns) FROM \(name: table) WHERE \(identity)")
  }

  /// Updates an object's row with assignments; does nothing without any.
  func update(_ id: ObjectID, set assignments: [SQL]) throws(StoreError) {
    guard !assignments.isEmpty else { return }
    let (table, identity) = (try scope(id.entityName).table.name, try identity(id))
    try statements.write("UPDATE \(name: table) SET \(assignments) WHERE \(identity)")
  }

  /// Deletes the rows of objects of one entity whose key has one column.
  func delete(together ids: ArraySlice<ObjectID>) throws(StoreError) {
    guard let first = ids.first else { return }
    let (table, identity) = (try scope(first.entityName).table.name, try identity(ofAny: ids))
    try statements.write("DELETE FROM \(name: table) WHERE \(identity)")
  }

  /// Deletes an object's row.
  func delete(_ id: ObjectID) throws(StoreError) {
    let (table, identity) = (try scope(id.entityName).table.name, try identity(id))
    try statements.write("DELETE FROM \(name: table) WHERE \(identity)")
  }
}

extension QueryScope {
  /// The stored value that a change gives a column; nil if it gives none.
  func value(ofColumn column: String, in values: ChangedValues) -> Value? {
    changedColumn(column)?.value(in: values)
  }

  /// The column to which changes of attributes give values; nil if it is no attribute's.
  func changedColumn(_ name: String) -> ChangedColumn? {
    guard let index = table.columns.firstIndex(of: name), index < entity.attributes.count else {
      return nil
    }
    return ChangedColumn(index: index, name: entity.attributes[index].name)
  }

  /// Whether a name is SQLite's own name of the rowid, and no column's.
  fileprivate func isRowidAlias(_ name: String) -> Bool {
    ["rowid", "_rowid_", "oid"].contains(name.lowercased())
      && !table.columns.contains { $0.lowercased() == name.lowercased() }
  }
}

/// A column of an attribute, found once for many changes.
struct ChangedColumn {
  /// The index and the name of the attribute.
  fileprivate let index: Int
  fileprivate let name: String

  /// The stored value that a change gives it; nil if it gives none.
  func value(in values: ChangedValues) -> Value? { values.value(at: index, name) }
}

extension [RowChange] {
  /// The runs of changes of objects of one entity.
  var runsOfEntities: [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for index in indices.dropFirst() where !self[index].id.hasScope(of: self[start].id) {
      runs.append(start..<index)
      start = index
    }
    return isEmpty ? [] : runs + [start..<count]
  }
}

extension ArraySlice<ObjectID> {
  /// The keys, if they are integers of which each follows the one before, up or down; nil if not.
  fileprivate var consecutiveKeys: ClosedRange<Int64>? {
    guard count > 1, case .integer(let first)? = first?.key, case .integer(let last)? = last?.key
    else { return nil }
    let step: Int64 = first < last ? 1 : -1
    var expected = first
    for id in self {
      guard case .integer(let key) = id.key, key == expected else { return nil }
      expected &+= step
    }
    return Swift.min(first, last)...Swift.max(first, last)
  }
}

extension [ObjectID] {
  /// The runs of objects of one entity.
  var runsOfEntities: [ArraySlice<ObjectID>] {
    var runs: [ArraySlice<ObjectID>] = []
    var start = startIndex
    for index in indices.dropFirst() where !self[index].hasScope(of: self[start]) {
      runs.append(self[start..<index])
      start = index
    }
    return isEmpty ? [] : runs + [self[start...]]
  }
}
